import { inThread, type Unanswered } from '../bounded-thread.ts';

/** One pattern in one text. Flags are those of a RegExp; `g` is needed. */
export interface PatternJob {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
}

/** Where a pattern matched: from this offset to before that one. */
export type Match = readonly [from: number, to: number];

/** `unfinished`: the time was over, the search ran out of memory, or there were more matches than anybody can want. */
export type FoundPatterns = readonly (readonly Match[])[] | Unanswered;

const mostMatches = 20_000;

const search = `const { parentPort, workerData } = require('node:worker_threads');
const all = workerData.jobs.map(({ source, flags, text }) => {
  const found = [];
  for (const match of text.matchAll(new RegExp(source, flags))) {
    if (found.push([match.index, match.index + match[0].length]) > workerData.most) throw new Error('too many');
  }
  return found;
});
parentPort.postMessage(all);`;

/**
 * All matches of each job, in a thread of its own that ends with the time limit or the abort: the work controls the
 * texts, and some patterns take for ever on some texts. Never rejects.
 */
export function findPatterns(
  jobs: readonly PatternJob[],
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<FoundPatterns> {
  if (jobs.length === 0) return Promise.resolve([]);
  return inThread(search, { jobs, most: mostMatches }, limitMs, signal);
}
