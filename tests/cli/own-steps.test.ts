import { afterEach, beforeEach, expect, test } from 'vitest';
import { asTyped } from '../../src/cli/print.ts';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';

// A caller who is named on the command line is named in what it is told to type next; nobody else is.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

test('the own steps name the caller, those of others name nobody', async () => {
  const id = await bring(s, 'in_progress');
  const started = await s.text(DEVELOPER, 'start', id);
  expect(started.out).toContain(`countersign --actor ${DEVELOPER} claim ${id}\n`);
  work(s);
  const claimed = await s.text(DEVELOPER, 'claim', id);
  expect(claimed.out).toContain(`next: countersign verify ${id}  [verification-agent`);
  const { next } = (await s.say('verification-agent', 'next')).data;
  const own = `countersign --actor verification-agent verify ${id}`;
  expect(next).toMatchObject([{ command: own, commands: [own] }]);
  const refused = await s.say('verification-agent', 'review', id);
  expect(refused.error.hint).toBe(`countersign --actor verification-agent review ${id} --approve`);
  const person = (await s.say('', 'show', id)).data.next as readonly string[];
  expect(person.join()).not.toContain('--actor ada');
});

test('a caller whom the environment names need not be named again', async () => {
  const id = await bring(s, 'claimed');
  s.env.COUNTERSIGN_ACTOR = 'verification-agent';
  const shown = await s.say('', 'show', id);
  expect(shown.data.next).toEqual([`countersign verify ${id}`]);
});

test('the way out of a block names whoever may take it', async () => {
  const id = await bring(s, 'blocked');
  const blocked = (await s.say('orchestrator', 'next')).data.blocked as { command: string }[];
  expect(blocked[0]?.command).toBe(`countersign --actor orchestrator ack ${id}`);
  const developer = (await s.say(DEVELOPER, 'next')).data.blocked as { command: string }[];
  expect(developer[0]?.command).toBe(`countersign ack ${id}`);
  await s.say('orchestrator', 'ack', id);
  const told = await s.text('orchestrator', 'next');
  expect(told.out).toContain(`countersign --actor orchestrator retry ${id}`);
});

test('only a command gets a name, and only once', () => {
  const caller = { as: 'dev' };
  expect(asTyped(caller, 'commit the work; then countersign claim T-1')).toBe(
    'commit the work; then countersign --actor dev claim T-1',
  );
  expect(asTyped(caller, 'countersign --actor other claim T-1')).toBe('countersign --actor other claim T-1');
  expect(asTyped(caller, 'ask countersign support')).toBe('ask countersign support');
  expect(asTyped({ as: '' }, 'countersign next')).toBe('countersign next');
});
