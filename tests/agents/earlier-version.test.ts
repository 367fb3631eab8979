import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { look } from '../../src/agents/look.ts';
import { agents } from '../../src/agents-port.ts';
import { isThere, openRuns, processesOf, type Runs } from './runs.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(async () => {
  await runs.remove();
});

it('what an earlier version began beside the folders of stores is ended with the run that counts as lost', async () => {
  const folder = join(runs.folder, 'runs/agent-1');
  await runs.shell('agent-1', 'echo here; sleep 600', { folder });
  const { child } = processesOf(folder);
  const port = agents({ state: runs.folder, store: 'a-store', main: runs.folder });
  expect((await port.look('agent-1')).state).toBe('lost');
  expect((await port.settle('agent-1')).state).toBe('ended');
  expect(look(folder)).toMatchObject({ state: 'ended', reason: 'killed' });
  expect(isThere(child)).toBe(false);
});
