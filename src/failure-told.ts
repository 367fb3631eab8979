import { exitCodeOf } from './cli/exit-code.ts';
import { errorTold } from './engine/error-told.ts';

/** A failure beside every command, in the words of the command line: one document with --json, else lines for people. */
export function failureTold(
  words: readonly string[],
  error: unknown,
): { readonly out: string; readonly err: string; readonly exit: number } {
  const { code, message, hint } = errorTold(error);
  const exit = exitCodeOf(code);
  if (!words.includes('--json'))
    return { out: '', err: `refused: ${message}\n${hint === '' ? '' : `next: ${hint}\n`}`, exit };
  const document = { schema: 'countersign/cli/1', ok: false, error: { code, message, hint } };
  return { out: `${JSON.stringify(document)}\n`, err: '', exit };
}
