import type { BaseFiles } from '../change.ts';
import { isForPeople } from '../diff/documents.ts';
import { entriesOf, isManifest, mappingOf } from '../diff/entries.ts';
import { languageOf } from '../diff/language.ts';
import { fileAt, folderOf, isProgram, joined, type Listing, listingOf } from '../diff/listing.ts';
import { mentionedIn } from '../diff/mentions.ts';
import { isProtectedPath } from '../diff/protected.ts';
import { readSource } from '../diff/source.ts';
import { matchesGlob } from '../glob.ts';
import { asMapping } from '../parsers/json.ts';
import { isTestFile } from '../test-files.ts';
import { isCode } from './code-files.ts';
import { inlineChanges } from './inline-change.ts';
import { commandsIn, holdsCommands, placesIn } from './named-places.ts';
import type { Suite } from './suite.ts';

/** How many files may lie between a test and what it is about, and how many are looked at. */
const DEEPEST = 4;
const MOST = 200;

/**
 * The programs that tests are about which are the whole work, nearest first: the sources that they stand in and what they
 * name, also through other files of tests, folders, and commands of manifests and Makefiles; then what these name, and so
 * on. In each step those come first that declare what the tests call by its name.
 */
export async function subjectsOf(suite: Suite): Promise<readonly (readonly string[])[]> {
  const { code, surroundings } = await namedByTests(suite);
  return steps(code, surroundings);
}

/** What the tests name, themselves and through other files of tests. */
export async function namedByTests(suite: Suite) {
  const { work } = suite;
  const surroundings = await surroundingsOf(suite);
  const { listing, read, isTest, fresh } = surroundings;
  const inside = (await inlineChanges(work)).map(({ path }) => path);
  const own = await namesOfPackages(work.change.base, listing);
  const holders = await textsOf(work.change.base, [...listing.paths].filter(holdsCommands));
  const fixtures = [...fresh].flatMap((path) => fixturesFor(path, listing));
  const [all, code, beside] = [new Set([...fresh, ...fixtures]), new Set<string>(), new Set<string>()];
  const take = (path: string, isRun: boolean) => {
    if (isTest(path) || isScript(path)) all.add(path);
    if (isTest(path)) return;
    if (isCode({ path, status: 'modified' })) code.add(path);
    else if (isRun || !isAside(path)) beside.add(path);
  };
  for (const path of all) {
    const text = uncommented(path, await read(path));
    const found = foundIn(path, text, listing, own);
    // What a script of the project names is not what the tests name.
    for (const one of isTest(path) ? found : found.filter(isProgram)) take(one, false);
    for (const one of isTest(path) ? runIn(path, text, listing, holders) : []) take(one, true);
    if (all.size > MOST) break;
  }
  return {
    code: [...inside, ...code],
    beside: [...beside].filter((path) => !FOREIGN.test(path)),
    surroundings,
  };
}

/** What is for people or tools: who reads it learns nothing of a program, unless a command is run by it. */
const isAside = (path: string): boolean => isForPeople(path) || isManifest(path) || isProtectedPath(path);

/** Where the commands stand that a test runs by their names, and what they name. */
const runIn = (path: string, text: string, listing: Listing, holders: ReadonlyMap<string, string>) =>
  commandsIn(path, text, holders).flatMap(({ from, text: command }) => [
    from,
    ...mentionedIn(besides(from), command, listing),
  ]);

/** A place from which a command of a manifest or a Makefile names what it names. */
const besides = (from: string) => `${folderOf(from)}/commands.sh`.replace(/^\//, '');

const isScript = (path: string) => languageOf(path) === 'shell' && isProgram(path);

const textsOf = async (base: BaseFiles, paths: readonly string[]) =>
  new Map([...(await base.read(paths))].map(([path, bytes]) => [path, bytes.toString('utf8')]));

const foundIn = (
  path: string,
  text: string,
  listing: Listing,
  own: (text: string) => readonly string[],
): readonly string[] => [
  ...placesIn(path, text, listing),
  ...mentionedIn(path, text, listing),
  ...beside(path, listing),
  ...own(text),
  ...(languageOf(path) === 'python' ? modulesIn(text, listing) : byShortNames(path, text, listing)),
];

async function surroundingsOf({ work, files }: Suite): Promise<Surroundings> {
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
  const words = new Set((await Promise.all([...fresh].map(read))).join('\n').match(/\w+/g) ?? []);
  return { listing, words, fresh, read, isTest };
}

interface Surroundings {
  readonly listing: Listing;
  /** What stands in the tests. */
  readonly words: ReadonlySet<string>;
  /** The tests themselves, by their paths. */
  readonly fresh: ReadonlySet<string>;
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

const loadedIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"\n]+)['"]/g)].map(
    ([, name = '']) => name,
  );

