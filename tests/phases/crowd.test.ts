import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../thoroughness.ts';
import { runsFolder } from './beside.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

const CROWD = runs(9, 40);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ config: CONFIG('auto_submit: false') });
});
afterAll(() => stage.close());

interface Processes {
  readonly watcher: { readonly pid: number };
  readonly child: { readonly pid: number };
}

const folderOf = (run: string) => join(runsFolder(stage), run);
const processesOf = (run: string): Processes =>
  JSON.parse(readFileSync(join(folderOf(run), 'watch.json'), 'utf8')) as Processes;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function isRunning(run: string): boolean {
  if (!existsSync(join(folderOf(run), 'watch.json'))) return false;
  const { watcher, child } = processesOf(run) as Partial<Processes>;
  return [watcher, child].every((one) => one !== undefined && isAlive(one.pid));
}

describe(`${CROWD} builders of one phase at once`, () => {
  it('every run comes to a recorded outcome, and leaves neither a process nor a working tree of clean work', async () => {
    const [phase = ''] = await stage.plan('A');
    const agents = await Promise.all(Array.from({ length: CROWD }, () => stage.deploy(phase)));
    expect(new Set(agents).size).toBe(CROWD);
    // Whoever comes by starts what waits, so a call may be answered while another one is still at it.
    await expect.poll(() => agents.filter((agent) => !isRunning(agent)), { interval: 200 }).toEqual([]);
    const pids = agents.map(processesOf);

    const third = (n: number) => agents.filter((_, at) => at % 3 === n);
    const [struck, hanging, working] = [third(0), third(1), third(2)];
    const says = async (agent: string) => {
      const { code, out, err } = await stage.completes(agent, { [`${agent}.txt`]: agent });
      expect(`${code}${code === 0 ? '' : `${out}${err}`}`).toBe('0');
      // An agent leaves after its last word.
      process.kill(processesOf(agent).child.pid, 'SIGTERM');
    };
    await Promise.all([
      ...working.map(says),
      ...hanging.map((agent) => stage.must(LEAD, 'agent', 'kill', agent, '--reason', 'it hangs')),
      ...struck.map(async (agent) => {
        const { watcher, child } = processesOf(agent);
        for (const { pid } of [watcher, child]) process.kill(pid, 'SIGKILL');
      }),
    ]);
    // Nothing else is done: whoever comes by settles the rest.
    await expect
      .poll(
        async () => {
          await stage.must('', 'tick');
          return agents.filter((agent) => !existsSync(join(folderOf(agent), 'end.json')));
        },
        { interval: 500 },
      )
      .toEqual([]);
    await stage.must('', 'tick');

    const { agents: lines, guidance } = await stage.status(phase);
    const outcomes = Object.fromEntries(lines.map(({ agent_id, status }) => [agent_id, status]));
    expect(outcomes).toEqual({
      ...Object.fromEntries(struck.map((agent) => [agent, 'failed'])),
      ...Object.fromEntries(hanging.map((agent) => [agent, 'killed'])),
      ...Object.fromEntries(working.map((agent) => [agent, 'completed'])),
    });
    expect(guidance.status).toBe('ACTIVE');
    expect(agents.filter((agent) => existsSync(join(stage.trees, agent)))).toEqual([]);
    expect(stage.s.repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
    // A watcher ends when what it told of has been taken in.
    await expect
      .poll(() => pids.filter((one) => [one.watcher, one.child].some(({ pid }) => isAlive(pid))))
      .toEqual([]);
    const files = stage.s.repo.git('ls-tree', '--name-only', 'phases/T-1').split('\n');
    expect(working.filter((agent) => !files.includes(`${agent}.txt`))).toEqual([]);
    expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
  });
});
