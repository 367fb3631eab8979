import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { FORCE, type Hand, handOf, NOT_APPROVED, ORDER, waysOf } from './hand.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
let lead: Hand;
let first = '';
let second = '';
beforeAll(async () => {
  stage = await openStage();
  lead = await handOf(stage);
  [first = '', second = ''] = await stage.plan('Design Phase', 'Implementation Phase', 'Release Phase');
});
afterAll(async () => {
  await lead.close();
  await stage.close();
});

const LOOKS: readonly string[] = ['get_phase_status', 'get_review_status'];

/** Arguments that a tool takes, with which it would do most. */
function fitting(id: string, input: unknown) {
  const words = { status: 'completed', verdict: 'approve', ...ORDER, ...FORCE };
  const all = { phase_id: id, review_id: id, agent_id: id, ...words };
  const fields = Object.keys((input as { readonly shape: object }).shape);
  return Object.fromEntries(Object.entries(all).filter(([key]) => fields.includes(key)));
}

describe('PENDING', () => {
  it('PHASE-12: tells to wait for the phase that is in work', async () => {
    expect((await lead.does('get_phase_status', second)).guidance).toEqual({
      status: 'PENDING',
      action: 'WAIT: Phase queued. Will activate after current phase completes.',
      blocked_reason: ['Not the current active phase'],
      escalated: false,
    });
  });

  it('PHASE-07: no agent is deployed to it', async () => {
    await lead.refused('deploy_headless_agent', second, 'wrong phase', ORDER);
    expect((await stage.status(second)).agents).toEqual([]);
  });

  it('PHASE-08: it is not submitted', async () => {
    await lead.refused('submit_phase_for_review', second, 'the phase is not active');
  });

  it('PHASE-09: it is not advanced', async () => {
    const { error_code } = await lead.refused('advance_to_next_phase', second, NOT_APPROVED);
    expect(error_code).toBe('PHASE_NOT_APPROVED');
  });

  it('PHASE-06: nothing that anybody may do changes it, and nobody is told otherwise', async () => {
    const before = await stage.s.snapshot(second);
    for (const { name, input } of PROFILES.phases.filter(({ roles }) => roles.length > 0)) {
      if (name === 'create_phased_task') continue;
      const answer = await lead.call(name, fitting(second, input));
      expect([name, answer.isError]).toEqual([name, !LOOKS.includes(name)]);
      expect((answer.data.next ?? []).map(({ by }) => by)).not.toContain('policy');
    }
    for (const command of ['activate', 'deploy', 'submit', 'advance', 'trigger', 'escalate', 'fixes-applied'])
      for (const actor of ['', LEAD, 'mallory'])
        expect((await stage.s.say(actor, 'move', second, command, '--reason', 'x')).code).not.toBe(0);
    const { next = [] } = (await lead.call('next', {})).data;
    expect(next.map(({ id }) => id)).toEqual([first]);
    expect(await stage.s.snapshot(second)).toBe(before);
  });

  it('PHASE-10: becomes active in the operation that advances the phase before it', async () => {
    const done = await stage.completes(await stage.deploy(first));
    expect(done.code).toBe(0);
    for (const verdict of ['approve', 'approve', 'approve'] as const) await stage.verdict(first, verdict);
    expect(await stage.state(second)).toBe('PENDING');
    expect((await lead.does('advance_to_next_phase', first)).guidance.status).toBe('COMPLETED');
    expect(await stage.state(second)).toBe('ACTIVE');
    expect(await waysOf(stage, second)).toEqual(['PENDING>ACTIVE activate by policy']);
  });
});
