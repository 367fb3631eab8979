import { Worker } from 'node:worker_threads';

/** `unfinished`: the time was over, or the thread broke off. */
export type Unanswered = 'unfinished' | 'aborted';

/**
 * Runs a script in a thread of its own, which ends with its first message, the time limit or the abort: what the judged
 * work controls can make a search endless. The script is text, since a bundle has no second file that a thread could
 * start from. Never rejects.
 */
export function inThread<Answer>(
  script: string,
  workerData: unknown,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer | Unanswered> {
  if (signal?.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const worker = new Worker(script, { eval: true, workerData, env: {}, execArgv: [] });
    const end = (result: Answer | Unanswered) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      void worker.terminate();
      resolve(result);
    };
    const abort = () => end('aborted');
    const timer = setTimeout(() => end('unfinished'), limitMs);
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (answer: Answer) => end(answer));
    worker.once('error', () => end('unfinished'));
    worker.once('exit', () => end('unfinished'));
  });
}
