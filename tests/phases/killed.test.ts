import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movesOf, processesIn, runsFolder, statesOf } from './beside.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// Every process of the product itself is ended by SIGKILL in the midst of what moves by itself: the command, the watcher of a
// run, and what the watcher calls. The next command settles to the right state.
const PROGRAM = join(import.meta.dirname, '../../dist/bin/countersign.cjs');

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ config: CONFIG().replace('reviewers: 3', 'reviewers: 2') });
});
afterAll(() => stage.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const now = async (phase: string) => (await statesOf(stage, phase)).at(-1);

/** A command as a process of its own. */
const begin = (actor: string, ...words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [PROGRAM, ...(actor === '' ? [] : ['--actor', actor]), ...words], {
    ...{ cwd: stage.s.repo.top, env: stage.s.env, stdio: 'ignore' },
  });

const ended = (child: ChildProcess) =>
  new Promise<string>((resolve) => child.once('exit', (_, signal) => resolve(signal ?? '')));

/** Ends the command as soon as something is so; false when it was over before. */
async function killWhen(child: ChildProcess, isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  const over = ended(child);
  while (child.exitCode === null && !(await isSo())) await pause(5);
  child.kill('SIGKILL');
  return (await over) === 'SIGKILL';
}

const watchOf = (run: string) =>
  JSON.parse(readFileSync(join(runsFolder(stage), run, 'watch.json'), 'utf8')) as {
    readonly watcher: { readonly pid: number };
    readonly child: { readonly pid: number };
  };

function strikeDead(...pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
}

/** One review, and one process for each reviewer. */
async function reviewedOnce(phase: string): Promise<void> {
  expect(await stage.state(phase)).toBe('UNDER_REVIEW');
  const { reviewers } = await stage.review(phase);
  expect(reviewers.map(({ state }) => state)).toEqual(['running', 'running']);
  for (const { reviewer_id: id } of reviewers) expect(processesIn(stage.trees, id), id).toHaveLength(1);
}

describe('a command that is killed', () => {
  const runsLaunched = () => readdirSync(runsFolder(stage)).length;

  it.each([
    ['it begins', 0, ''],
    ['the phase is submitted', 0, 'AWAITING_REVIEW'],
    ['the first reviewer is launched', 1, ''],
    ['the second reviewer is launched', 2, ''],
    ['the reviewers read', 0, 'UNDER_REVIEW'],
  ] as const)('as %s', async (_, launched, state) => {
    const [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
    const agent = await stage.deploy(phase);
    stage.commit(agent);
    const before = runsLaunched();
    const told = ['agent', 'progress', 'completed', '--message', 'done'] as const;
    await killWhen(begin(agent, ...told), async () => {
      if (launched > 0) return runsLaunched() >= before + launched;
      if (state !== '') return (await now(phase)) === state;
      return existsSync(PROGRAM);
    });
    await stage.must('', 'phase', 'status', phase);
    if ((await movesOf(stage, agent)).every(({ to }) => to !== 'completed')) {
      expect(await now(phase)).toBe('ACTIVE');
      await stage.must(agent, ...told);
    }
    await reviewedOnce(phase);
  });

  it.each([
    ['verdict', 'APPROVED'],
    ['advance', 'COMPLETED'],
  ] as const)('in %s', async (command, state) => {
    for (const wait of [150, 400]) {
      const phase = await stage.bring('UNDER_REVIEW');
      await stage.verdict(phase, 'approve');
      if (command === 'advance') await stage.verdict(phase, 'approve');
      const { review_id: review, reviewers } = await stage.review(phase);
      const [actor, words] =
        command === 'verdict'
          ? [reviewers[1]?.agent_id ?? '', ['phase', 'verdict', review, 'approve']]
          : [LEAD, ['phase', 'advance', phase]];
      const until = Date.now() + wait;
      await killWhen(begin(actor, ...words), () => Date.now() >= until);
      await stage.must('', 'phase', 'status', phase);
      if ((await now(phase)) !== state) await stage.must(actor, ...words);
      expect(await now(phase)).toBe(state);
    }
  });
});

describe('a watcher that is killed', () => {
  it('with its agent: the run is over, which the next command finds, and the phase waits for another', async () => {
    const [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
    const agent = await stage.deploy(phase);
    const { watcher, child } = watchOf(agent);
    strikeDead(watcher.pid, child.pid);
    await pause(100);
    await stage.must('', 'tick');
    const { agents, guidance } = await stage.status(phase);
    expect(agents[0]?.status).toBe('failed');
    expect(guidance.action).toMatch(/^DEPLOY AGENTS: No agent completed/);
    expect(processesIn(stage.trees, agent)).toEqual([]);
  });

  it('without its agent: nothing goes on unwatched', async () => {
    const [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
    const agent = await stage.deploy(phase);
    strikeDead(watchOf(agent).watcher.pid);
    await pause(100);
    await stage.must('', 'tick');
    expect((await stage.status(phase)).agents[0]?.status).toBe('failed');
    expect(processesIn(stage.trees, agent)).toEqual([]);
  });

  it('of reviewers, with them: each is replaced by one, and then the phase is escalated', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const killAll = async () => {
      const { reviewers } = await stage.review(phase);
      for (const { agent_id: run, state } of reviewers)
        if (state === 'running') strikeDead(watchOf(run).watcher.pid, watchOf(run).child.pid);
      await pause(100);
    };
    await killAll();
    await stage.must('', 'tick');
    await reviewedOnce(phase);
    await killAll();
    await stage.must('', 'tick');
    expect(await now(phase)).toBe('ESCALATED');
    for (const { reviewer_id: id } of (await stage.review(phase)).reviewers)
      expect(processesIn(stage.trees, id)).toEqual([]);
  });

  it('what it calls when a reviewer has ended: the next command does it, once', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const run = (await stage.review(phase)).reviewers[0]?.agent_id ?? '';
    const { watcher, child } = watchOf(run);
    strikeDead(child.pid);
    // The watcher sees the end and calls; whoever it called is ended with it.
    for (let n = 0; n < 400; n++) {
      const called = childrenOf(watcher.pid);
      if (called.length > 0) {
        strikeDead(watcher.pid, ...called);
        break;
      }
      if (!existsSync(`/proc/${watcher.pid}`)) break;
      await pause(5);
    }
    await stage.must('', 'tick');
    await reviewedOnce(phase);
    const deaths = (await movesOf(stage, run)).filter(({ command }) => command === 'die');
    expect(deaths).toHaveLength(1);
  });
});

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}
