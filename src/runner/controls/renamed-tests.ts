import { readFile, writeFile } from 'node:fs/promises';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import { insideCheckout } from '../checks/inside.ts';
import { languageOf } from '../diff/language.ts';
import { readTests, type TestDeclaration, type TestText } from '../diff/read-tests.ts';
import type { ReportFormat } from '../parsers/index.ts';
import { numbered, type Report } from '../report.ts';
import { type Host, hostOf } from './canary-hosts.ts';
import { takesNames } from './names-given.ts';
import { neutralName, type Random } from './neutral-name.ts';
import { type Classes, classesOf, standingOf } from './python-classes.ts';

/** A test file in which tests have other names. */
export interface RenamedFile {
  /** Path in the checkout. */
  readonly file: string;
  /** How it reads now. */
  readonly text: string;
  /** By the new name, what the test was called. */
  readonly names: ReadonlyMap<string, string>;
  /** New names that only stand before what the test was called. */
  readonly before: ReadonlySet<string>;
  /** By the new name, where the declarations start that have it. */
  readonly heads: ReadonlyMap<string, readonly number[]>;
}

/** What is renamed, where that is not every name as it stands in all files. */
export interface Renaming {
  readonly among?: ReadonlySet<string>;
  /** Also tables, names that are put together, and tests of Rust. */
  readonly isEvery?: boolean;
}

/**
 * Gives the tests of a throw-away checkout other names, as far as each has one that stands there as it is:
 * whoever lets one test pass by its name does not know it any more. Tests that keep something by their names, as
 * snapshots do, stay as they are, and so does what a helper or the product gets that is no name.
 */
export async function renameTests(
  checkout: string,
  files: readonly string[],
  format: ReportFormat | 'exit',
  random: Random,
  { among = new Set(files), isEvery = false }: Renaming = {},
): Promise<readonly RenamedFile[]> {
  const read = await readFiles(checkout, files, isEvery ? format : format === 'cargo' ? 'exit' : format);
  const given = new Map<string, string>();
  const renamed: RenamedFile[] = [];
  const ofPython = keysOfPython(read, among, isEvery);
  for (const { file, path, text, tests, host } of read) {
    if (host === undefined || !among.has(file)) continue;
    const takes = await wordsOf(checkout, { path: file, text });
    const places = tests.flatMap((test) => {
      const isGiven = takes(text.slice(test.head, test.start));
      const key = languageOf(file) === 'python' ? ofPython(file, test) : isGiven ? '' : undefined;
      return key === undefined ? [] : nameOf(file, text, test, isEvery).map((place) => ({ ...place, key }));
    });
    if (places.length === 0) continue;
    const named = places.map((place) => {
      const name = (place.key === '' ? undefined : given.get(place.key)) ?? neutralName(random, host);
      if (place.key !== '') given.set(place.key, name);
      return { ...place, told: name };
    });
    const renamedText = withNames(text, named);
    await writeFile(path, renamedText);
    renamed.push({ file, text: renamedText, ...toldOf(named) });
  }
  return renamed;
}

function toldOf(places: readonly Named[]): Pick<RenamedFile, 'names' | 'before' | 'heads'> {
  const heads = new Map<string, readonly number[]>();
  for (const { told, head } of places) heads.set(told, [...(heads.get(told) ?? []), head]);
  return {
    names: new Map(places.map(({ told, name }) => [told, name])),
    before: new Set(places.flatMap(({ told, opened }) => (opened === undefined ? [] : told))),
    heads,
  };
}

interface ReadFile extends TestText {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  /** Undefined for a file whose tests no program is known to run. */
  readonly host: Host | 'cargo' | undefined;
}

async function readFiles(
  checkout: string,
  files: readonly string[],
  format: ReportFormat | 'exit',
): Promise<readonly ReadFile[]> {
  const read = await Promise.all(
    files.map(async (file) => {
      const inside = insideCheckout(checkout, file);
      if (!inside?.stat.isFile()) return [];
      const text = await readFile(inside.path, 'utf8');
      const host: ReadFile['host'] =
        format === 'cargo' && languageOf(file) === 'rust' ? 'cargo' : hostOf(file, text, format);
      if (host === undefined && languageOf(file) !== 'python') return [];
      return [{ file, path: inside.path, text, host, ...readTests(file, text) }];
    }),
  );
  return read.flat();
}

/** Whether what is called above a test is given a name, by the word that is called. */
async function wordsOf(checkout: string, script: { readonly path: string; readonly text: string }) {
  const known = new Map<string, boolean>();
  if (languageOf(script.path) === 'js')
    for (const word of WORDS)
      if (new RegExp(`(?<![\\w$.])${word}\\b`).test(script.text))
        known.set(word, await takesNames(checkout, script, word));
  return (above: string) => known.get(/^\w+/.exec(above)?.[0] ?? '') ?? true;
}

const WORDS = ['it', 'test', 'specify', 'bench', 'xit', 'xtest', 'xspecify', 'fit'];

/**
 * Which tests of Python may have another name: those that pytest collects, unless something else asks for them. What
 * classes take from each other has one name in all of them; '' where any will do, undefined where none will.
 */
