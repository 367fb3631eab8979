import { isForPeople } from '../diff/documents.ts';
import { entriesOf, isManifest, mappingOf } from '../diff/entries.ts';
import { languageOf } from '../diff/language.ts';
import { folderOf, type Listing, listingOf } from '../diff/listing.ts';
import { mentionedIn } from '../diff/mentions.ts';
import { isProtectedPath } from '../diff/protected.ts';
import { matchesGlob } from '../glob.ts';
import { asMapping } from '../parsers/json.ts';
import { isTestFile } from '../test-files.ts';
import { isCode } from './code-files.ts';
import { inlineChanges } from './inline-change.ts';
import type { Suite } from './suite.ts';

/** How many files may lie between a test and what it is about, and how many are looked at. */
const DEEPEST = 4;
const MOST = 200;

/**
 * The programs that tests are about which are the whole work, nearest first: the sources that they stand in and what they
 * name, also through other files of tests; then what these name, and so on. In each step those come first that declare
 * what the tests call by its name.
 */
export async function subjectsOf({ work, files }: Suite): Promise<readonly (readonly string[])[]> {
  const { change, freshTests } = work;
  const gone = new Set(change.files.flatMap(({ path, status }) => (status === 'deleted' ? [path] : [])));
  const added = change.files.flatMap(({ path, status }) => (status === 'added' ? [path] : []));
  const listing = listingOf([...(await change.base.paths()).filter((path) => !gone.has(path)), ...added]);
  const fresh = new Set(freshTests.map(({ path }) => path));
  const isTest = (path: string) => fresh.has(path) || isTestFile(path, files);
  const texts = new Map<string, string>();
  const read = async (path: string) => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const bytes = fresh.has(path) ? await change.after(path) : (await change.base.read([path])).get(path);
    const text = bytes?.toString('utf8') ?? '';
    texts.set(path, text);
    return text;
  };
  const inside = (await inlineChanges(work)).map(({ path }) => path);
  const own = await namesOfPackages(change.base, listing);
  const named = new Set<string>();
  const seen = new Set([...fresh, ...[...fresh].flatMap((path) => fixturesFor(path, listing))]);
  for (const path of seen) {
    const text = await read(path);
    const found = [
      ...mentionedIn(path, text, listing),
      ...beside(path, listing),
      ...own(text),
      ...(languageOf(path) === 'python' ? modulesIn(text, listing) : []),
    ];
    for (const one of found) (isTest(one) ? seen : named).add(one);
    if (seen.size > MOST) break;
  }
  const words = new Set((await Promise.all([...fresh].map(read))).join('\n').match(/\w+/g) ?? []);
  return steps([...inside, ...named], { read, listing, words, isTest });
}

interface Surroundings {
  readonly listing: Listing;
  /** What stands in the tests. */
  readonly words: ReadonlySet<string>;
  read(path: string): Promise<string>;
  isTest(path: string): boolean;
}

async function steps(first: readonly string[], { read, listing, words, isTest }: Surroundings) {
  const isOwn = (path: string) =>
    isCode({ path, status: 'modified' }) && !isTest(path) && !isProtectedPath(path) && !FOREIGN.test(path);
  const known = new Set(first);
  const found: string[][] = [];
  for (let step = first.filter(isOwn); step.length > 0 && found.length < DEEPEST; ) {
    const told = await Promise.all(step.map(async (path) => ({ path, text: await read(path) })));
    const called = ({ text }: { readonly text: string }) =>
      [...text.matchAll(DECLARED)].filter(([, name = '']) => words.has(name)).length;
    found.push([...told].sort((a, b) => called(b) - called(a)).map(({ path }) => path));
    const next = told.flatMap(({ path, text }) => [...mentionedIn(path, text, listing)]);
    step = [...new Set(next)].filter((path) => isOwn(path) && !known.has(path)).slice(0, MOST);
    for (const path of step) known.add(path);
  }
  return found;
}

const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third_party)\//;
const DECLARED =
  /(?:^|\s)(?:def|class|function\*?|const|let|var|fn|func|struct|interface|type|exports\.)\s*(\w+)/g;

/** What pytest gives to the tests of a folder without being asked. */
function fixturesFor(path: string, { paths }: Listing): readonly string[] {
  if (languageOf(path) !== 'python') return [];
  const found: string[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const place = folder === '' ? 'conftest.py' : `${folder}/conftest.py`;
    if (paths.has(place)) found.push(place);
    if (folder === '') return found;
  }
}