/** Modules by short names that settings give to folders, as `$lib/users`, `components/button` or `app/models/user`. */
function byShortNames(path: string, text: string, { paths }: Listing): readonly string[] {
  if (languageOf(path) !== 'js') return [];
  const ends = loadedIn(text).flatMap((name) => {
    const whole = name.replace(/^[@~#$]\/?/, '').replace(/\.[cm]?[jt]sx?$/, '');
    if (/^[./]|:/.test(whole)) return [];
    return [whole, whole.slice(whole.indexOf('/') + 1)].filter((end) => end.includes('/'));
  });
  if (ends.length === 0) return [];
  return [...paths].filter((one) => {
    const stem = `/${one.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '')}`;
    return languageOf(one) === 'js' && ends.some((end) => stem.endsWith(`/${end}`));
  });
}

/** Tests of Go stand beside what they are about. */
const beside = (path: string, { paths }: Listing): readonly string[] =>
  path.endsWith('_test.go')
    ? [...paths].filter((other) => other.endsWith('.go') && folderOf(other) === folderOf(path))
    : [];

const QUOTED = /(['"`])((?:(?!\1)[^\n]){1,200})\1/g;
const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(QUOTED)].map(([, , inner = '']) => inner);

/** Modules of Python that are named by a text, as for `python -m`; the project may lie in a folder of its own. */
function modulesIn(text: string, { paths }: Listing): readonly string[] {
  const said = [...quotedIn(text), ...[...text.matchAll(/\s-m\s+([\w.]+)/g)].map(([, name = '']) => name)];
  const names = said.filter((inner) => /^[A-Za-z_]\w*(?:\.\w+)*$/.test(inner));
  const places = new Set(
    names.flatMap((name) => [`${name.replaceAll('.', '/')}.py`, `${name.replaceAll('.', '/')}/__main__.py`]),
  );
  const isMeant = (path: string) => {
    for (let at = 0; at >= 0; at = path.indexOf('/', at) + 1 || -1)
      if (places.has(path.slice(at))) return true;
    return false;
  };
  return [...paths].filter((path) => path.endsWith('.py') && isMeant(path));
}

/** What is above, loaded as a folder: the manifest there says what that is. */
const FOLDER =
  /\b(?:from|import|require)\s*\(?\s*[^'"\n;]{0,120}['"](?:\.\.?\/)*\.\.?\/?['"](?!\s*,\s*[\w'"`])|\b(?:require|import)\s*\(\s*[\w$]+\s*\)/;

/** Without comments, where those say nothing to a program. */
const uncommented = (path: string, text: string): string =>
  ['js', 'python'].includes(languageOf(path)) ? readSource(text, languageOf(path)).code : text;

/**
 * Whether tests name something by a path, a module that is called like something of the project, or a program that it
 * installs: what they are about may be there where it could not be found.
 */
export async function mayNameSubjects({ work, files }: Suite): Promise<boolean> {
  const { base } = work.change;
  const paths = await base.paths();
  const subjects = paths.filter((path) => !(isTestFile(path, files) || isAside(path)));
  // A module is called like a folder or a program: one of a library may well be called like data, or the ending of it.
  const modules = new Set(
    subjects.filter(isProgram).flatMap((path) => path.replace(/\.\w+$/, '').split('/')),
  );
  const added = new Set(work.freshTests.flatMap(({ path, status }) => (status === 'added' ? path : [])));
  const [listing, known] = [listingOf([...paths, ...added]), new Set(subjects)];
  const installed = await programsOf(base, paths);
  for (const { path } of work.freshTests) {
    const text = uncommented(path, (await work.change.after(path))?.toString('utf8') ?? '');
    // What stands beside it and is new as well, such as a helper, is asked itself.
    const isOwn = (name: string) => {
      const place = fileAt(joined(folderOf(path), name), listing);
      return place !== undefined && (added.has(place) || isAside(place));
    };
    if (loadedIn(text).some((name) => /^[.@~#/]/.test(name) && !(name.startsWith('.') && isOwn(name))))
      return true;
    if (byShortNames(path, text, listing).some((place) => known.has(place))) return true;
    if (importedIn(text).some((name) => modules.has(name))) return true;
    if (placesIn(path, text, listing).some((place) => known.has(place))) return true;
    const words = quotedIn(text).flatMap((inner) => inner.split(/[\s;|&()]+/));
    if (words.some((word) => installed.has(word) || isPlaceOf(word, subjects))) return true;
  }
  return false;
}

const importedIn = (text: string): readonly string[] =>
  [...text.matchAll(/^\s*(?:from|import)\s+(\w+)/gm)].map(([, name = '']) => name);

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
