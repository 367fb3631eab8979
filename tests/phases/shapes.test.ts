import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { talk } from '../mcp/in-memory.ts';
import { ANSWER } from './answers.ts';
import { FORCE, type Hand, handOf, NOT_APPROVED, ORDER, type Standing } from './hand.ts';
import { LEAD, openStage, PHASE_STATES, type Stage } from './stage.ts';

const SEED = [
  ...['deploy_headless_agent', 'get_agent_output', 'kill_real_agent', 'update_agent_progress'],
  ...['submit_phase_for_review', 'get_phase_status', 'get_review_status', 'abort_stalled_review'],
  ...['advance_to_next_phase', 'get_phase_handover', 'approve_phase_review', 'reject_phase_review'],
  ...['trigger_agentic_review', 'submit_review_verdict'],
];

/** How the guidance of each state begins, as `bring` leaves it. */
const ACTIONS: { readonly [state: string]: string } = {
  PENDING: 'WAIT:',
  ACTIVE: 'DEPLOY AGENTS:',
  AWAITING_REVIEW: 'REVIEWERS SPAWNING:',
  UNDER_REVIEW: 'REVIEW IN PROGRESS: 0/3',
  APPROVED: 'PROCEED:',
  REJECTED: 'PHASE REJECTED:',
  REVISING: 'FIX REQUIRED:',
  ESCALATED: 'ESCALATED - MANUAL INTERVENTION REQUIRED:',
  COMPLETED: 'PHASE COMPLETED:',
};

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

it('PHASE-110: the fourteen tools of the seed are there, each with a schema', async () => {
  const { client, close } = await talk(stage.s, LEAD, 'phases', true);
  const { tools } = await client.listTools();
  await close();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(SEED));
  for (const { name, inputSchema } of tools.filter((one) => SEED.includes(one.name)))
    expect([name, Object.keys(inputSchema.properties ?? {}).length > 0]).toEqual([name, true]);
  expect(PROFILES.phases.length).toBe(SEED.length + 2);
});

/** What each tool is asked with about a phase, its review and its agent. */
const asked = (phase: string, of: string, agent: string): readonly (readonly [string, object])[] => [
  ['get_phase_status', { phase_id: phase }],
  ['get_review_status', { review_id: of }],
  ['get_agent_output', { agent_id: agent }],
  ['get_phase_handover', { phase_id: phase }],
  ['reject_phase_review', { phase_id: phase }],
  ['approve_phase_review', { phase_id: phase }],
  ['approve_phase_review', { phase_id: phase, ...FORCE }],
  ['submit_review_verdict', { review_id: of, verdict: 'approve' }],
  ['update_agent_progress', { agent_id: agent, status: 'completed' }],
  ['kill_real_agent', { agent_id: agent, reason: 'enough' }],
  ['submit_phase_for_review', { phase_id: phase }],
  ['trigger_agentic_review', { phase_id: phase }],
  ['abort_stalled_review', { phase_id: phase, reason: 'it is dead' }],
  ['advance_to_next_phase', { phase_id: phase }],
  ['deploy_headless_agent', { phase_id: phase, ...ORDER }],
];

describe.each(PHASE_STATES)('in %s', (state) => {
  it('PHASE-105, PHASE-106, PHASE-109, PHASE-99: every tool answers in one shape, refused or not', async () => {
    const phase = await stage.bring(state);
    const { agents, review: now } = await stage.status(phase);
    const status = await lead.does('get_phase_status', phase);
    expect(status.guidance).toMatchObject({ status: state, escalated: state === 'ESCALATED' });
    expect(status.guidance.action.startsWith(ACTIONS[state] ?? '?')).toBe(true);
    expect(status.review === null).toBe(['PENDING', 'ACTIVE'].includes(state));
    if (state !== 'APPROVED') {
      const { error_code } = await lead.refused('advance_to_next_phase', phase, NOT_APPROVED);
      expect(error_code).toBe('PHASE_NOT_APPROVED');
    }
    for (const [tool, input] of asked(phase, now?.review_id ?? phase, agents[0]?.agent_id ?? phase)) {
      const said = await lead.call(tool, input as Standing);
      const { error } = ANSWER.safeParse(said.data);
      expect([tool, error?.message, said.data.success]).toEqual([tool, undefined, !said.isError]);
      if (said.isError) expect(said.data).toMatchObject({ error: expect.stringMatching(/\w/) });
    }
  });
});

it('a phase that there is not is told in the same shape', async () => {
  const { isError, data } = await lead.call('get_phase_status', { phase_id: 'T-999' });
  expect(isError).toBe(true);
  expect(data).toMatchObject({ success: false, error_code: 'NOT_FOUND', review: null });
  expect(data.guidance).toMatchObject({ escalated: false, blocked_reason: null });
});
