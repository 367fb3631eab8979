import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report, TestCase } from '../report.ts';
import { failedIn, named, passedIn } from './census.ts';
import { withDecoy } from './decoy.ts';
import { type InlineChange, onBaseProgram } from './inline-change.ts';
import { against, isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';
import { bringStructure, bringTests, plantDecoys, type Work } from './work.ts';

/** Tests that fail without the work and pass with it. */
export interface RedGreen {
  /** Failed on base by a result of their own. */
  readonly failed: readonly string[];
  /** Did not come to a result on base: their file could not be loaded there. */
  readonly absent: readonly string[];
}

/**
 * Runs head's tests on base's source, which carries head's text as comments: what goes red there misses the behaviour
 * and not the words. A problem when nothing does. `first` is that run where it was started before.
 */
export async function redOnBase(
  suite: Suite,
  inline: readonly InlineChange[],
  onHead: Report,
  first: Promise<Report | Problem> = onBaseSource(suite, inline, true),
): Promise<RedGreen | Problem> {
  const run = await first;
  if (isProblem(run)) return run;
  const found = compared(onHead, run);
  if (found.failed.length + found.absent.length > 0) return found;
  // Nothing went red. Whether the words of the source were all that the tests asked for tells the plain base.
  const plain = await onBaseSource(suite, inline, false);
  if (isProblem(plain)) return plain;
  const byText = compared(onHead, plain).failed;
  return byText.length > 0
    ? against(
        'reads-source',
        `the new tests go by the text of the source, not by what it does: ${JSON.stringify(byText[0])}`,
      )
    : against(
        'no-red-on-base',
        `every new or changed test passes without the change as well: none of them shows it${strayIn(suite.work)}`,
      );
}

function strayIn({ strayData }: Work): string {
  if (strayData.length === 0) return '';
  const names = named(strayData.map(({ path }) => path));
  return strayData.length === 1
    ? `; ${names} counts as theirs, since no program of the product names it: where one loads it, let it name the file or its folder`
    : `; ${names} count as theirs, since no program of the product names them: where one loads any, let it name the file or its folder`;
}

/** The same for work that brings no test: one of base's own that failed there and passes now. */
export function repaired(onBase: Report, onHead: Report): RedGreen | Problem {
  const passed = new Set(passedIn(onHead).map(({ id }) => id));
  const failed = failedIn(onBase).flatMap(({ id }) => (passed.has(id) ? [id] : []));
  if (failed.length > 0) return { failed, absent: [] };
  return against(
    'no-new-test',
    'no test is new or changed, and none that failed before passes now: nothing shows the change',
  );
}

/** Tests that pass where the files of the work are, which `given` tells, count as those that could not be loaded. */
export function withoutMissed({ failed, absent }: RedGreen, given: Report): RedGreen {
  const passed = new Set(passedIn(given).map(({ id }) => id));
  return {
    failed: failed.filter((id) => !passed.has(id)),
    absent: [...absent, ...failed.filter((id) => passed.has(id))],
  };
}

/**
 * Head's tests on base's source, with head's text as comments and code that is never reached, or without. `structure`:
 * also with head's new files, and without those that are gone.
 */
export async function onBaseSource(
  suite: Suite,
  inline: readonly InlineChange[],
  decoys: boolean,
  structure = false,
): Promise<Report | Problem> {
  const { work } = suite;
  const run = await runInTree(suite, 'base', async (checkout) => {
    if (structure) await bringStructure(checkout, work);
    if (decoys) await plantDecoys(checkout, work, 'base', 'code', structure);
    await bringTests(checkout, work);
    for (const source of inline) await bringInline(checkout, source, decoys);
  });
  if (!isProblem(run)) return reportOf(run);
  return run.unbuilt === true ? NOTHING : run;
}

/** What cannot be built there cannot be loaded there: no test came to a result. */
const NOTHING: Report = { tests: [], complete: false };

/** A source of which base has no version is not there at all. */
async function bringInline(checkout: string, source: InlineChange, decoy: boolean): Promise<void> {
  if (source.before === '') return;
  const mixed = Buffer.from(onBaseProgram(source));
  const told = decoy ? withDecoy(source.path, mixed, Buffer.from(source.after)) : undefined;
  await writeFile(join(checkout, source.path), told ?? mixed);
}

/** Which tests that pass on head fail on base, and which do not come to a result there. */
export function compared(onHead: Report, onBase: Report): RedGreen {
  const outcomes = new Map(
    onBase.tests.map(({ id, outcome }): [string, TestCase['outcome']] => [id, outcome]),
  );
  const ids = passedIn(onHead).map(({ id }) => id);
  return {
    failed: ids.filter((id) => outcomes.get(id) === 'failed'),
    absent: ids.filter((id) => !outcomes.has(id)),
  };
}
