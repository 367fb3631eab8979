import { isTestFile } from '../test-files.ts';
import type { ChangedText } from './changed-text.ts';
import type { Finding } from './finding.ts';
import { languageOf } from './language.ts';
import { linesOf } from './line-diff.ts';
import { readSource } from './source.ts';

/**
 * New lines of tests that look in the stack of an error for the name of a function that the change brings: who is named
 * there, a rename decides, and no behaviour. The place in the file, which is the other thing that a stack tells, is found
 * out by running the tests.
 */
export function stackNames(
  texts: readonly ChangedText[],
  testPatterns: readonly string[],
): readonly Finding[] {
  const scripts = texts.filter(({ path }) => languageOf(path) === 'js');
  const isTest = ({ path }: ChangedText) => isTestFile(path, testPatterns);
  const brought = new Set(scripts.filter((text) => !isTest(text)).flatMap(functionsBrought));
  if (brought.size === 0) return [];
  return scripts.filter(isTest).flatMap((text) => {
    const lines = linesOf(readSource(text.after, 'js').code);
    const at = lines.findIndex(
      (line, n) =>
        text.diff().added.has(n) &&
        /\.stack\b/.test(line) &&
        wordsQuoted(line).some((word) => brought.has(word)),
    );
    if (at < 0) return [];
    const message = `${JSON.stringify(text.path)} line ${at + 1}: a test that looks for the name of a function in a stack, which says nothing about what it does`;
    return [{ reason: 'forbidden-pattern', path: text.path, message, signable: true } satisfies Finding];
  });
}

/** Names of functions on new lines of a source; errors are named by what they are. */
function functionsBrought(text: ChangedText): readonly string[] {
  const lines = linesOf(readSource(text.after, 'js').bare).filter((_, n) => text.diff().added.has(n));
  return lines
    .flatMap((line) => [
      ...line.matchAll(
        /\bfunction\b\s*\*?\s*([a-z_$][\w$]+)|\b([a-z_$][\w$]+)\s*=\s*(?:async\b\s*)?(?:\(|[\w$]+\s*=>|function\b)/g,
      ),
    ])
    .flatMap(([, declared, assigned]) => declared ?? assigned ?? []);
}

/** The words in texts and regular expressions of a line. */
const wordsQuoted = (line: string): readonly string[] =>
  [...line.matchAll(/(['"`/])((?:\\.|(?!\1)[^\\])*)\1/g)].flatMap(
    ([, , text = '']) => text.match(/[\w$]+/g) ?? [],
  );