function keysOfPython(
  files: readonly ReadFile[],
  among: ReadonlySet<string>,
  isEvery: boolean,
): (file: string, test: TestDeclaration) => string | undefined {
  const read = files.filter(({ file }) => languageOf(file) === 'python');
  const classes = classesOf(read.map(({ source }) => source));
  const keys = new Map<string, string>();
  const kept = new Set<string>();
  for (const { file, text, source, tests, host } of read)
    for (const test of tests) {
      const where = standingOf(source, test);
      const isFixture = FIXTURE.test(source.bare.slice(test.head, test.start));
      const isPlain =
        host !== undefined && among.has(file) && !isFixture && nameOf(file, text, test, isEvery).length > 0;
      const key = isPlain && where !== 'function' ? keyOf(test.name, where, classes) : undefined;
      if (key !== undefined) keys.set(`${test.head} ${file}`, key);
      else if (typeof where !== 'string' && classes.isRelated(where.className)) kept.add(test.name);
    }
  return (file, { head, name }) => {
    const key = keys.get(`${head} ${file}`);
    return key === undefined || (key !== '' && kept.has(key)) || isAskedFor(name, read) ? undefined : key;
  };
}

function keyOf(name: string, where: 'top' | { readonly className: string }, classes: Classes) {
  if (where === 'top') return '';
  const { className } = where;
  if (!classes.isCollected(className)) return undefined;
  if (!classes.isRelated(className)) return '';
  return classes.isKnown(className) ? name : undefined;
}

/** More than a test, by what stands above it: texts ask for it as well. */
const FIXTURE = /^[ \t]*@[\w.]*fixture\b/m;

/** What else asks for something by this name: it is more than a test then. A text that holds it says nothing. */
const isAskedFor = (name: string, files: readonly Pick<TestText, 'source'>[]): boolean => {
  const elsewhere = new RegExp(`(?<!\\bdef[ \\t]+)\\b${literalPattern(name)}\\b`);
  return files.some(({ source }) => elsewhere.test(source.bare));
};

interface Place {
  readonly name: string;
  readonly head: number;
  readonly from: number;
  /** What stands around the new name where that comes before what the test is called, instead of it. */
  readonly opened?: readonly [before: string, behind: string];
}

interface Named extends Place {
  /** The new name. */
  readonly told: string;
}

/** Its name says which snapshot, recording or fixture it has. */
const KEPT_BY_NAME =
  /currentTestName|\.(?:fullTitle|fullName)\b|\b(?:this|test|currentTest|task|t|ctx|context)\.(?:title|name)\b|request\.node|\brequest\b.*\bname\b/;

/** In Python a fixture is compared with; elsewhere one is asked for by a call, and a variable may be called so. */
const SNAPSHOT = /napshot\w*\s*\(/;

/** Where the name of a test stands; none where it is asked for or, unless `isEvery`, put together or given to several. */
function nameOf(file: string, text: string, test: TestDeclaration, isEvery: boolean): readonly Place[] {
  const { name, head, start, code, weight } = test;
  const language = languageOf(file);
  const isKept = KEPT_BY_NAME.test(code) || (language === 'python' ? /napshot/ : SNAPSHOT).test(code);
  if ((weight !== 1 && !isEvery) || isKept) return [];
  const above = text.slice(head, start);
  if (language === 'js') return nameOfScript(text, test, isEvery);
  const found = (language === 'rust' ? /\bfn\s+(?=\w+\s*\()/ : /\bdef[ \t]+(?=test\w*[ \t]*\()/).exec(above);
  // unittest runs the methods of a class in the order of their names.
  const isSorted = language === 'python' && /^[ \t]/.test(above) && /\bTestCase\b/.test(text);
  // What else calls a function of Rust by its name is left alone.
  const isCalled = language === 'rust' && [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
  return found === null || isSorted || isCalled
    ? []
    : [{ name, head, from: head + found.index + found[0].length }];
}

function nameOfScript(
  text: string,
  { name, head, start }: TestDeclaration,
  isEvery: boolean,
): readonly Place[] {
  const isText = !name.startsWith('(');
  const from = isText ? start - 1 - name.length : start;
  const isWhole = isText && text.slice(from, start - 1) === name;
  const isPlain = isWhole && /^\s*,/.test(text.slice(start)) && !/[\\\n]|\$\{/.test(name);
  if (isPlain && !/\.(?:each|for)\b/.test(text.slice(head, start))) return [{ name, head, from }];
  if (!isEvery) return [];
  if (isWhole) return [{ name, head, from, opened: ['', ' '] }];
  const isSimple = !isText && SIMPLE.test(text.slice(start, start + 300));
  return isSimple ? [{ name, head, from, opened: ["'", " ' + "] }] : [];
}

/** A variable, a field or a call, and no function whose name would be the test's. */
const SIMPLE = /^\s*(?!(?:async|function|class)\b)[A-Za-z_$][\w$.[\]]*(?:\([^()]*\))?\s*,/;

const withNames = (text: string, places: readonly Named[]): string =>
  places.reduceRight((whole, { name, from, told, opened }) => {
    const given = opened === undefined ? told : opened.join(told);
    return `${whole.slice(0, from)}${given}${whole.slice(opened === undefined ? from + name.length : from)}`;
  }, text);

/** A report with the names that the tests had before. */
export function withOwnNames(report: Report, renamed: readonly RenamedFile[]): Report {
  const pairs = renamed.flatMap(({ names, before }) =>
    [...names].map(([told, name]) =>
      before.has(told) ? ([`${told} `, ''] as const) : ([told, name] as const),
    ),
  );
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
