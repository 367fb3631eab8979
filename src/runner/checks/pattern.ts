import { Worker } from 'node:worker_threads';

/** `unfinished`: the time was over, or the search ran out of memory. */
export type PatternResult = 'matches' | 'differs' | 'unfinished' | 'aborted';

// As text, since a bundle has no second file that a worker could start from.
const search = `const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage(new RegExp(workerData.source, 'mu').test(workerData.text));`;

/**
 * Searches a text that the judged work controls: some patterns take for ever on some texts, so the search runs in a
 * thread of its own, which ends with the time limit or the abort. Never rejects.
 */
export function searchPattern(
  source: string,
  text: string,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<PatternResult> {
  if (signal?.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const worker = new Worker(search, { eval: true, workerData: { source, text }, env: {}, execArgv: [] });
    const end = (result: PatternResult) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      void worker.terminate();
      resolve(result);
    };
    const abort = () => end('aborted');
    const timer = setTimeout(() => end('unfinished'), limitMs);
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (found: unknown) => end(found === true ? 'matches' : 'differs'));
    worker.once('error', () => end('unfinished'));
    worker.once('exit', () => end('unfinished'));
  });
}
