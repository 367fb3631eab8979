import { readTests } from '../diff/read-tests.ts';
import type { Report, TestCase } from '../report.ts';
import { passedIn } from './census.ts';
import { type InlineChange, inlineChanges, withFreshTests } from './inline-change.ts';
import type { Suite } from './suite.ts';
import type { Work } from './work.ts';

/** Tests that the work brought or changed, as far as its files and the reports tell. */
export interface FreshTests {
  /** In files or parts of sources that are tests; only in the examples of a documentation that are run; or nowhere. */
  readonly where: 'tests' | 'documentation' | 'nowhere';
  /** Sources with tests of their own, of which some are new or changed. */
  readonly inline: readonly InlineChange[];
  /** Ids that passed on head and that base does not have. */
  readonly ids: ReadonlySet<string>;
  /** Paths of new and changed test files. */
  readonly files: ReadonlySet<string>;
}

export async function freshTestsOf(suite: Suite, onBase: Report, onHead: Report): Promise<FreshTests> {
  const { work, command } = suite;
  const inline = withFreshTests(await inlineChanges(work));
  const known = new Set(onBase.tests.map(({ id }) => id));
  const ids = passedIn(onHead).flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const changed = new Set(work.change.files.map(({ path }) => path));
  const inDocuments = ids.filter((id) => command.format === 'cargo' && isOfChanged(id, changed));
  const inTests = work.freshTests.length > 0 || inline.length > 0;
  return {
    where: inTests ? 'tests' : inDocuments.length > 0 ? 'documentation' : 'nowhere',
    inline,
    ids: new Set(inTests ? ids : inDocuments),
    files: new Set(work.freshTests.map(({ path }) => path)),
  };
}

/** A test of a file that the work touched; where reports name no files, one that base does not have. */
export const isFresh = ({ files, ids }: FreshTests, { id, file }: TestCase): boolean =>
  file === undefined ? ids.has(id) : files.has(file);

/**
 * The same, and besides a test of base that reads differently now. Where no declared test does, such as when only a
 * table or a helper changed, it may be any.
 */
export async function thoseThatMayBeFresh(
  { work }: Suite,
  fresh: FreshTests,
  tests: readonly TestCase[],
): Promise<readonly TestCase[]> {
  const names = await changedNames(work, fresh.inline);
  const mayBeAny = names.length === 0 && fresh.where === 'tests';
  return tests.filter(
    (test) =>
      test.file !== undefined ||
      isFresh(fresh, test) ||
      mayBeAny ||
      names.some((name) => isNamed(test.id, name)),
  );
}

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

/** Names of declared tests that are new or read differently. */
async function changedNames(work: Work, inline: readonly InlineChange[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { path } of work.freshTests) {
    const [before, after] = [await work.change.before(path), await work.change.after(path)];
    names.push(...namesIn(path, before?.toString('utf8') ?? '', after?.toString('utf8') ?? ''));
  }
  for (const { path, before, after } of inline) names.push(...namesIn(path, before, after));
  return names;
}

function namesIn(path: string, before: string, after: string): readonly string[] {
  const known = new Map(readTests(path, before).tests.map(({ name, code }) => [name, code]));
  return readTests(path, after).tests.flatMap(({ name, code }) => (known.get(name) === code ? [] : [name]));
}
