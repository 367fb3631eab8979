import type { Report, TestCase } from '../report.ts';
import { passedIn } from './census.ts';
import { type ChangedTests, changedTests } from './changed-tests.ts';
import { type InlineChange, inlineChanges, withFreshTests } from './inline-change.ts';
import type { Suite } from './suite.ts';

/** Tests that the work brought or changed, as far as its files and the reports tell. */
export interface FreshTests {
  /** In files or parts of sources that are tests; only in the examples of a documentation that are run; or nowhere. */
  readonly where: 'tests' | 'documentation' | 'nowhere';
  /** Sources with tests of their own, of which some are new or changed. */
  readonly inline: readonly InlineChange[];
  /** Ids that passed on head and that base does not have, but for those of tests that were moved as they were. */
  readonly ids: ReadonlySet<string>;
}

export async function freshTestsOf(suite: Suite, onBase: Report, onHead: Report): Promise<FreshTests> {
  const { work, command } = suite;
  const inline = withFreshTests(await inlineChanges(work));
  const ids = newIds(onBase, onHead);
  const changed = new Set(work.change.files.map(({ path }) => path));
  const inDocuments = ids.filter((id) => command.format === 'cargo' && isOfChanged(id, changed));
  const inTests = work.freshTests.length > 0 || inline.length > 0;
  return {
    where: inTests ? 'tests' : inDocuments.length > 0 ? 'documentation' : 'nowhere',
    inline,
    ids: new Set(inTests ? ids : inDocuments),
  };
}

/** A file that is renamed takes its tests along: they have other ids then, and the names of some that are gone. */
function newIds(onBase: Report, onHead: Report): readonly string[] {
  const [known, there] = [onBase, onHead].map(({ tests }) => new Set(tests.map(({ id }) => id)));
  const gone = new Map<string, number>();
  for (const { id, name } of onBase.tests)
    if (there?.has(id) === false) gone.set(name, (gone.get(name) ?? 0) + 1);
  return passedIn(onHead).flatMap(({ id, name }) => {
    if (known?.has(id)) return [];
    const left = gone.get(name) ?? 0;
    gone.set(name, left - 1);
    return left > 0 ? [] : [id];
  });
}

/** Tests of head that may ask for something which those of base did not. */
export interface Asking {
  /** What in the tests of the work reads differently. */
  readonly changed: ChangedTests;
  /** New ones, and those that read differently now. */
  readonly own: readonly TestCase[];
  /** Called like a test of base, in a report that names no files: which of them is the new one is not told. */
  readonly twins: readonly TestCase[];
  /** Those of base, word for word, that use a table, a helper or data which reads differently. */
  readonly perhaps: readonly TestCase[];
}

/** Which of the tests that passed on head ask anew. What a test only loads besides makes no other test of it. */
export async function askingAnew(
  { work }: Suite,
  fresh: FreshTests,
  onBase: Report,
  onHead: Report,
): Promise<Asking> {
  const changed = await changedTests(work, fresh.inline);
  const { declared, around } = changed;
  const tests = passedIn(onHead);
  const isIn = ({ file }: TestCase, path: string) => file === undefined || file === path;
  const isTwin = twinsIn(onBase, onHead);
  const kept = new Set(passedIn(onBase).map(({ id }) => id));
  // Where neither a file nor a name tells which test is the changed one, what base has is not taken for it.
  const isUntold = (test: TestCase, name: string) =>
    name.startsWith('(') && test.file === undefined && kept.has(test.id);
  const matches = (test: TestCase, { path, name, isUnnamed }: ChangedTests['declared'][number]) =>
    isIn(test, path) && (isUnnamed || (isNamedAlike(test.id, name) && !isUntold(test, name)));
  const told = tests.filter((test) => fresh.ids.has(test.id) || declared.some((one) => matches(test, one)));
  const own = told.filter((test) => !isTwin(test));
  const mayUse = (test: TestCase) =>
    around.some(({ path, isShared }) => isShared || isIn(test, path)) ||
    declared.some(({ path, name }) => isIn(test, path) && isUntold(test, name));
  const perhaps = tests.filter((test) => !told.includes(test) && mayUse(test));
  return { changed, own, twins: told.filter(isTwin), perhaps };
}

/** Reports that name no files number tests of one name as they come. */
function twinsIn(onBase: Report, onHead: Report): (test: TestCase) => boolean {
  const [before, now] = [onBase, onHead].map(({ tests }) => {
    const counts = new Map<string, number>();
    for (const { id } of tests) counts.set(unnumbered(id), (counts.get(unnumbered(id)) ?? 0) + 1);
    return counts;
  });
  return ({ id, file }) => {
    const known = before?.get(unnumbered(id)) ?? 0;
    return file === undefined && known > 0 && (now?.get(unnumbered(id)) ?? 0) > known;
  };
}

const unnumbered = (id: string) => id.replace(/#\d+$/, '');

/** As `src/lib.rs - module::name`: an example in the comment of an item. */
function isOfChanged(id: string, changed: ReadonlySet<string>): boolean {
  const file = /^(\S+\.rs) - /.exec(id)?.[1];
  return file !== undefined && [...changed].some((path) => path === file || path.endsWith(`/${file}`));
}

/** Whether the name of a declared test stands in an id, and not as a part of a longer one. */
export function isNamed(id: string, name: string): boolean {
  const at = id.lastIndexOf(name);
  const isPart = (char: string) => /\w/.test(char);
  return at >= 0 && !isPart(id.charAt(at - 1)) && !isPart(id.charAt(at + name.length));
}

/** What is filled in where a name is made for each row of a table, or in a loop. */
const FILLED = /\$\{[^}]*\}|%[a-zA-Z#]|\$[\w.]+/;

/** The same for names that are put together: all their parts stand in the id. One that is no text may be any. */
function isNamedAlike(id: string, name: string): boolean {
  if (name.startsWith('(')) return true;
  return FILLED.test(name) ? name.split(FILLED).every((part) => id.includes(part)) : isNamed(id, name);
}
