import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// What takes the place of an item whose proof pack is lost shows the same work again: nobody relies on the old verdict.
let s: Session;
afterEach(() => s.close());

/** A verified item that quality looked at and that lost its proof pack, and what a person put in its place, given out. */
async function anew(verdict: '--approve' | '--reject'): Promise<string> {
  const old = await bring(s, 'verified');
  await s.say('quality-validator', 'report', old, verdict, '--finding', 'looked at');
  rmSync(join(s.repo.top, String((await s.say('', 'show', old)).data.proofpack)));
  const moved = await s.say('', 'protocol', 'migrate', old, '--reason', 'its proof pack is lost');
  const { id } = moved.data.to as { id: string };
  expect((await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER)).code).toBe(0);
  return id;
}

test('2PC-04: its own commit is claimed and verified again, on a branch', async () => {
  s = await openSession();
  const id = await anew('--approve');
  const claimed = await s.say(DEVELOPER, 'claim', id);
  expect(claimed.err).toBe('');
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(0);
  expect((await s.say('orchestrator', 'complete', id)).code).toBe(0);
});

test('2PC-04: its own commit is claimed and verified again, on the default branch', async () => {
  s = await openSession();
  s.repo.git('checkout', '-q', 'main');
  const id = await anew('--approve');
  const claimed = await s.say(DEVELOPER, 'claim', id);
  expect(claimed.err).toBe('');
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(0);
});

test('what quality rejected is not handed in again as it was', async () => {
  s = await openSession();
  const id = await anew('--reject');
  const { code, out, err } = await s.text(DEVELOPER, 'claim', id);
  expect(code).toBe(3);
  expect(`${out}${err}`).toContain('was verified for T-1 already');
});

test('2PC-04: where the work of another stands on top of its own, whoever claims it is told to name its own', async () => {
  s = await openSession();
  const id = await anew('--approve');
  const own = s.repo.git('rev-parse', 'HEAD');
  const above = (await s.say('orchestrator', 'add', 'Draw the icons')).data.id;
  await s.say('orchestrator', 'dispatch', above, '--to', DEVELOPER);
  work(s);
  await s.say(DEVELOPER, 'claim', above);
  expect((await s.say('verification-agent', 'verify', above)).code).toBe(0);
  const [missing] = (await s.say(DEVELOPER, 'claim', id)).error.missing;
  expect(missing?.fix).toContain('name the commit that is its own with --commit');
  expect((await s.say(DEVELOPER, 'claim', id, '--commit', own)).code).toBe(0);
});
