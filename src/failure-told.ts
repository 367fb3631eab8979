import { exitCodeOf } from './cli/exit-code.ts';
import { printFailure } from './cli/print.ts';
import { errorTold } from './engine/error-told.ts';

/** A failure beside every command, as the command line tells its own: one document with --json, else lines for people. */
export function failureTold(
  words: readonly string[],
  error: unknown,
): { readonly out: string; readonly err: string; readonly exit: number } {
  const told = errorTold(error);
  const said = { out: '', err: '' };
  const output = {
    ...{ json: words.includes('--json'), quiet: false, color: false, as: '' },
    out: (text: string) => {
      said.out += text;
    },
    err: (text: string) => {
      said.err += text;
    },
  };
  printFailure(output, { ...told, lines: [], details: {} });
  return { ...said, exit: exitCodeOf(told.code) };
}
