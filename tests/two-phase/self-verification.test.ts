import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section I: nobody confirms their own work, under whichever name.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

test('2PC-74: a claimant who verifies is told "Only verification-agent can mark tasks as verified"', async () => {
  const id = await bring(s, 'claimed');
  const refused = await s.say(DEVELOPER, 'verify', id);
  expect([refused.code, refused.error.message]).toEqual([
    7,
    'Only verification-agent can mark tasks as verified',
  ]);
  expect(await s.refusals(id)).toMatchObject([{ by: DEVELOPER, attempted: 'verify', state: 'claimed' }]);
});

/** Claims as `builder`, then verifies as `verifier`, and answers how that ended. */
async function claimedAndVerified(builder: string, verifier: string) {
  const id = await bring(s, 'pending');
  work(s);
  expect((await s.say(builder, 'claim', id)).code).toBe(0);
  const before = await s.snapshot(id);
  const said = await s.say(verifier, 'verify', id);
  return { said, unchanged: (await s.snapshot(id)) === before, id };
}

test('2PC-75: whoever holds both roles does not verify what they claimed, and is refused before anything runs', async () => {
  await s.register('both', ['specialist', 'verification-agent']);
  const { said, unchanged, id } = await claimedAndVerified('both', 'both');
  expect([said.code, unchanged]).toEqual([3, true]);
  expect(said.error.missing.map((m) => m.because).join()).toContain('both is the builder');
  expect(await s.refusals(id)).toMatchObject([{ by: 'both', attempted: 'verify' }]);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(0);
});

test('2PC-75: neither a child of the claimant nor its parent verifies: one lineage is one pair of eyes', async () => {
  await s.register('lead', ['specialist', 'verification-agent']);
  await s.register('child', ['specialist', 'verification-agent'], 'lead');
  await s.register('grandchild', ['verification-agent'], 'child');
  for (const [builder, verifier] of [
    ['lead', 'child'],
    ['lead', 'grandchild'],
    ['child', 'lead'],
    ['child', 'grandchild'],
  ] as const) {
    const { said, unchanged } = await claimedAndVerified(builder, verifier);
    expect([builder, verifier, said.code, unchanged]).toEqual([builder, verifier, 3, true]);
    expect(said.error.missing.map((m) => m.because).join()).toContain('lineage of the builder');
  }
});

test('siblings are two pairs of eyes, and the record says that they are siblings', async () => {
  await s.register('lead', ['workflow-orchestrator']);
  await s.register('one', ['specialist'], 'lead');
  await s.register('two', ['verification-agent'], 'lead');
  const { said } = await claimedAndVerified('one', 'two');
  expect(said.data).toMatchObject({ status: 'verified', independence: 'sibling' });
});

test('everybody who claimed at some attempt counts as builder', async () => {
  await s.register('both', ['specialist', 'verification-agent']);
  const id = await bring(s, 'pending');
  work(s, false);
  await s.say('both', 'claim', id);
  await s.say('verification-agent', 'verify', id);
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect((await s.say('both', 'verify', id)).code).toBe(3);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(0);
});
