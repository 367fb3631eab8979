import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ended, openRuns, processesOf, type Runs, until } from '../../tests/agents/runs.ts';
import { look } from './look.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

const lines = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);

/** Waits until nothing more can be reported. */
async function reported(run: string): Promise<readonly string[]> {
  const { watcher } = processesOf(run);
  await ended(run);
  await until('the end of the watcher', () => !existsSync(`/proc/${watcher}`));
  return lines(join(run, 'report.log'));
}

it('reports once, in its own folder, after the end is on record, without the mark and secrets of the run', async () => {
  const told = join(runs.folder, 'told');
  mkdirSync(told);
  const script = 'test -s ../r/end.json && pwd; echo "[$COUNTERSIGN_RUN][$TOKEN]"';
  const run = await runs.shell('r', 'true', {
    report: ['sh', '-c', script],
    reportCwd: told,
    env: { TOKEN: 'hush' },
  });
  expect(await reported(run)).toEqual([told, '[][]']);
});

it('reports once more when that fails, and not a third time', async () => {
  const run = await runs.shell('r', 'true', { report: ['sh', '-c', 'echo asked; exit 1'] });
  expect(await reported(run)).toEqual(['asked', 'asked']);
});

it('is not troubled by a report that cannot be started', async () => {
  const run = await runs.shell('r', 'true', { report: ['no-such-program'] });
  expect(await reported(run)).toHaveLength(2);
  expect(look(run)).toMatchObject({ state: 'ended', reason: 'exited', exitCode: 0 });
});

it('reports a run that could not be started', async () => {
  await runs.start(runs.spec('r', ['no-such-program'], { report: ['echo', 'heard'] }));
  await until('the report', () => lines(join(runs.folder, 'r/report.log'))[0] === 'heard');
});
