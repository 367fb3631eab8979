import { Worker } from 'node:worker_threads';

/** One pattern in one text. Flags are those of a RegExp; `g` is needed. */
export interface PatternJob {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
}

/** Where a pattern matched: from this offset to before that one. */
export type Match = readonly [from: number, to: number];

/** `unfinished`: the time was over, the search ran out of memory, or there were more matches than anybody can want. */
export type FoundPatterns = readonly (readonly Match[])[] | 'unfinished' | 'aborted';

const mostMatches = 20_000;

// As text, since a bundle has no second file that a worker could start from.
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
  if (signal?.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const workerData = { jobs, most: mostMatches };
    const worker = new Worker(search, { eval: true, workerData, env: {}, execArgv: [] });
    const end = (result: FoundPatterns) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      void worker.terminate();
      resolve(result);
    };
    const abort = () => end('aborted');
    const timer = setTimeout(() => end('unfinished'), limitMs);
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (found: readonly (readonly Match[])[]) => end(found));
    worker.once('error', () => end('unfinished'));
    worker.once('exit', () => end('unfinished'));
  });
}
