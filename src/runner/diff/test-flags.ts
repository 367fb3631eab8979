import { isTestFile } from '../test-files.ts';
import type { ChangedText } from './changed-text.ts';
import type { Finding } from './finding.ts';
import { languageOf } from './language.ts';
import { linesOf } from './line-diff.ts';
import { readSource } from './source.ts';

const OBJECT = String.raw`\b(?:globalThis|global|window|self)\s*`;
const NAME = String.raw`(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*['"\x60]([^'"\x60\n]+)['"\x60]\s*\])`;
const SET = new RegExp(String.raw`${OBJECT}${NAME}\s*(?:\|\||&&|\?\?)?=(?![=>])`, 'g');
const USED = new RegExp(`${OBJECT}${NAME}`, 'g');

/** What surroundings offer by themselves: tests put others in the place of these every day. */
const OFFERED =
  /^(?:[A-Z][A-Za-z]*[a-z][A-Za-z]*|on[a-z]+|document|window|self|location|history|screen|navigator|localStorage|sessionStorage|indexedDB|caches|matchMedia|alert|confirm|prompt|open|close|print|scroll\w*|(?:request|cancel)(?:AnimationFrame|IdleCallback)|getComputedStyle|getSelection|inner(?:Width|Height)|outer(?:Width|Height)|devicePixelRatio|__(?:DEV|PROD|TEST|BROWSER|SSR|VERSION)\w*__|__[A-Z_]+__)$/;

const isOffered = (name: string) => name in globalThis || OFFERED.test(name);

/**
 * Names on the global object that the tests set and the program asks about, both in lines of this change: whoever uses
 * the program does not set them. A name that the program sets itself, or had before, is none.
 */
export function testFlags(
  texts: readonly ChangedText[],
  testPatterns: readonly string[],
): readonly Finding[] {
  const scripts = texts.filter(({ path }) => languageOf(path) === 'js');
  const isTest = ({ path }: ChangedText) => isTestFile(path, testPatterns);
  const set = new Set(scripts.filter(isTest).flatMap((text) => namesIn(text, SET).map(({ name }) => name)));
  if (set.size === 0) return [];
  const sources = scripts.filter((text) => !isTest(text));
  const own = new Set(sources.flatMap((text) => namesIn(text, SET).map(({ name }) => name)));
  return sources.flatMap((text) => {
    const known = new Set(found(text.before, USED).map(({ name }) => name));
    const asked = namesIn(text, USED).filter(
      ({ name }) => set.has(name) && !own.has(name) && !known.has(name) && !isOffered(name),
    );
    return asked.slice(0, 1).map(
      ({ name, line }): Finding => ({
        reason: 'forbidden-pattern',
        path: text.path,
        message: `${JSON.stringify(text.path)} line ${line + 1}: code that asks for the global ${name}, which the tests of this change set and nobody else does`,
        signable: true,
      }),
    );
  });
}

interface Named {
  readonly name: string;
  readonly line: number;
}

const namesIn = (text: ChangedText, pattern: RegExp): readonly Named[] =>
  found(text.after, pattern).filter(({ line }) => text.diff().added.has(line));

function found(text: string, pattern: RegExp): readonly Named[] {
  return linesOf(readSource(text, 'js').code).flatMap((code, line) =>
    [...code.matchAll(pattern)].map(([, plain, quoted]) => ({ name: plain ?? quoted ?? '', line })),
  );
}
