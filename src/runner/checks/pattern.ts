import { inThread, type Unanswered } from '../bounded-thread.ts';

export type PatternResult = 'matches' | 'differs' | Unanswered;

/** Whether a text is a regular expression as criteria write them: by lines, in Unicode. */
export function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'mu') instanceof RegExp;
  } catch {
    return false;
  }
}

const search = `const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage(new RegExp(workerData.source, 'mu').test(workerData.text));`;

/** Searches a text that the judged work controls: some patterns take for ever on some texts. Never rejects. */
export async function searchPattern(
  source: string,
  text: string,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<PatternResult> {
  const found = await inThread<boolean>(search, { source, text }, limitMs, signal);
  if (typeof found === 'string') return found;
  return found ? 'matches' : 'differs';
}
