import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addActor, addToken, dropToken, removeActor, setRoles } from '../../src/engine/actors.ts';
import type { Opened } from '../../src/engine/composition.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';

// J02: who one is comes from a token, and from nothing that is said.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

const owner = async (opened: Opened) => ({ ...(await callerOf(opened, '')), token: undefined });
const tokenFile = (name: string, token: string) =>
  s.with(async ({ credentials }) => credentials.write(name, token));

/** The attempt is refused with exit 7 and the item is as it was. */
async function barred(actor: string, ...words: readonly string[]): Promise<string> {
  const before = await s.snapshot('T-1');
  const said = await s.say(actor, ...words);
  expect([actor, said.code]).toEqual([actor, 7]);
  expect(await s.snapshot('T-1')).toBe(before);
  return said.error.message;
}

test('a name without a token is nobody, and so is a name that was never registered', async () => {
  await bring(s, 'claimed');
  await s.with(async (opened) => {
    const actor = { id: 'tokenless', kind: 'agent' as const, roles: ['verification-agent'], parent: '' };
    await addActor(opened.ports, await owner(opened), actor);
  });
  await barred('tokenless', 'verify', 'T-1');
  expect(await barred('stranger', 'verify', 'T-1')).toContain('there is no actor stranger');
});

test('the token of another does not make one that other', async () => {
  await bring(s, 'claimed');
  const own = await s.with(async ({ credentials }) => credentials.read(DEVELOPER));
  await tokenFile('verification-agent', own);
  expect(await barred('verification-agent', 'verify', 'T-1')).toContain(DEVELOPER);
});

test('a forged or cut token is no token', async () => {
  await bring(s, 'claimed');
  const real = await s.with(async ({ credentials }) => credentials.read('verification-agent'));
  const path = await tokenFile('verification-agent', real);
  for (const forged of [
    real.slice(0, -1),
    `${real}A`,
    real.replace(/.$/, (c) => (c === 'A' ? 'B' : 'A')),
    '',
  ]) {
    writeFileSync(path, `${forged}\n`);
    await barred('verification-agent', 'verify', 'T-1');
  }
  writeFileSync(path, `${real}\n`);
  expect((await s.say('verification-agent', 'verify', 'T-1')).code).toBe(0);
});

test('a token that was made for one item is good for no other, and what was tried is recorded', async () => {
  await bring(s, 'claimed', '--list', 'a');
  const id = await bring(s, 'claimed', '--list', 'b');
  await s.register('guest', ['verification-agent'], '', { items: [id] });
  await barred('guest', 'verify', 'T-1');
  expect(await s.refusals('T-1')).toMatchObject([{ by: 'guest', attempted: 'verify' }]);
  expect((await s.say('guest', 'verify', id)).code).toBe(0);
});

test('a token with fewer roles than its actor gives only those', async () => {
  await s.register('narrow', ['specialist', 'verification-agent'], '', { roles: ['specialist'] });
  await bring(s, 'claimed');
  expect(await barred('narrow', 'verify', 'T-1')).toBe('Only verification-agent can mark tasks as verified');
});

test('a revoked token, an expired one and that of someone who was retired are refused', async () => {
  await bring(s, 'claimed');
  const guest = await s.register('guest', ['verification-agent']);
  await s.register('brief', ['verification-agent'], '', { expiresAt: '2025-10-24T22:00:00.000Z' });
  await s.with(async (opened) => {
    expect(await dropToken(opened.ports, await owner(opened), guest)).toEqual({ ok: true });
    expect(await removeActor(opened.ports, await owner(opened), 'verification-agent')).toEqual({ ok: true });
  });
  await barred('guest', 'verify', 'T-1');
  await barred('verification-agent', 'verify', 'T-1');
  s.at('2025-10-24T22:00:00Z');
  await barred('brief', 'verify', 'T-1');
});

test('someone who was retired still counts as builder: a child that stayed does not verify their work', async () => {
  await s.register('lead', ['specialist']);
  await s.register('child', ['verification-agent'], 'lead');
  const id = await bring(s, 'pending');
  work(s);
  await s.say('lead', 'claim', id);
  await s.with(async (opened) => removeActor(opened.ports, await owner(opened), 'lead'));
  expect((await s.say('child', 'verify', id)).code).toBe(3);
});

test('an agent makes itself no verifier: not by a child, not by a token with more, not by new roles', async () => {
  const answers = await s.with(async (opened) => {
    const caller = await callerOf(opened, DEVELOPER);
    const by = { actor: caller.actor, token: caller.token };
    const child = { id: 'helper', kind: 'agent' as const, roles: ['verification-agent'], parent: DEVELOPER };
    const token = { actor: 'verification-agent', expiresAt: '', items: [], roles: [] };
    return [
      await addActor(opened.ports, by, child),
      await addActor(opened.ports, by, { ...child, parent: '' }),
      await addActor(opened.ports, by, { ...child, kind: 'human' as const, parent: '' }),
      await addToken(opened.ports, by, token),
      await setRoles(opened.ports, by, DEVELOPER, ['specialist', 'verification-agent']),
    ];
  });
  expect(answers.map((a) => a.ok)).toEqual([false, false, false, false, false]);
});

test('a token is nowhere in the store, only its hash', async () => {
  const token = await s.with(async ({ credentials }) => credentials.read(DEVELOPER));
  const bodies = await s.with(async ({ ports }) => (await ports.store.events(0, 1_000)).map((e) => e.body));
  expect(bodies.join('\n')).not.toContain(token);
});
