import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { stepOn } from '../../src/engine/phases/actions.ts';
import { runNamed } from '../../src/engine/phases/run-named.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { processesIn } from './beside.ts';
import { CONFIG, CRITICAL, LEAD, openStage, type Stage } from './stage.ts';

/** Another machine is one that sees no process of this one. */
let away = false;
const wrap = (ports: Ports): Ports => ({
  ...ports,
  agents: {
    ...ports.agents,
    get place() {
      return `${ports.agents.place}${away ? ' of another machine' : ''}`;
    },
  },
});

const PUPPET = CONFIG().match(/reviewer: \{(.*)\}/)?.[1] ?? '';
const FAR = `  far: {${PUPPET}, runs_on: [gpu]}\n  near: {${PUPPET}}\n`;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ wrap, config: CONFIG('reviewer_agents: [near, far]', FAR) });
});
afterAll(async () => {
  away = false;
  await stage.close();
});

beforeEach(() => {
  away = false;
});

const inMinutes = (n: number) => stage.s.at(new Date(Date.parse(stage.s.now()) + n * 60_000).toISOString());
const told = async (...words: readonly string[]) => (await stage.s.text(LEAD, ...words)).out;
const WORKER = 'countersign work --label gpu';
const handedIn = async () => {
  const [phase = ''] = await stage.plan('A');
  expect((await stage.completes(await stage.deploy(phase))).code).toBe(0);
  expect(await stage.state(phase)).toBe('AWAITING_REVIEW');
  return phase;
};

let words = 0;
/** As the person of the machine, with their word at the terminal. */
const givesUp = (ref: string) =>
  stage.s.with(async (opened) => {
    words += 1;
    const digest = sha256Hex(`give up ${ref}`);
    const at = stage.s.now();
    const proof = { id: `word-${words}`, digest, purpose: 'give-up', at, channel: 'terminal' as const };
    const caller = { ...(await callerOf(opened, '')), token: undefined, proof };
    const { id } = await runNamed(opened.ports, ref);
    const action = { command: 'give-up', reason: 'that machine burnt down', arguments: {} };
    return stepOn(opened, caller, id, action, () => digest);
  });

describe('what waits for a machine with a label', () => {
  it('PHASE-24: of an agent, is told with what leads on, until a worker has it', async () => {
    const [phase = ''] = await stage.plan('A');
    const said = await stage.must(LEAD, 'phase', 'deploy', phase, '--agent', 'far', '--prompt', 'Build it');
    const agent = String(said.data.agent_id);
    const { guidance } = await stage.status(phase);
    expect(guidance.action).toMatch(/^WAIT: 1 agent/);
    expect(guidance.blocked_reason).toEqual([
      expect.stringContaining(`${agent} waits for a machine with gpu`),
    ]);
    for (const face of ['next', 'inbox']) {
      expect(await told(face)).toContain(WORKER);
      expect(await told(face)).toContain(`agent kill ${agent}`);
    }
    await stage.must(LEAD, 'work', '--once', '--label', 'gpu');
    expect((await stage.status(phase)).guidance.blocked_reason).toBe(null);
    expect(await told('inbox')).not.toContain(WORKER);
    await stage.completes(agent);
  });

  it('PHASE-35: of reviewers, is told with what leads on; to give the review up leads out', async () => {
    const phase = await handedIn();
    const { guidance, review } = await stage.status(phase);
    expect(guidance.action).toMatch(/^REVIEWERS SPAWNING:/);
    expect(guidance.blocked_reason?.join()).toMatch(/reviewer-\d+ waits for a machine with gpu/);
    for (const face of ['next', 'inbox']) {
      expect(await told(face)).toContain(WORKER);
      expect(await told(face)).toContain(`phase abort ${phase}`);
    }
    const early = await stage.s.say(LEAD, 'phase', 'abort', phase, '--reason', 'no machine');
    expect(early.code).toBe(3);
    expect(JSON.stringify(early.error)).toContain('still to be heard');
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'request_changes', [{ severity: 'high', title: 'Name it' }]);
    // It leads out and not on: whoever does what `next` says does not end what a worker is about to take.
    expect(await told('next')).toContain(WORKER);
    expect(await told('next')).not.toMatch(/^ +countersign .*phase abort/m);
    await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'no machine');
    // Two of three were heard, and no majority approved.
    expect(await stage.state(phase)).toBe('REVISING');
    expect((await stage.review(phase)).review_id).toBe(review?.review_id);
    expect((await stage.review(phase)).reviewers.map(({ state }) => state).sort()).toEqual([
      'approve',
      'changes',
      'dead',
    ]);
  });

  it('CH-07: a rejection that was given stands, whoever else was waited for', async () => {
    const phase = await handedIn();
    await stage.verdict(phase, 'reject', [CRITICAL]);
    await stage.verdict(phase, 'approve');
    await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'no machine');
    expect(await stage.state(phase)).toBe('REJECTED');
  });

  it('CH-07: a reviewer that is about to be started is not gone', async () => {
    const phase = await handedIn();
    for (const word of ['approve', 'approve'] as const) await stage.verdict(phase, word);
    const waits = (await stage.review(phase)).reviewers.find(({ state }) => state === 'spawning');
    await stage.s.with(async ({ ports }) => {
      const far = { ...ports, process: { ...ports.process, owner: 'a worker elsewhere' } };
      const { takeOne } = await import('../../src/engine/lease.ts');
      const { SPAWN, spawnKey } = await import('../../src/engine/phases/spawn-job.ts');
      const handle = await runNamed(ports, waits?.reviewer_id ?? '');
      expect((await takeOne(far, SPAWN, spawnKey(handle))).kind).toBe('leased');
    });
    const said = await stage.s.say(LEAD, 'phase', 'abort', phase, '--reason', 'no machine');
    expect(said.code).toBe(3);
    expect(JSON.stringify(said.error)).toContain('is being started');
  });
});

