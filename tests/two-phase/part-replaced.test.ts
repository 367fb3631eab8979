import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadItem } from '../../src/engine/handle.ts';
import { openSession, type Session } from '../session.ts';
import { bring } from './bring.ts';

// A task hands in its work when its parts are done: what takes the place of a part is waited for instead of it.
let s: Session;
afterEach(() => s.close());

const WHY = ['--reason', 'its proof pack is lost'];
const task = async () => (await s.say('', 'add', 'The login', '--protocol', 'lifecycle')).data.id;
const placeOf = ({ data }: { readonly data: { readonly [name: string]: unknown } }) =>
  (data.to as { id: string }).id;

/** What a task waits for: the names of its parts and their states. */
async function partsOf(ref: string): Promise<Readonly<Record<string, string>>> {
  const { item } = await s.with(({ ports }) => loadItem(ports, ref));
  return Object.fromEntries(
    Object.entries(item.members.parts ?? {}).map(([name, { state }]) => [name, state]),
  );
}

test('a part that quality rejected, and one that lost its proof pack, leave their place to what follows them', async () => {
  s = await openSession();
  const whole = await task();
  const rejected = await bring(s, 'verified', '--part-of', whole);
  expect((await s.say('quality-validator', 'report', rejected, '--reject', '--finding', 'bare')).code).toBe(
    0,
  );
  const again = (await s.say('orchestrator', 'follow-up', rejected, 'Again')).data.id;
  expect(await partsOf(whole)).toEqual({ [again]: 'pending' });
  const lost = await bring(s, 'verified', '--part-of', whole);
  rmSync(join(s.repo.top, String((await s.say('', 'show', lost)).data.proofpack)));
  const anew = placeOf(await s.say('', 'protocol', 'migrate', lost, ...WHY));
  expect(await partsOf(whole)).toEqual({ [again]: 'pending', [anew]: 'pending' });
  expect((await s.text('', 'audit', 'verify')).out).not.toMatch(/link|part/);
});

test('neither a part nor a task with parts is moved to where the other would never hear of it', async () => {
  s = await openSession();
  const whole = await task();
  const part = await bring(s, 'pending', '--part-of', whole);
  const before = [await s.snapshot(whole), await s.snapshot(part)];
  const moved = await s.say('', 'protocol', 'migrate', part, '--to', 'lifecycle', ...WHY);
  expect(moved.error.message).toContain(`${part} is part of ${whole}, and lifecycle tells no task`);
  const left = await s.say('', 'protocol', 'migrate', whole, '--to', 'two-phase', ...WHY);
  expect(left.error.message).toContain(`${whole} has parts (${part})`);
  expect([await s.snapshot(whole), await s.snapshot(part)]).toEqual(before);
  expect((await s.say('', 'list')).data.items).toHaveLength(2);
});

test('what others wait for is not moved to a table that tells them nothing', async () => {
  s = await openSession();
  const first = await bring(s, 'pending');
  const second = await bring(s, 'pending', '--depends-on', first);
  const moved = await s.say('', 'protocol', 'migrate', first, '--to', 'staged', ...WHY);
  expect(moved.error.message).toContain(`${second} waits for ${first}, and staged does not tell`);
});
