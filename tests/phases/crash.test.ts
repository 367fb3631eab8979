import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ports } from '../../src/engine/ports.ts';
import { dyingProcess } from '../dying-process.ts';
import { someOf } from '../thoroughness.ts';
import { movesOf, processesIn, statesOf } from './beside.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// A process that dies before or after any write of store, git or processes leaves what the next command settles: nothing is
// lost, and nothing is there twice. From the fault on every call fails, as of a dead process; then another one comes.
const WORKSPACE = [
  ...['addWorktree', 'addReadingTree', 'dropWorktree', 'removeWorktree'],
  ...['deleteBranch', 'moveBranch', 'commitMerge'],
] as const;

const { fault, watched, watching } = dyingProcess();
/** Grows with each process that comes after one that died. */
let life = 1;

function wrap(ports: Ports): Ports {
  const { store, workspace, agents } = ports;
  const ownerNow = () => `life ${life}`;
  return {
    ...ports,
    store: Object.assign(store, {
      commit: watched('commit', store.commit.bind(store)),
      claim: watched('claim', store.claim.bind(store)),
    }),
    workspace: watching(workspace, WORKSPACE),
    agents: { ...agents, start: watched('start', agents.start), kill: watched('kill', agents.kill) },
    process: {
      get owner() {
        return ownerNow();
      },
      isAlive: (owner) => (owner.startsWith('life ') ? owner === ownerNow() : ports.process.isAlive(owner)),
    },
  };
}

interface Operation {
  readonly name: string;
  /** Brings a phase to where it is done; answers the phase and what has to be said. */
  readonly prepare: () => Promise<{ readonly phase: string; readonly say: () => Promise<unknown> }>;
  /** Whether it was taken, after the next command has settled what was left. */
  readonly isTaken: (phase: string) => Promise<boolean>;
  readonly isRight: (phase: string) => Promise<void>;
}

let stage: Stage;
const now = async (phase: string) => (await statesOf(stage, phase)).at(-1) ?? 'PENDING';
const planned = async () => (await stage.plan('Design Phase', 'Implementation Phase'))[0] ?? '';

/** What a watcher reports may be starting a replacement at this very moment: whoever holds the lease is waited for. */
async function startedReviewers(phase: string) {
  for (let n = 0; ; n++) {
    const { reviewers } = await stage.review(phase);
    if (n === 100 || reviewers.every(({ state }) => state !== 'spawning')) return reviewers;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** One review, one process for each of its reviewers. */
async function reviewedOnce(phase: string): Promise<void> {
  expect(await now(phase)).toBe('UNDER_REVIEW');
  const reviewers = await startedReviewers(phase);
  expect(reviewers.map(({ state }) => state)).toEqual(['running', 'running']);
  for (const { reviewer_id: id } of reviewers) expect(processesIn(stage.trees, id), id).toHaveLength(1);
  const links = (await stage.s.events(phase)).filter((e) => e.type === 'linked' && e.kind === 'review');
  expect(links).toHaveLength(1);
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'deploy',
    async prepare() {
      const phase = await planned();
      return { phase, say: () => stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it') };
    },
    isTaken: async (phase) => (await stage.status(phase)).agents.length > 0,
    async isRight(phase) {
      const { agents } = await stage.status(phase);
      expect(agents.map(({ status }) => status)).toEqual(['running']);
      expect(processesIn(stage.trees, agents[0]?.agent_id ?? '')).toHaveLength(1);
    },
  },
  {
    name: 'complete, submit and spawn',
    async prepare() {
      const phase = await planned();
      const agent = await stage.deploy(phase);
      stage.commit(agent);
      return { phase, say: () => stage.s.say(agent, 'agent', 'progress', 'completed', '--message', 'done') };
    },
    isTaken: async (phase) => (await stage.status(phase)).agents[0]?.status === 'completed',
    isRight: reviewedOnce,
  },
  {
    name: 'verdict',
    async prepare() {
      const phase = await stage.bring('UNDER_REVIEW');
      await stage.verdict(phase, 'approve');
      return { phase, say: () => stage.verdict(phase, 'approve') };
    },
    isTaken: async (phase) => (await stage.review(phase)).reviewers_submitted === 2,
    async isRight(phase) {
      expect(await now(phase)).toBe('APPROVED');
      expect(await stage.review(phase)).toMatchObject({ reviewers_submitted: 2, final_verdict: 'approved' });
    },
  },
  {
    name: 'advance',
    async prepare() {
      const phase = await stage.bring('UNDER_REVIEW');
      await stage.verdict(phase, 'approve');
      await stage.verdict(phase, 'approve');
      return { phase, say: () => stage.s.say(LEAD, 'phase', 'advance', phase) };
    },
    isTaken: async (phase) => (await now(phase)) === 'COMPLETED',
    async isRight(phase) {
      const { task_id: task } = await stage.status(phase);
      const { data } = await stage.must('', 'phase', 'list', task);
      const phases = data as unknown as readonly { guidance: { status: string } }[];
      expect(phases.map(({ guidance }) => guidance.status)).toEqual(['COMPLETED', 'ACTIVE']);
    },
  },
  {
    name: 'the replacement of a reviewer that died',
    async prepare() {
      const phase = await stage.bring('UNDER_REVIEW');
      await stage.strike((await stage.review(phase)).reviewers[0]?.agent_id ?? '');
      return { phase, say: () => stage.s.say('', 'tick') };
    },
    isTaken: async () => true,
    isRight: reviewedOnce,
  },
];

beforeAll(async () => {
  stage = await openStage({ wrap, config: CONFIG().replace('reviewers: 3', 'reviewers: 2') });
});
afterAll(() => stage.close());

describe.each(OPERATIONS)('a process that dies in $name', ({ prepare, isTaken, isRight }) => {
  it('leaves what the next command settles, and nothing twice', async () => {
    const first = await prepare();
    Object.assign(fault, { at: 0, dead: false, calls: 0 });
    await first.say();
    const calls = fault.calls;
    expect(calls).toBeGreaterThan(0);
    await isRight(first.phase);
    const points = (['before', 'after'] as const).flatMap((side) =>
      Array.from({ length: calls }, (_, n) => ({ side, at: n + 1 })),
    );
    for (const { side, at } of someOf(points, 5)) {
      const { phase, say } = await prepare();
      Object.assign(fault, { at, side, calls: 0, dead: false });
      await say().catch(() => undefined);
      Object.assign(fault, { at: 0, dead: false });
      life += 1;
      const point = `${side} call ${at} of ${calls}`;
      const settled = await stage.s.say('', 'phase', 'status', phase);
      expect(settled.code, `${point}: ${settled.out}`).toBe(0);
      if (!(await isTaken(phase))) await say();
      await isRight(phase).catch(async (error: Error) => {
        const { reviewers } = await stage.review(phase);
        const logs = await Promise.all(reviewers.map(({ reviewer_id: id }) => movesOf(stage, id)));
        const told = logs.flat().map(({ to, reason }) => `${to} ${reason}`);
        throw new Error([`${point}: ${error.message}`, ...told].join('\n'));
      });
    }
    expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
  });
});
