import type { ProcessResult } from '../process.ts';
import type { Report } from '../report.ts';
import { crashes } from './judge.ts';

interface Run {
  readonly ended: ProcessResult;
  readonly report?: Report | undefined;
}

/** Whether a program was ended by a signal that it does not bring on itself by a fault, and that we did not send. */
export const isKilled = ({ ended }: Run): boolean =>
  ended.signal !== null &&
  !crashes.has(ended.signal) &&
  !ended.timedOut &&
  !ended.overflowed &&
  !ended.aborted;

/**
 * A report that ends in the middle although nothing failed and the program says that all is well: where a machine is
 * very busy, programs that end at once lose their last lines.
 */
const isCut = ({ ended, report }: Run): boolean =>
  ended.exitCode === 0 &&
  report !== undefined &&
  !report.complete &&
  !report.tests.some(({ outcome }) => outcome === 'failed');

/**
 * A run whose report was cut is repeated once, and the second is judged like any other: it gives nothing that the first
 * could not have had. A run that was killed is repeated once: a machine that needed its memory, or somebody at a keyboard, seldom does it
 * twice, and a program that kills itself, or those that it was started by, does it each time. `killed`: both were. What
 * a second run comes to counts for nothing else, or work could be run again until it passes.
 */
export async function againIfKilled<Told extends Run | { readonly fault: string }>(
  run: () => Promise<Told>,
): Promise<{ readonly told: Told; readonly killed: boolean }> {
  const told = await run();
  if ('ended' in told && isCut(told)) return { told: await run(), killed: false };
  if (!('ended' in told) || !isKilled(told)) return { told, killed: false };
  const again = await run();
  return { told, killed: 'ended' in again && isKilled(again) };
}

/** What is said of it. */
export const killedTwice = ({ ended }: Run): string =>
  `was killed by ${ended.signal} in two runs: what ends its own test program has no result`;
