import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// What is moved to another table leaves nothing of itself behind that others would wait for.
let s: Session;
afterEach(() => s.close());

test('a blocked item that another has taken the place of no longer halts its list', async () => {
  s = await openSession();
  const blocked = await bring(s, 'blocked');
  const waiting = (await s.say('orchestrator', 'add', 'Draw the icons')).data.id;
  const give = () => s.say('orchestrator', 'dispatch', waiting, '--to', DEVELOPER);
  expect(JSON.stringify((await give()).error)).toContain(`none may be: ${blocked}`);
  const refused = await s.say('orchestrator', 'protocol', 'migrate', blocked, '--to', 'lifecycle');
  expect(refused.error).toMatchObject({
    code: 'NO_CREDENTIAL',
    message: expect.stringContaining('by a person alone'),
  });
  const moved = await s.say('', 'protocol', 'migrate', blocked, '--to', 'lifecycle');
  expect(moved.code, moved.err).toBe(0);
  expect((await give()).code).toBe(0);
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('whoever waited for it waits for the one that took its place', async () => {
  s = await openSession();
  const first = await bring(s, 'pending');
  const second = (await s.say('orchestrator', 'add', 'Draw the icons', '--depends-on', first)).data.id;
  const moved = await s.say('', 'protocol', 'migrate', first, '--to', 'lifecycle');
  const { to } = moved.data as { to?: { id: string } };
  const refused = await s.say('orchestrator', 'dispatch', second, '--to', DEVELOPER);
  expect(JSON.stringify(refused.error)).toContain(to?.id);
  expect(JSON.stringify(refused.error)).not.toContain(`${first} `);
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});
