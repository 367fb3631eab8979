import { type Checkpoint, claimOfCheckpoint, openCheckpoint } from '../../attestation/checkpoint.ts';
import { sha256Hex } from '../../attestation/digest.ts';
import type { TrustedKey } from '../../attestation/key.ts';
import type { Ports } from '../ports.ts';
import type { ChainCheck } from './chains.ts';
import type { Findings } from './findings.ts';

/** A checkpoint and where it was kept: in the store, in the git ref, or in a file that somebody brings. */
export interface PlacedNote {
  readonly where: string;
  readonly note: string;
}

export interface Checkpoints {
  /** Oldest first. */
  readonly stored: readonly (PlacedNote & { readonly events: number })[];
  /** From outside the store; each must be one of those stored. */
  readonly outside: readonly PlacedNote[];
}

/** The ref is read before the store, so that a checkpoint made meanwhile is not missed there. */
export async function readCheckpoints(
  ports: Pick<Ports, 'store' | 'git'>,
  given: readonly PlacedNote[],
): Promise<Checkpoints> {
  const anchored = ports.git.anchors().map((note, n) => ({ where: `anchor ${n + 1}`, note }));
  const rows = await ports.store.checkpoints(Number.MAX_SAFE_INTEGER);
  const stored = rows
    .toReversed()
    .map(({ note, events }, n) => ({ where: `checkpoint ${n + 1}`, note, events }));
  return { stored, outside: [...anchored, ...given] };
}

/** Roots of the log after the first n events, for those n that a checkpoint covers; taken while it is read. */
export interface Roots {
  /** Call after each event. */
  passed(events: number): void;
  at(events: number): { readonly root: string; readonly streams: number } | undefined;
}

export function rootsFor({ stored, outside }: Checkpoints, chain: ChainCheck): Roots {
  const newest = stored.at(-1);
  const judged = [...outside, ...(newest === undefined ? [] : [newest])];
  const wanted = new Set(judged.map(({ note }) => claimOfCheckpoint(note)?.events));
  const found = new Map<number, { readonly root: string; readonly streams: number }>();
  return {
    passed(events) {
      if (wanted.has(events)) found.set(events, { root: chain.root(), streams: chain.heads.size });
    },
    at: (events) => found.get(events),
  };
}

export interface CheckpointQuestion {
  readonly checkpoints: Checkpoints;
  readonly roots: Roots;
  readonly events: number;
  readonly repository: string;
  /** Keys that the log names for checkpoints. */
  readonly named: readonly TrustedKey[];
  /** Keys known from outside the log. */
  readonly pinned: readonly TrustedKey[];
}

/** Signature, link, repository and count of every checkpoint; the root of the newest and of those from outside. */
export function checkCheckpoints(question: CheckpointQuestion, findings: Findings): void {
  const { stored, outside } = question.checkpoints;
  let previous: Previous = { note: '', events: 0 };
  for (const placed of stored) {
    checkLink(placed, previous, question, findings);
    previous = placed;
  }
  const newest = stored.at(-1);
  if (newest !== undefined) {
    checkRoot(newest, question, findings);
    checkNewestSigner(newest, question, findings);
  }
  for (const placed of outside) {
    if (checkNote(placed, question, findings) === undefined) continue;
    if (!stored.some(({ note }) => note === placed.note))
      findings.broken(placed.where, 'this checkpoint was signed and is no longer in the store');
    checkRoot(placed, question, findings);
  }
}

interface Previous {
  readonly note: string;
  readonly events: number;
}

function checkLink(
  { where, note, events }: Checkpoints['stored'][number],
  previous: Previous,
  question: CheckpointQuestion,
  findings: Findings,
): void {
  const claim = checkNote({ where, note }, question, findings);
  if (claim === undefined) return;
  const link = previous.note === '' ? '-' : sha256Hex(previous.note);
  if (claim.previous !== link) findings.broken(where, 'it does not follow the checkpoint before it');
  if (claim.events !== events)
    findings.broken(where, `its row says ${events} events, it says ${claim.events}`);
  if (claim.events < previous.events) findings.broken(where, 'it covers less than the one before it');
}

/** What a note says, when a key of the log signed it. */
function checkNote(
  { where, note }: PlacedNote,
  { named, pinned, repository }: CheckpointQuestion,
  findings: Findings,
): Checkpoint | undefined {
  const result = openCheckpoint(note, [...named, ...pinned]);
  if (!result.ok) {
    findings[result.code === 'unknown-key' ? 'doubt' : 'broken'](where, result.because);
    return undefined;
  }
  const { checkpoint } = result;
  if (checkpoint.repository === repository) return checkpoint;
  findings.broken(where, `it is of the repository ${checkpoint.repository}`);
  return undefined;
}

function checkRoot(
  { where, note }: PlacedNote,
  { roots, events }: CheckpointQuestion,
  findings: Findings,
): void {
  const claim = claimOfCheckpoint(note);
  if (claim === undefined) return;
  const found = roots.at(claim.events);
  if (found === undefined) {
    findings.broken(where, `it covers ${claim.events} events, only ${events} are here: the log was cut off`);
  } else if (found.root !== claim.root || found.streams !== claim.streams) {
    findings.broken(where, `the first ${claim.events} events are not those that it was signed over`);
  }
}

/** Whoever rewrites the log can name a key in it; the newest signature must be of a key known from elsewhere. */
function checkNewestSigner(
  { where, note }: PlacedNote,
  { pinned }: CheckpointQuestion,
  findings: Findings,
): void {
  const result = openCheckpoint(note, pinned);
  if (!result.ok && result.code === 'unknown-key')
    findings.doubt(where, `${result.because} from outside the log; give the key with --key`);
}
