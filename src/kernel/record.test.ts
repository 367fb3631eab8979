import { describe, expect, it } from 'vitest';
import { agent, given, human, refusedWith } from '../../tests/given.ts';
import { twoPhase } from '../protocols/two-phase.ts';

const sam = agent('sam', ['specialist']);
const vera = agent('vera', ['verification-agent']);
const olga = agent('olga', ['workflow-orchestrator']);
const quinn = agent('quinn', ['quality-validator']);
const pat = human('pat');
const roster = [olga, sam, vera, quinn, pat];

const claimed = (settings = {}) =>
  given(twoPhase, roster, settings)
    .does('dispatch', { by: olga, given: { to: 'sam' } })
    .does('claim', { by: sam, subjects: { commit: 'c1' } });

describe('record', () => {
  it('computes how far the asker stands from the work', () => {
    const level = (asker: typeof sam) => claimed().finds('proof-pack', 'PASSED', asker).item.evidence.at(-1);
    expect(level(sam)).toMatchObject({
      independence: 'automated',
      requestedBy: 'sam',
      by: 'engine',
      digest: 'c1',
    });
    expect(level(vera)).toMatchObject({ independence: 'other-lineage' });
    expect(level(pat)).toMatchObject({ independence: 'human' });
  });

  it('refuses a second verdict on the same commit', () => {
    const blocked = claimed().finds('proof-pack', 'BLOCKED', vera);
    const again = blocked.recording('proof-pack', 'PASSED', vera);
    expect(again).toMatchObject({ kind: 'refused', code: 'gate-closed', verdicts: [{ guard: 'once' }] });
  });

  it('lets one from further away follow while the demanded level is not reached, and none after', () => {
    const near = claimed({ independence: 'human' }).finds('proof-pack', 'BLOCKED', sam);
    expect(near.recording('proof-pack', 'PASSED', sam)).toEqual(refusedWith('gate-closed'));
    const nearer = near.finds('proof-pack', 'PASSED', vera);
    expect(nearer.when('verify', { by: vera })).toEqual(refusedWith('gate-closed'));
    const person = nearer.finds('proof-pack', 'PASSED', pat);
    expect(person.recording('proof-pack', 'BLOCKED', pat)).toEqual(refusedWith('gate-closed'));
    expect(person.does('verify', { by: vera }).item.state).toBe('verified');
  });

  it.each([
    ['an unknown kind', 'horoscope', 'good', vera, undefined, 'unknown-command'],
    ['a kind out of place', 'quality', 'APPROVED', quinn, quinn, 'no-transition'],
    ['an unknown outcome', 'proof-pack', 'MAYBE', vera, undefined, 'bad-arguments'],
    ['a giver without the role', 'proof-pack', 'PASSED', vera, vera, 'wrong-role'],
  ] as const)('refuses %s', (_, kind, outcome, asker, by, code) => {
    expect(claimed().recording(kind, outcome, asker, by)).toEqual(refusedWith(code));
  });
});
