import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ended, isThere, openRuns, processesOf, type Runs } from '../../tests/agents/runs.ts';
import { kill } from './kill.ts';
import { look } from './look.ts';
import { settle } from './settle.ts';

// A folder that several machines have in common: to all but one, the processes of a run are strangers' numbers.
let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(async () => {
  await runs.remove();
});

const rewrite = (path: string, more: object) =>
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...more }));

/** As if another machine had launched it; answers what takes that back. */
function movedAway(run: string): () => void {
  const files = ['run.json', 'watch.json'].map((name) => join(run, name));
  const before = files.map((path) => readFileSync(path, 'utf8'));
  rewrite(join(run, 'run.json'), { host: 'another', boot: 'another' });
  rewrite(join(run, 'watch.json'), { boot: 'another' });
  return () => {
    for (const [n, path] of files.entries()) writeFileSync(path, before[n] ?? '');
  };
}

it('of another machine is never lost, and nobody here settles it', async () => {
  const run = await runs.shell('far', 'echo here; sleep 600');
  const { child } = processesOf(run);
  const back = movedAway(run);
  expect(look(run)).toMatchObject({ state: 'running', elsewhere: true, reason: '' });
  expect(settle(run)).toMatchObject({ state: 'running' });
  expect(isThere(child)).toBe(true);
  back();
  expect(look(run)).toMatchObject({ state: 'running', elsewhere: false });
});

it('of another machine is asked to end, and its own watcher ends it', async () => {
  const run = await runs.shell('asked', 'echo here; sleep 600');
  const back = movedAway(run);
  expect((await kill(run, 'lead', 'it went astray')).state).toBe('running');
  back();
  expect(await ended(run)).toMatchObject({ reason: 'killed', killedBy: 'lead', elsewhere: false });
});
