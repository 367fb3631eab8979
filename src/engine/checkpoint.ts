import { makeCheckpoint } from '../attestation/checkpoint.ts';
import { sha256Hex } from '../attestation/digest.ts';
import { logRoot } from '../attestation/merkle.ts';
import type { Head } from '../store/store.ts';
import { EngineError } from './engine-error.ts';
import { pause } from './execute.ts';
import { nowOf, type Ports } from './ports.ts';

const PAGE = 5_000;
const ROUNDS = 20;

/**
 * Signs the Merkle root over all stream heads, linked to the checkpoint before it, and keeps the note. Of two made
 * at once the later is made again, so that they stay one line. Throws BUSY.
 */
export async function checkpoint(ports: Ports): Promise<string> {
  for (let round = 0; round < ROUNDS; round++) {
    const [last] = await ports.store.checkpoints(1);
    const { heads, events } = await stillHeads(ports);
    const note = makeCheckpoint(
      {
        repository: await ports.store.repositoryId(),
        events,
        streams: heads.length,
        root: logRoot(heads),
        at: nowOf(ports),
        previous: last === undefined ? '-' : sha256Hex(last.note),
      },
      ports.signer('checkpoint'),
    );
    if (await ports.store.saveCheckpoint(note, events, last?.note ?? '')) return note;
    await pause(ports, round);
  }
  throw new EngineError('BUSY', 'others kept making checkpoints; this one was not made', 'try again');
}

/** A new checkpoint, also kept in the git ref whose push makes an outside witness. Answers note and commit. */
export async function anchoredCheckpoint(
  ports: Ports,
): Promise<{ readonly note: string; readonly commit: string }> {
  const note = await checkpoint(ports);
  const events = note.split('\n')[1] ?? '';
  return { note, commit: ports.git.anchor(note, `checkpoint over ${events} events`) };
}

/** One checkpoint per so many new events, more rarely as the store grows: the work stays a small share of the writes. */
export async function checkpointIfDue(ports: Ports): Promise<void> {
  const [last] = await ports.store.checkpoints(1);
  const events = await ports.store.eventCount();
  const since = events - (last?.events ?? 0);
  if (since >= Math.max(8, events / 20)) await checkpoint(ports);
}

/** All heads at one moment: a read that writers got into is done again. Throws BUSY. */
export async function stillHeads(
  ports: Pick<Ports, 'store'>,
): Promise<{ readonly heads: readonly Head[]; readonly events: number }> {
  for (let round = 0; round < ROUNDS; round++) {
    const heads: Head[] = [];
    for (;;) {
      const page = await ports.store.heads(heads.at(-1)?.stream ?? '', PAGE);
      heads.push(...page);
      if (page.length < PAGE) break;
    }
    const events = heads.reduce((sum, head) => sum + head.version, 0);
    if (events === (await ports.store.eventCount())) return { heads, events };
  }
  throw new EngineError('BUSY', 'other writers kept the log moving; no checkpoint was made', 'try again');
}
