import type { Report, TestCase } from '../report.ts';
import { passedIn } from './census.ts';
import { type ChangedTests, changedTests, type Declared } from './changed-tests.ts';
import { type InlineChange, inlineChanges, withFreshTests } from './inline-change.ts';
import type { Suite } from './suite.ts';
import { isExactly, unnumbered } from './test-chain.ts';
import { isNamedAlike, mayUse, wordsOn } from './told-tests.ts';

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
  /** Called as others are, or by a name that is put together: which of them is the new or changed one is not told. */
  readonly twins: readonly TestCase[];
  /** Whether some tests have a name of base more often than base has it. */
  readonly isTwin: (test: TestCase) => boolean;
  /** Those of base, word for word, that use a table, a helper or data which reads differently. */
  readonly perhaps: readonly TestCase[];
}

/** Which of the tests that passed on head ask anew. What a test only loads besides makes no other test of it. */
export async function askingAnew(
  { work, command }: Suite,
  fresh: FreshTests,
  onBase: Report,
  onHead: Report,
): Promise<Asking> {
  const changed = await changedTests(work, fresh.inline, command.format);
  const { declared, around } = changed;
  const tests = passedIn(onHead);
  const isTwin = twinsIn(onBase, onHead);
  const wordOf = wordsOn(changed, onBase.tests, tests);
  const words = new Map(tests.map((test) => [test, wordOf(test, fresh.ids.has(test.id), isTwin(test))]));
  const isPerhaps = (test: TestCase) =>
    mayUse(test, around) || (test.file === undefined && declared.some((one) => mayBe(test, one)));
  return {
    changed,
    own: tests.filter((test) => words.get(test) === 'own'),
    twins: tests.filter((test) => words.get(test) === 'twin'),
    isTwin,
    perhaps: tests.filter((test) => words.get(test) === undefined && isPerhaps(test)),
  };
}

/** Tests of one name are numbered as they come: where there are more than before, each of them may be the new one. */
function twinsIn(onBase: Report, onHead: Report): (test: TestCase) => boolean {
  const [before, now] = [onBase, onHead].map(({ tests }) => {
    const ids = new Set(tests.map(({ id }) => id));
    const counts = new Map<string, number>();
    for (const { id } of tests) counts.set(nameIn(ids, id), (counts.get(nameIn(ids, id)) ?? 0) + 1);
    return { count: (id: string) => counts.get(nameIn(ids, id)) ?? 0 };
  });
  return ({ id }) => {
    const known = Math.max(before?.count(id) ?? 0, before?.count(unnumbered(id)) ?? 0);
    return known > 0 && (now?.count(id) ?? 0) > known;
  };
}

/** A number is one only beside the test that came first: others end with `#12` by their own words. */
const nameIn = (ids: ReadonlySet<string>, id: string): string =>
  ids.has(unnumbered(id)) ? unnumbered(id) : id;

/** As `src/lib.rs - module::name`: an example in the comment of an item. */
function isOfChanged(id: string, changed: ReadonlySet<string>): boolean {
  const file = /^(\S+\.rs) - /.exec(id)?.[1];
  return file !== undefined && [...changed].some((path) => path === file || path.endsWith(`/${file}`));
}

/** What a program calls its tests may be the name of any that stands there. */
const mayBe = (test: TestCase, { path, name, chain }: Declared): boolean =>
  chain.at(-1) === undefined && (isNamedAlike(test.id, name) || isExactly(test, path, chain));
