import type { Report } from '../report.ts';
import { type BaseRun, baseRun } from './base-run.ts';
import { restoredRun, restoredTests } from './base-tests.ts';
import { type InlineChange, inlineChanges, withFreshTests } from './inline-change.ts';
import { onBaseSource } from './red-on-base.ts';
import { type Control, comparesWithBase, type Problem, type Suite } from './suite.ts';
import { hasStructure } from './work.ts';

/** Runs that the controls will ask for unless the first ones settle the matter; each made once. */
export interface Ahead {
  /** The base as it is. */
  base(): Promise<BaseRun | Problem>;
  /** Base's tests on the work. */
  readonly restored: Promise<Report | Problem> | undefined;
  /** The work's tests on base's source, with the work's other new files where it has any. */
  readonly red: Promise<Report | Problem> | undefined;
}

/**
 * Starts them behind the runs that wait in line already; each is told to `started`. `known`: base's run, where an
 * earlier one is remembered.
 */
export async function startAhead(
  suite: Suite,
  held: ReadonlySet<Control>,
  known: BaseRun | undefined,
  started: <T>(run: Promise<T>) => Promise<T>,
): Promise<Ahead> {
  let base: Promise<BaseRun | Problem> | undefined;
  const baseOnce = () => {
    base ??= started(known === undefined ? baseRun(suite) : Promise.resolve(known));
    return base;
  };
  if (comparesWithBase(held)) void baseOnce();
  const inline = held.has('red-on-base') ? await freshInline(suite) : undefined;
  const tests = held.has('base-tests') ? await restoredTests(suite) : undefined;
  return {
    base: baseOnce,
    red: inline && started(onBaseSource(suite, inline, true, hasStructure(suite.work))),
    restored: tests && started(restoredRun(suite, tests)),
  };
}

/** What new and changed tests stand inside of sources; undefined where none are held to being red on base. */
async function freshInline({ work, context }: Suite): Promise<readonly InlineChange[] | undefined> {
  const inline = withFreshTests(await inlineChanges(work));
  return context.item.kind === 'tests' || work.freshTests.length + inline.length === 0 ? undefined : inline;
}
