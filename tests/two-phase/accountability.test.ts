import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// Section K: who did, who confirmed.
let s: Session;
afterEach(() => s.close());

test('2PC-87: the record of a completed item answers all five questions', async () => {
  s = await openSession();
  const id = await bring(s, 'completed');
  const { accountability } = (await s.say('', 'show', id)).data;
  expect(accountability).toMatchObject({
    implemented_by: DEVELOPER,
    claimed_at: expect.stringMatching(/Z$/),
    verified_by: 'verification-agent',
    verified_at: expect.stringMatching(/Z$/),
    evidence: expect.stringMatching(/\.json$/),
    requested_by: 'verification-agent',
    completed_by: 'orchestrator',
  });
  const { out } = await s.text('', 'show', id);
  for (const question of ['implemented by', 'claimed at', 'verified by', 'verified at', 'evidence']) {
    expect(out).toMatch(new RegExp(`^${question} +(?!not yet)\\S`, 'm'));
  }
});

test('what has not happened yet is plainly "not yet"', async () => {
  s = await openSession();
  const { out } = await s.text('', 'show', await bring(s, 'claimed'));
  expect(out).toMatch(/^verified by +not yet$/m);
  expect(out).toMatch(/^standing +not verified$/m);
});