describe('a run on a machine that is gone', () => {
  it('CH-17: counts as a death of the reviewer: another is started once, and the set does not shrink', async () => {
    stage.s.repo.commit({ '.countersign/config.yaml': CONFIG('reviewer_agents: [near]', FAR) });
    const phase = await stage.bring('UNDER_REVIEW');
    const [lost] = (await stage.review(phase)).reviewers;
    const reviewer = lost?.reviewer_id ?? '';
    away = true;
    expect((await givesUp(reviewer)).kind).toBe('done');
    const now = (await stage.review(phase)).reviewers.find(({ reviewer_id: id }) => id === reviewer);
    expect(now).toMatchObject({ state: 'running', agent_id: `${reviewer}.2` });
    expect((await stage.review(phase)).reviewers_expected).toBe(3);
    const late = await stage.verdictOf(lost?.agent_id ?? '', phase, 'approve');
    expect(late.code).not.toBe(0);
    expect(processesIn(stage.trees, reviewer)).toHaveLength(2);
    away = false;
    inMinutes(6);
    await stage.must('', 'tick');
    expect(processesIn(stage.trees, reviewer)).toHaveLength(1);
  });

  it('is given up by a person alone, with a reason, and not while it is seen', async () => {
    const [phase = ''] = await stage.plan('A');
    const agent = await stage.deploy(phase);
    expect((await givesUp(agent)).kind).toBe('refused');
    away = true;
    inMinutes(600);
    await stage.must('', 'tick');
    expect((await stage.status(phase)).agents.at(-1)?.status).toBe('running');
    const { guidance } = await stage.status(phase);
    expect(guidance.blocked_reason?.join()).toContain(`countersign agent give-up ${agent} --reason`);
    const said = await stage.s.say(LEAD, 'agent', 'give-up', agent, '--reason', 'gone');
    expect([said.code, said.error.message]).toEqual([7, expect.stringContaining('Only human')]);
    expect((await givesUp(agent)).kind).toBe('done');
    expect((await stage.status(phase)).agents.at(-1)).toMatchObject({
      status: 'failed',
      said: 'that machine burnt down',
    });
    expect((await stage.completes(agent)).code).not.toBe(0);
    away = false;
  });

  it('that comes back all the same ends the process, which nobody hears any more', async () => {
    const [phase = ''] = await stage.plan('A');
    const agent = await stage.deploy(phase);
    away = true;
    expect((await givesUp(agent)).kind).toBe('done');
    expect(processesIn(stage.trees, agent)).not.toEqual([]);
    away = false;
    inMinutes(6);
    await stage.must('', 'tick');
    expect(processesIn(stage.trees, agent)).toEqual([]);
  });
});

it('labels are told as they are typed', async () => {
  const agents = `  far: {${PUPPET}, runs_on: [gpu, big disk]}\n`;
  stage.s.repo.commit({ '.countersign/config.yaml': CONFIG('', agents) });
  const [phase = ''] = await stage.plan('A');
  await stage.must(LEAD, 'phase', 'deploy', phase, '--agent', 'far', '--prompt', 'Build it');
  expect(await told('phase', 'status', phase)).toContain("countersign work --label gpu 'big disk'");
  stage.s.repo.commit({ '.countersign/config.yaml': CONFIG('reviewer_agents: [near, far]', FAR) });
});

it('PHASE-16: an agent that is killed from another machine is ended by its own', async () => {
  const [phase = ''] = await stage.plan('A');
  const agent = await stage.deploy(phase);
  away = true;
  const said = await stage.must(LEAD, 'agent', 'kill', agent, '--reason', 'it went astray');
  expect(said.err).toContain('is ended there');
  expect(processesIn(stage.trees, agent)).not.toEqual([]);
  away = false;
  await stage.must('', 'tick');
  expect(processesIn(stage.trees, agent)).toEqual([]);
});
