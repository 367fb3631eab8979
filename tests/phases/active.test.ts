import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadItem } from '../../src/engine/handle.ts';
import { guidanceOf } from '../../src/engine/phases/guidance.ts';
import { runsOf } from '../../src/engine/phases/task-phases.ts';
import { fold } from '../../src/kernel/evolve.ts';
import { FORCE, type Hand, handOf, NO_REJECTION, NOT_APPROVED, ORDER, waysOf } from './hand.ts';
import { CHANGE, LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
let lead: Hand;
beforeAll(async () => {
  stage = await openStage();
  lead = await handOf(stage);
});
afterAll(async () => {
  await lead.close();
  await stage.close();
});

const actionOf = async (phase: string) => (await stage.status(phase)).guidance.action;
const deploy = async (phase: string) =>
  String((await lead.does('deploy_headless_agent', phase, ORDER)).agent_id);

describe('ACTIVE', () => {
  let phase = '';
  let agents: readonly string[] = [];
  const [one, two, three] = [0, 1, 2].map((n) => () => agents[n] ?? '') as [
    () => string,
    () => string,
    () => string,
  ];

  it('PHASE-11, PHASE-05: the first phase is active when the task is planned, the others wait', async () => {
    const phases = await stage.plan('A', 'B', 'C');
    expect(await Promise.all(phases.map(stage.state))).toEqual(['ACTIVE', 'PENDING', 'PENDING']);
    phase = phases[0] ?? '';
  });

  it('PHASE-23: without an agent it tells to deploy some', async () => {
    expect((await stage.status(phase)).guidance).toEqual({
      status: 'ACTIVE',
      action: 'DEPLOY AGENTS: No agents deployed. Use deploy_headless_agent to start work.',
      blocked_reason: null,
      escalated: false,
    });
  });

  it('PHASE-18: it is not advanced', async () => {
    const { error_code } = await lead.refused('advance_to_next_phase', phase, NOT_APPROVED);
    expect(error_code).toBe('PHASE_NOT_APPROVED');
  });

  it('PHASE-19: there is no review to approve', async () => {
    await lead.refused('approve_phase_review', phase, 'there is no review to approve');
    await lead.refused('approve_phase_review', phase, 'there is no review to approve', FORCE);
    const before = await stage.s.snapshot(phase);
    const forced = await stage.person(phase, 'force-approve', 'why not', { force: 'yes' });
    expect([forced.kind, await stage.s.snapshot(phase)]).toEqual(['refused', before]);
  });

  it('PHASE-20: whoever coordinates does not reject', async () => {
    const { error_code } = await lead.refused('reject_phase_review', phase, NO_REJECTION);
    expect(error_code).toBe('ACTION_BLOCKED');
  });

  it('PHASE-13, PHASE-14: agents are deployed to it, each with a record and a process of its own', async () => {
    agents = [await deploy(phase), await deploy(phase), await deploy(phase)];
    const { guidance, agents: lines } = await stage.status(phase);
    expect(guidance.status).toBe('ACTIVE');
    expect(lines.map(({ agent_id, status, fix }) => [agent_id, status, fix])).toEqual(
      agents.map((id) => [id, 'running', false]),
    );
    await stage.s.with(async ({ ports }) => {
      for (const id of agents) {
        expect((await loadItem(ports, id)).item.links).toContainEqual(
          expect.objectContaining({ kind: 'phase', to: (await loadItem(ports, phase)).id }),
        );
        expect((await ports.agents.look(id)).state).toBe('running');
      }
    });
  });

  it('PHASE-24: it tells how many still work', async () => {
    expect((await stage.status(phase)).guidance).toEqual({
      status: 'ACTIVE',
      action: 'WAIT: 3 agents still working. Monitor with get_agent_output.',
      blocked_reason: null,
      escalated: false,
    });
  });

  it('PHASE-15: what an agent has written so far is read, from where one left off', async () => {
    const output = async (offset: number) => {
      const { data } = await lead.call('get_agent_output', { agent_id: one(), offset });
      return data.output as { text: string; next: number; ended: boolean; process: string };
    };
    await expect.poll(async () => (await output(0)).text).toContain('## What you are');
    const all = await output(0);
    expect(all).toMatchObject({ ended: false, process: 'running' });
    expect(all.text).toContain('Build it');
    expect((await output(10)).text).toBe(all.text.slice(10));
    expect(await output(all.next)).toMatchObject({ text: '', next: all.next });
  });

  it('PHASE-16: an agent that went astray is ended, and why is kept', async () => {
    const { data } = await lead.call('kill_real_agent', { agent_id: two(), reason: 'it runs in circles' });
    expect(data).toMatchObject({ success: true, agent_status: 'killed' });
    const state = await stage.s.with(({ ports }) => ports.agents.look(two()));
    expect(state).toMatchObject({ state: 'ended', reason: 'killed' });
    const line = (await stage.status(phase)).agents.find(({ agent_id }) => agent_id === two());
    expect(line).toMatchObject({ status: 'killed', said: 'it runs in circles' });
    expect(await waysOf(stage, two())).toContain(`running>killed kill by ${LEAD}`);
    expect(await actionOf(phase)).toContain('WAIT: 2 agents');
  });

  it('PHASE-21: is handed in when the last of its agents completes, without another call', async () => {
    expect((await stage.completes(one())).code).toBe(0);
    expect(await actionOf(phase)).toBe('WAIT: 1 agent still working. Monitor with get_agent_output.');
    expect((await stage.completes(three())).code).toBe(0);
    const ways = (await waysOf(stage, phase)).filter((way) => !way.startsWith('ACTIVE>ACTIVE'));
    expect(ways.slice(1, 3)).toEqual([
      'ACTIVE>AWAITING_REVIEW  by engine',
      'AWAITING_REVIEW>UNDER_REVIEW  by engine',
    ]);
  });

  it('PHASE-25: when all agents are done it tells that the review comes by itself', async () => {
    const events = await stage.s.events(phase);
    const left = events.findIndex((e) => e.type === 'moved' && e.to === 'AWAITING_REVIEW');
    const told = await stage.s.with(async ({ ports }) => {
      const now = await loadItem(ports, phase);
      // As it stood between the word of the last agent and what that set off.
      const then = { ...now, item: fold(now.protocol, events.slice(0, left)) };
      return guidanceOf({
        phase: then,
        runs: await runsOf(ports, now),
        round: undefined,
        elsewhere: [],
        capped: '',
        over: '',
        mend: '',
        next: 'B',
      });
    });
    expect(told).toEqual({
      status: 'ACTIVE',
      action: 'REVIEW PENDING: All agents done. System will auto-trigger review.',
      blocked_reason: null,
      escalated: false,
    });
  });
});

describe('a phase of which nothing came', () => {
  it('stays active when every agent failed, and tells why each did', async () => {
    const [phase = ''] = await stage.plan('A');
    const agent = await deploy(phase);
    await stage.must(agent, 'agent', 'progress', 'failed', '--message', 'the API is gone');
    expect((await stage.status(phase)).guidance).toEqual({
      status: 'ACTIVE',
      action: 'DEPLOY AGENTS: No agent completed. Use deploy_headless_agent to start work.',
      blocked_reason: [`${agent} failed: the API is gone`],
      escalated: false,
    });
  });

  it('promises no review where agents are done and nothing has changed since the last one', async () => {
    const phase = await stage.bring('REVISING');
    await deploy(phase).then((agent) => stage.must(agent, 'agent', 'progress', 'completed'));
    const { guidance, review } = await stage.status(phase);
    expect(guidance).toMatchObject({
      status: 'ACTIVE',
      action: `DEPLOY AGENTS: Nothing changed since ${review?.review_id}. Use deploy_headless_agent to start work.`,
    });
    expect(guidance.blocked_reason).toContainEqual(expect.stringContaining(CHANGE.title));
    await lead.refused('submit_phase_for_review', phase, 'submit is not open yet');
  });
});
