import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, LEAD, openStage, type Stage, type Verdict } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** A phase under review by three; the policy is pinned with the plan. */
async function reviewed(more: string): Promise<string> {
  stage.s.repo.commit({ '.countersign/config.yaml': CONFIG(more) });
  const [phase = ''] = await stage.plan('Only Phase');
  await stage.completes(await stage.deploy(phase), { 'a.txt': `${more}\n` });
  return phase;
}

describe('policies of a review', () => {
  const CHANGES = [{ severity: 'high', title: 'Mend it' }] as const;
  it.each([
    ['majority', ['approve', 'approve', 'request_changes'], 'APPROVED'],
    ['unanimous', ['approve', 'approve', 'approve'], 'APPROVED'],
    ['unanimous', ['approve', 'approve', 'request_changes'], 'REVISING'],
    ['single', ['request_changes', 'request_changes', 'approve'], 'APPROVED'],
    ['veto', ['approve', 'approve', 'request_changes'], 'REVISING'],
    ['single', ['approve', 'approve', 'reject'], 'REJECTED'],
  ] as const)('%s: %j comes to %s', async (policy, words: readonly Verdict[], state) => {
    const phase = await reviewed(`policy: ${policy}`);
    for (const word of words) {
      expect(await stage.state(phase)).toBe('UNDER_REVIEW');
      expect((await stage.verdict(phase, word, word === 'approve' ? [] : CHANGES)).code).toBe(0);
    }
    expect(await stage.state(phase)).toBe(state);
  });

  it('CH-17: unanimous, one is missing and nobody asks for a change: it is escalated, and reviewed anew', async () => {
    const phase = await reviewed('policy: unanimous');
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'approve');
    await stage.allDie(phase);
    expect(await stage.state(phase)).toBe('ESCALATED');
    await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'the third died twice');
    await stage.must(LEAD, 'phase', 'trigger', phase);
    expect(await stage.state(phase)).toBe('UNDER_REVIEW');
  });
});
