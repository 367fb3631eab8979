import type { Report } from '../report.ts';
import { type BaseRun, baseRun } from './base-run.ts';
import { restoredRun, restoredTests } from './base-tests.ts';
import { type InlineChange, inlineChanges, withFreshTests } from './inline-change.ts';
import { onBaseSource } from './red-on-base.ts';
import { type Control, comparesWithBase, type Problem, type Suite } from './suite.ts';

/** Runs that the controls will ask for unless the first ones settle the matter; each made once. */
export interface Ahead {
  /** The base as it is. */
  base(): Promise<BaseRun | Problem>;
  /** Base's tests on the work. */
  readonly restored: Promise<Report | Problem> | undefined;
  /** The work's tests on base's source. */
  readonly red: Promise<Report | Problem> | undefined;
  /** Ends those that nobody needs any more. */
  end(): Promise<void>;
}

/** Starts them behind the runs that wait in line already. `known`: base's run, where an earlier one is remembered. */
export async function startAhead(
  given: Suite,
  held: ReadonlySet<Control>,
  known: BaseRun | undefined,
): Promise<Ahead> {
  const over = new AbortController();
  const { signal } = given.context;
  const signals = signal === undefined ? [over.signal] : [signal, over.signal];
  const suite: Suite = { ...given, context: { ...given.context, signal: AbortSignal.any(signals) } };
  let base: Promise<BaseRun | Problem> | undefined;
  const baseOnce = () => {
    base ??= watched(known === undefined ? baseRun(suite) : Promise.resolve(known));
    return base;
  };
  if (comparesWithBase(held)) void baseOnce();
  const inline = held.has('red-on-base') ? await freshInline(suite) : undefined;
  const tests = held.has('base-tests') ? await restoredTests(suite) : undefined;
  const red = inline && watched(onBaseSource(suite, inline, true));
  const restored = tests && watched(restoredRun(suite, tests));
  return {
    base: baseOnce,
    red,
    restored,
    async end() {
      over.abort();
      await Promise.allSettled([base, red, restored]);
    },
  };
}

/** What new and changed tests stand inside of sources; undefined where none are held to being red on base. */
async function freshInline({ work, context }: Suite): Promise<readonly InlineChange[] | undefined> {
  const inline = withFreshTests(await inlineChanges(work));
  return context.item.kind === 'tests' || work.freshTests.length + inline.length === 0 ? undefined : inline;
}

/** One that fails before anybody asks for it is no accident of the whole program. */
export function watched<T>(run: Promise<T>): Promise<T> {
  run.catch(() => {});
  return run;
}