/** Tests of Go stand beside what they are about. */
const beside = (path: string, { paths }: Listing): readonly string[] =>
  path.endsWith('_test.go')
    ? [...paths].filter((other) => other.endsWith('.go') && folderOf(other) === folderOf(path))
    : [];

const QUOTED = /(['"`])((?:(?!\1)[^\n]){1,200})\1/g;
const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(QUOTED)].map(([, , inner = '']) => inner);

/** Modules of Python that are named by a text, as for `python -m`. */
function modulesIn(text: string, { paths }: Listing): readonly string[] {
  const places = quotedIn(text)
    .filter((inner) => /^\w+(?:\.\w+)*$/.test(inner))
    .flatMap((inner) => [`${inner.replaceAll('.', '/')}.py`, `${inner.replaceAll('.', '/')}/__main__.py`]);
  return places.flatMap((place) => [place, `src/${place}`]).filter((place) => paths.has(place));
}

/** What is above, as a folder: the manifest there says what is loaded. */
const FOLDER = /['"](?:\.\.?\/)*\.\.?\/?['"]/;

/**
 * Whether tests name something by a path, a module that is called like something of the project, or a program that it
 * installs: what they are about may be there where it could not be found.
 */
export async function mayNameSubjects({ work, files }: Suite): Promise<boolean> {
  const { base } = work.change;
  const paths = await base.paths();
  const parts = new Set(paths.flatMap((path) => path.split(/[/.]/)));
  const subjects = paths.filter(
    (path) => !(isTestFile(path, files) || isProtectedPath(path) || isForPeople(path)),
  );
  const installed = await programsOf(base, paths);
  for (const { path } of work.freshTests) {
    const text = (await work.change.after(path))?.toString('utf8') ?? '';
    if (/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"][.@~#/]/.test(text)) return true;
    const modules = [...text.matchAll(/^\s*(?:from|import)\s+(\w+)/gm)].map(([, name = '']) => name);
    if (modules.some((name) => parts.has(name))) return true;
    const words = quotedIn(text).flatMap((inner) => inner.split(/[\s;|&()]+/));
    if (words.some((word) => installed.has(word) || isPlaceOf(word, subjects))) return true;
  }
  return false;
}

/** A word that is the whole path of a file, with or without its folders, or of files by a pattern. */
function isPlaceOf(word: string, paths: readonly string[]): boolean {
  const place = word.replace(/^(?:\.{0,2}\/)+/, '');
  if (!/[./]/.test(place)) return false;
  return paths.some((path) => path === place || path.endsWith(`/${place}`) || matchesGlob(path, place));
}

/** Names under which manifests install programs. */
async function programsOf(base: Suite['work']['change']['base'], paths: readonly string[]) {
  const read = await base.read(
    paths.filter((path) => isManifest(path) || /(?:^|\/)pyproject\.toml$/.test(path)),
  );
  const names = new Set<string>();
  for (const [path, bytes] of read) {
    const text = bytes.toString('utf8');
    if (!isManifest(path)) {
      const [, scripts = ''] = /^\[project\.scripts\]\n((?:(?!\[).*\n?)*)/m.exec(text) ?? [];
      for (const [, name = ''] of scripts.matchAll(/^["']?([\w.-]+)["']?\s*=/gm)) names.add(name);
      continue;
    }
    const { bin, name } = mappingOf(text);
    if (typeof bin === 'string' && typeof name === 'string') names.add(name.replace(/^@[^/]*\//, ''));
    for (const key of Object.keys(asMapping(bin) ?? {})) names.add(key);
  }
  return names;
}

/** A test may load its own package by name. */
async function namesOfPackages(base: Suite['work']['change']['base'], listing: Listing) {
  const manifests = [...listing.paths].filter(isManifest);
  const names = new Set<string>();
  for (const bytes of (await base.read(manifests)).values()) {
    const { name } = mappingOf(bytes.toString('utf8'));
    if (typeof name === 'string' && name !== '') names.add(name);
  }
  const crates = [...listing.paths].filter((path) => /(?:^|\/)src\/lib\.rs$/.test(path));
  const { files } = await entriesOf(base, listing);
  const isNamed = (text: string) =>
    [...names].some((name) => text.includes(`'${name}`) || text.includes(`"${name}`));
  return (text: string): readonly string[] => [
    ...(isNamed(text) || FOLDER.test(text) ? files : []),
    ...(/^\s*use\s+\w+::/m.test(text) ? crates : []),
  ];
}
