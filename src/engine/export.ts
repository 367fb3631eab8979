import { exportWriter } from '../attestation/export.ts';
import { trustedKeys } from '../identity/roster.ts';
import { stillHeads } from './checkpoint.ts';
import { EngineError } from './engine-error.ts';
import { nowOf, type Ports } from './ports.ts';
import { readRoster } from './roster.ts';

/** Takes the export piece by piece, in order. */
export type Write = (chunk: string) => Promise<void> | void;

const PAGE = 1_000;
const CHUNK = 64 * 1024;

/**
 * Writes a copy of the log as it is at one moment (docs/formats/export.md), signed with the checkpoint key. The log
 * only grows, so the moment is its first events. Answers their number. Throws BUSY, DAMAGED.
 */
export async function exportLog(ports: Ports, write: Write): Promise<number> {
  const { heads, events } = await stillHeads(ports);
  const { roster } = await readRoster(ports);
  const writer = exportWriter({
    repository: roster.repository,
    createdAt: nowOf(ports),
    keys: [...trustedKeys(roster)],
    events,
    streams: heads.length,
  });
  const out = chunked(write);
  await out.add(writer.header());
  for (let position = 0; position < events; ) {
    const page = await ports.store.events(position, Math.min(PAGE, events - position));
    if (page.length === 0) throw cutOff(events, position);
    for (const event of page) await out.add(writer.event(event));
    position += page.length;
  }
  const notes = await ports.store.checkpoints(Number.MAX_SAFE_INTEGER);
  for (const { note } of notes.filter((n) => n.events <= events).toReversed())
    await out.add(writer.checkpoint(note));
  await out.add(writer.trailer(ports.signer('checkpoint')));
  await out.end();
  return events;
}

/** Lines are short; they are handed on together. */
function chunked(write: Write) {
  let waiting: string[] = [];
  let size = 0;
  const end = async () => {
    if (size > 0) await write(waiting.join(''));
    waiting = [];
    size = 0;
  };
  return {
    end,
    async add(line: string) {
      waiting.push(line);
      size += line.length;
      if (size >= CHUNK) await end();
    },
  };
}

function cutOff(events: number, position: number): EngineError {
  return new EngineError(
    'DAMAGED',
    `the log has heads for ${events} events and holds none after ${position}`,
    'run: countersign audit verify',
  );
}
