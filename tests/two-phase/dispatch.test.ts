import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// An item is given to somebody who can do it.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

const LIST = `who can take it: ${DEVELOPER}, react-18-specialist`;

test.each([
  ['ACTOR', 'nobody here is called ACTOR', LIST],
  ['swiftui-develper', 'nobody here is called swiftui-develper', `did you mean ${DEVELOPER}? ${LIST}`],
  ['react', 'nobody here is called react', `did you mean react-18-specialist? ${LIST}`],
  ['verification-agent', 'verification-agent does not hold the role specialist', LIST],
])('%s gets no item, and the refusal names who can take it', async (to, because, fix) => {
  const id = await bring(s, 'pending');
  const before = await s.snapshot(id);
  const { code, error } = await s.say('orchestrator', 'dispatch', id, '--to', to);
  expect([code, error.missing]).toEqual([3, [expect.objectContaining({ because, fix })]]);
  expect(await s.snapshot(id)).toBe(before);
  expect(await s.refusals(id)).toHaveLength(1);
});

test('who has left gets no item; with nobody left, the refusal says how somebody comes', async () => {
  const id = await bring(s, 'pending');
  for (const name of [DEVELOPER, 'react-18-specialist'])
    expect((await s.text('', 'actor', 'retire', name)).code).toBe(0);
  const { error } = await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  expect(error.missing).toEqual([
    expect.objectContaining({
      because: `${DEVELOPER} does not hold the role specialist`,
      fix: 'a person runs: countersign actor add NAME --role specialist',
    }),
  ]);
});

test('what was found about the assignee is kept with the move, and audit judges it again', async () => {
  const id = await bring(s, 'in_progress');
  expect((await s.events(id)).at(-1)).toMatchObject({
    facts: { probes: { 'assignee-fits': { status: 'satisfied' } } },
  });
  expect(await s.text('', 'audit', 'verify')).toMatchObject({ code: 0 });
});
