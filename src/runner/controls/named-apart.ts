import { createHmac } from 'node:crypto';
import type { TestCase } from '../report.ts';
import { testFiles } from './canary-run.ts';
import type { ChangedTests } from './changed-tests.ts';
import type { Random } from './neutral-name.ts';
import { type RenamedFile, renameTests, withOwnNames } from './renamed-tests.ts';
import { isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';

/** A suite in whose trees the tests of the work have names of their own. */
export interface Apart {
  readonly suite: Suite;
  /** New and changed tests that pass there, by the ids that they have there and the names that they had before. */
  readonly witnesses: readonly TestCase[];
}

/**
 * Tells new tests from those of base that are called the same, where reports name no files. Tests that keep their names
 * in spite of that are no witnesses.
 */
export async function namedApart(suite: Suite, { declared }: ChangedTests): Promise<Apart | Problem> {
  const { context, command, work } = suite;
  const fresh = new Set(work.freshTests.map(({ path }) => path));
  let renamed: readonly RenamedFile[] = [];
  const trees = {
    ...context.trees,
    fresh: (side: 'head' | 'base', edit: (checkout: string) => Promise<void>) =>
      context.trees.fresh(side, async (checkout) => {
        await edit(checkout);
        const all = [...new Set([...(await testFiles(checkout, suite.files)), ...fresh])];
        // The same names in each tree, which nobody knows before.
        renamed = await renameTests(checkout, all, command.format, seriesOf(context.secret), {
          among: fresh,
          isEvery: true,
        });
      }),
  };
  const apart: Suite = { ...suite, context: { ...context, trees } };
  const run = await runInTree(apart, 'head', async () => {});
  if (isProblem(run)) return run;
  const isChanged = (file: string, at: number) =>
    declared.some(({ path, head }) => path === file && head === at);
  // What several declarations have may be the name of one that was there.
  const kept = new Set(
    renamed.flatMap(({ file, heads }) =>
      [...heads].flatMap(([name, list]) => (list.every((at) => isChanged(file, at)) ? [] : name)),
    ),
  );
  const names = renamed.flatMap((file) => [...file.names.keys()]);
  const report = reportOf(run);
  const told = withOwnNames(report, renamed).tests;
  return {
    suite: apart,
    witnesses: report.tests.flatMap((test, n) => {
      const own = innermost(test.id, names);
      return test.outcome === 'passed' && own !== undefined && !kept.has(own)
        ? [{ ...test, name: told[n]?.name ?? test.name }]
        : [];
    }),
  };
}

/** A test that stands in another one has the names of both. */
const innermost = (id: string, names: readonly string[]): string | undefined =>
  names
    .map((name) => ({ name, at: id.lastIndexOf(name) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at)[0]?.name;

/** Bytes that follow from a secret, always the same ones in the same order. */
function seriesOf(secret: string): Random {
  let n = 0;
  return (bytes) => {
    n += 1;
    return createHmac('sha256', secret).update(`names ${n}`).digest().subarray(0, bytes);
  };
}
