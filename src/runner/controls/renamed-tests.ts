import { readFile, writeFile } from 'node:fs/promises';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import { insideCheckout } from '../checks/inside.ts';
import { languageOf } from '../diff/language.ts';
import { readTests, type TestDeclaration, type TestText } from '../diff/read-tests.ts';
import type { ReportFormat } from '../parsers/index.ts';
import { numbered, type Report } from '../report.ts';
import { hostOf } from './canary-hosts.ts';
import { neutralName, type Random } from './neutral-name.ts';

/** A test file in which tests have other names. */
export interface RenamedFile {
  /** Path in the checkout. */
  readonly file: string;
  /** How it reads now. */
  readonly text: string;
  /** By the new name, what the test was called. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Gives the tests of a throw-away checkout other names, as far as each has one that stands there as it is:
 * whoever lets one test pass by its name does not know it any more. Tests that keep something by their names, as
 * snapshots do, stay as they are.
 */
export async function renameTests(
  checkout: string,
  files: readonly string[],
  format: ReportFormat | 'exit',
  random: Random,
): Promise<readonly RenamedFile[]> {
  const hosted = await hostedFiles(checkout, files, format);
  const renamed: RenamedFile[] = [];
  for (const { file, path, text, tests, host } of hosted) {
    const places = tests
      .flatMap((test) => nameOf(file, text, test))
      .filter(({ name }) => languageOf(file) !== 'python' || !isAskedFor(name, hosted));
    if (places.length === 0) continue;
    const names = new Map(places.map(({ name }) => [neutralName(random, host), name]));
    const told = withNames(text, places, [...names.keys()]);
    await writeFile(path, told);
    renamed.push({ file, text: told, names });
  }
  return renamed;
}

async function hostedFiles(checkout: string, files: readonly string[], format: ReportFormat | 'exit') {
  const found = files.map((file) => ({ file, inside: insideCheckout(checkout, file) }));
  const read = await Promise.all(
    found.map(async ({ file, inside }) => {
      if (!inside?.stat.isFile()) return [];
      const text = await readFile(inside.path, 'utf8');
      const host = hostOf(file, text, format);
      return host === undefined ? [] : [{ file, path: inside.path, text, host, ...readTests(file, text) }];
    }),
  );
  return read.flat();
}

/** What else asks for something by this name: it is more than a test then, such as a fixture of Python. */
const isAskedFor = (name: string, files: readonly Pick<TestText, 'source'>[]): boolean => {
  const elsewhere = new RegExp(`(?<!\\bdef[ \\t]+)\\b${literalPattern(name)}\\b`);
  return files.some(({ source }) => elsewhere.test(source.code));
};

interface Place {
  readonly name: string;
  readonly from: number;
}

/** Its name says which snapshot, recording or fixture it has. */
const KEPT_BY_NAME =
  /napshot|currentTestName|\.(?:fullTitle|fullName)\b|\b(?:this|test|currentTest|task|t|ctx|context)\.(?:title|name)\b|request\.node|\brequest\b.*\bname\b/;

/** A helper of the file's own may be called as test programs call theirs: what it is given is not always a name. */
const OWN_HELPER =
  /\bfunction\s+(?:test|it|specify)\b|\b(?:const|let|var)\s+(?:test|it|specify)\s*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)/;

/** Where the name of a test stands; none where it is put together, given to several tests or asked for. */
function nameOf(
  file: string,
  text: string,
  { name, head, start, code, weight }: TestDeclaration,
): readonly Place[] {
  const above = text.slice(head, start);
  if (weight !== 1 || name.startsWith('(') || KEPT_BY_NAME.test(code)) return [];
  if (languageOf(file) === 'python') {
    const found = /\bdef[ \t]+(?=test\w*[ \t]*\()/.exec(above);
    // unittest runs the methods of a class in the order of their names.
    const isSorted = /^[ \t]/.test(above) && /\bTestCase\b/.test(text);
    return found === null || isSorted ? [] : [{ name, from: head + found.index + found[0].length }];
  }
  const from = start - 1 - name.length;
  const isWhole = text.slice(from, start - 1) === name && /^\s*,/.test(text.slice(start));
  const doesSomething = /=>|\bfunction\b/.test(code) || !OWN_HELPER.test(text);
  const isPlain = isWhole && doesSomething && !/[\\\n]|\$\{/.test(name);
  return isPlain && !/\.(?:each|for)\b/.test(above) ? [{ name, from }] : [];
}

const withNames = (text: string, places: readonly Place[], names: readonly string[]): string =>
  places.reduceRight(
    (whole, { name, from }, n) =>
      `${whole.slice(0, from)}${names[n] ?? name}${whole.slice(from + name.length)}`,
    text,
  );

/** A report with the names that the tests had before. */
export function withOwnNames(report: Report, renamed: readonly RenamedFile[]): Report {
  const pairs = renamed.flatMap((file) => [...file.names]);
  const names = new Map(pairs.flatMap((pair) => digitsOf(pair[0]).map((digits) => [digits, pair] as const)));
  if (names.size === 0) return report;
  const own = (told: string) =>
    digitsOf(told).reduce((text, digits) => {
      const [given = '', original = ''] = names.get(digits) ?? [];
      return given === '' ? text : text.replaceAll(given, original);
    }, told);
  const tests = report.tests.map((test) => ({ ...test, id: own(test.id), name: own(test.name) }));
  return { ...report, tests: numbered(tests) };
}

/** What makes a neutral name the only one of its kind. */
const digitsOf = (name: string): readonly string[] => name.match(/(?<!\d)\d{10}(?!\d)/g) ?? [];
