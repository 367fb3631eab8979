import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agents } from '../../src/agents-port.ts';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';
import { openRuns, type Runs } from './runs.ts';

let runs: Runs;
let repo: Scratch;
const path = process.env.PATH;
beforeEach(() => {
  runs = openRuns();
  repo = scratch({ name: 'repo' });
  // Whoever has the real one gets this one all the same.
  const bin = join(runs.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  process.env.PATH = `${bin}${delimiter}${path}`;
});
afterEach(async () => {
  process.env.PATH = path;
  await runs.remove();
  repo.remove();
});

it('a builder in a linked tree is started so that it can commit there, a reviewer so that it writes nothing', async () => {
  repo.commit({ 'a.txt': 'a\n' });
  const port = agents({ state: runs.folder, store: 'a-store', main: repo.top });
  const codex = { adapter: 'codex', model: '', command: [], extra: [], turns: 0, minutes: 1, megabytes: 1 };
  const asked = async (run: string, readOnly: boolean) => {
    const cwd = join(repo.root, run);
    repo.git('worktree', 'add', '-q', '--detach', cwd, 'HEAD');
    const agent = { ...codex, cost: 0, runs_on: [] };
    await port.start({ run, agent, cwd, prompt: 'Build it', readOnly });
    await port.kill(run, 'the test', 'it has been seen');
    return readFileSync(join(runs.folder, 'runs/a-store', run, 'run.json'), 'utf8');
  };
  const builder = await asked('agent-1', false);
  expect(builder).toContain('sandbox_workspace_write.writable_roots=');
  expect(builder).toContain('/.git/worktrees/agent-1');
  expect(await asked('reviewer-1', true)).not.toContain('writable_roots');
});
