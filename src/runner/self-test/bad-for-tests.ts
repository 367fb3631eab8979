import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CoverageCheck } from '../checks/coverage.ts';
import type { MutationCheck } from '../checks/mutation.ts';
import { isCode } from '../controls/code-files.ts';
import { linesOf } from '../diff/line-diff.ts';
import { testPatterns } from '../test-files.ts';
import { type KnownBad, plain, putFile } from './bad-work.ts';
import { addIdleCode, type Scope, sourcesOf } from './idle-code.ts';
import { idleReport } from './idle-report.ts';

const IDLE = 'a function that no test runs';
// More would keep the test program busy for its own sake.
const MOST_LINES = 50_000;

/**
 * For coverage: the programs measure code that nothing runs, else a report says that nothing ran. One that passes the
 * first does not go by what is measured.
 */
export function uncovered(check: CoverageCheck): readonly KnownBad[] {
  const scope: Scope = { in: check.in, tests: check.files };
  const measured: KnownBad = {
    ...plain,
    what: IDLE,
    withCommands: true,
    decides: true,
    // Without a report there are no figures: it did not come so far.
    tells: ({ outcome, notes }) => outcome === 'pass' || notes.length > 0,
    async edit(checkout) {
      const sources = await sourcesOf(checkout, scope);
      const lines = await linesToAdd(checkout, check.lines ?? 0);
      if (lines > MOST_LINES) return undefined;
      const change = addIdleCode(checkout, sources, Math.ceil(lines / Math.max(1, sources.length)));
      return change.length > 0 ? change : undefined;
    },
  };
  return [measured, nothingRan(check, scope)];
}

const nothingRan = ({ path, format, changedLines }: CoverageCheck, scope: Scope): KnownBad => ({
  ...plain,
  setup: 'none',
  what: `a report that says that no line ran`,
  async edit(checkout) {
    const [source] = await sourcesOf(checkout, scope);
    if (source === undefined && changedLines !== undefined) return undefined;
    const after = source === undefined ? '' : readFileSync(join(checkout, source), 'utf8');
    const report = idleReport(format, source ?? 'main', Math.max(1, linesOf(after).length));
    if (!(await putFile(checkout, path, report))) return undefined;
    return source === undefined ? [] : [{ path: source, before: '', after }];
  },
});

/** As many as bring the part of the lines that ran below the percentage, even if all lines that are there ran. */
async function linesToAdd(checkout: string, percent: number): Promise<number> {
  if (percent === 0) return 0;
  const code = await sourcesOf(checkout, { in: [], tests: [] });
  const there = code.reduce(
    (sum, path) => sum + linesOf(readFileSync(join(checkout, path), 'utf8')).length,
    0,
  );
  return Math.ceil((2 * there * (100 - percent)) / percent) + 10;
}

/** For mutants: code whose loss no test notices. */
export const unnoticed = ({ target }: MutationCheck): KnownBad => ({
  ...plain,
  what: IDLE,
  tells: ({ outcome }) => outcome !== 'indeterminate',
  async edit(checkout) {
    const sources = await sourcesOf(checkout, { in: [], tests: target?.files ?? testPatterns });
    for (const path of sources.filter((one) => isCode({ path: one, status: 'modified' }))) {
      const change = addIdleCode(checkout, [path], 0);
      if (change.length > 0) return change;
    }
    return undefined;
  },
});
