import type { ProcessResult } from '../process.ts';

/** What a program said last, as one line of people's words: it tells more than an exit code. '' where it said nothing. */
export function lastLine(output: Buffer): string {
  const lines = plain(output).split('\n');
  return (lines.findLast((line) => line.trim() !== '') ?? '').trim().slice(0, 200);
}

/**
 * Whether the program that was to run the tests is itself not there. What the program under test lacks is another
 * matter, and a failure: so only what the command names counts, and what a shell or make says of a command of theirs.
 */
export function isProgramMissing(argv: readonly string[], { stderr }: ProcessResult): boolean {
  const said = plain(stderr);
  const module = /^python[\d.]*$/.test(baseName(argv[0])) ? argv[argv.indexOf('-m') + 1] : undefined;
  if (argv.includes('-m') && module !== undefined) {
    const missing = /^\S*python\S*: No module named '?([\w.]+)'?/.exec(lastLine(stderr))?.[1];
    if (missing === module) return true;
  }
  if (/^make(?:\[\d+\])?: \*\*\* .*Error 127$/m.test(said) && /not found|No such file/.test(said))
    return true;
  const script = /Cannot find module '([^'\n]*\/node_modules\/[^'\n]*)'/.exec(said)?.[1];
  return script !== undefined && argv.some((word) => isOf(script, word));
}

/** A word of the command that means this file of node_modules. */
const isOf = (file: string, word: string) =>
  word.includes('node_modules/') && file.endsWith(`/${word.replace(/^(?:\.?\/)+/, '')}`);

const baseName = (word = '') => word.slice(word.lastIndexOf('/') + 1);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour
const COLOURS = /\u001b\[[\d;]*m/g;

const plain = (output: Buffer) =>
  output
    .subarray(-20_000)
    .toString('utf8')
    .replace(COLOURS, '')
    .replace(/[^\P{Cc}\n]/gu, ' ');
