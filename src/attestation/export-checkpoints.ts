import { type Checkpoint, claimOfCheckpoint, openCheckpoint } from './checkpoint.ts';
import { sha256Hex } from './digest.ts';
import { replayRoots } from './export-events.ts';
import type { ExportReport } from './export-report.ts';
import type { TrustedKey } from './key.ts';
import type { StreamHead } from './merkle.ts';

/** What the checkpoints of an export are held against. */
export interface CheckpointContext {
  readonly repository: string;
  readonly history: readonly StreamHead[];
  readonly trusted: readonly TrustedKey[];
  /** Keys that the export itself names: they can show damage, and never make anything trusted. */
  readonly named: readonly TrustedKey[];
}

export interface PlacedNote {
  readonly line: number;
  readonly note: string;
}

/** Signature, link, repository, counts and root of every checkpoint, oldest first. */
export function checkCheckpoints(
  notes: readonly PlacedNote[],
  context: CheckpointContext,
  report: ExportReport,
): void {
  const rootAfter = replayRoots(context.history);
  let previous = '-';
  for (const [index, { line, note }] of notes.entries()) {
    const where = `checkpoint ${index + 1}`;
    checkSignature(note, context, (kind, what) => report[kind](line, where, what));
    const claim = claimOfCheckpoint(note);
    if (claim !== undefined) {
      for (const what of contradictions(claim, previous, context, rootAfter))
        report.broken(line, where, what);
    }
    previous = sha256Hex(note);
  }
}

function checkSignature(
  note: string,
  { trusted, named }: CheckpointContext,
  tell: (kind: 'broken' | 'doubt', what: string) => void,
): void {
  const result = openCheckpoint(note, [...trusted, ...named]);
  if (!result.ok) {
    tell(result.code === 'unknown-key' ? 'doubt' : 'broken', result.because);
  } else if (!trusted.some(({ keyid }) => keyid === result.keyid)) {
    tell('doubt', `signed by key ${result.keyid}, which is not trusted`);
  }
}

function contradictions(
  claim: Checkpoint,
  previous: string,
  { repository, history }: CheckpointContext,
  rootAfter: ReturnType<typeof replayRoots>,
): string[] {
  const found: string[] = [];
  if (claim.repository !== repository) found.push(`of the repository ${claim.repository}`);
  if (claim.previous !== previous) found.push('does not follow the checkpoint before it');
  if (claim.events > history.length) {
    return [...found, `covers ${claim.events} events, only ${history.length} are here: cut off`];
  }
  const actual = rootAfter(claim.events);
  if (actual === undefined) return [...found, 'covers fewer events than the checkpoint before it'];
  if (claim.streams !== actual.streams)
    found.push(`counts ${claim.streams} streams, found ${actual.streams}`);
  if (claim.root !== actual.root) found.push(`the first ${claim.events} events are not those that it covers`);
  return found;
}
