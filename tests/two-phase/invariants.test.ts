import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OWNER, openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section A: what holds whatever else happens.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

test('2PC-01: no call claims and verifies at once: each way to say so is refused and the item stays pending', async () => {
  const id = await bring(s, 'pending');
  work(s);
  const before = await s.snapshot(id);
  for (const extra of [['--verified'], ['--status', 'verified'], ['--verify'], ['verify', id]]) {
    expect((await s.say(DEVELOPER, 'claim', id, ...extra)).code).toBe(2);
  }
  expect((await s.say('verification-agent', 'verify', id, '--commit', 'HEAD')).code).toBe(2);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(6);
  expect(await s.snapshot(id)).toBe(before);
});

test('2PC-01: in the log, what claimed and what verified are two commands of two actors', async () => {
  const id = await bring(s, 'verified');
  const stored = await s.with(async ({ ports }) => {
    const row = await ports.store.itemByNumber(1);
    return ports.store.read(`item/${row?.id}`);
  });
  const moved = (to: string) =>
    stored.find((e) => e.body.includes(`"to":"${to}"`) && e.body.includes('"moved"'));
  expect(moved('claimed')?.command).not.toBe(moved('verified')?.command);
  const [claimed, verified] = (await s.events(id)).filter(
    (e) => e.type === 'moved' && ['claim', 'verify'].includes(e.command),
  );
  expect([claimed?.by, verified?.by]).toEqual([DEVELOPER, 'verification-agent']);
});

test('2PC-02: specialist, orchestrator, quality validator and the person at the machine cannot verify; the verifier can', async () => {
  const id = await bring(s, 'claimed');
  const before = await s.snapshot(id);
  for (const actor of [DEVELOPER, 'react-18-specialist', 'orchestrator', 'quality-validator', '']) {
    const { code, error } = await s.say(actor, 'verify', id);
    expect([actor, code, error.code]).toEqual([actor, 7, 'wrong-role']);
  }
  expect(await s.snapshot(id)).toBe(before);
  const verified = await s.say('verification-agent', 'verify', id);
  expect([verified.code, verified.data.status, verified.data.verdict]).toEqual([0, 'verified', 'PASSED']);
});

describe('2PC-04: without its evidence a verified item is not completed', () => {
  test.each([
    ['the proof pack was deleted', (path: string) => rmSync(path), 'is missing'],
    ['the proof pack was edited', (path: string) => writeFileSync(path, '{}'), 'was changed'],
    ['the signed pack was deleted', (path: string) => rmSync(signed(path)), 'is missing'],
    ['the signed pack was edited', (path: string) => writeFileSync(signed(path), ''), 'was changed'],
  ])('%s', async (_, damage, because) => {
    const id = await bring(s, 'verified');
    const { data } = await s.say('', 'show', id);
    const before = await s.snapshot(id);
    damage(join(s.repo.top, String(data.proofpack)));
    const { code, error } = await s.say('orchestrator', 'complete', id);
    expect([code, error.code]).toEqual([3, 'gate-closed']);
    expect(error.missing.map((m) => m.because).join()).toContain(because);
    expect(error.next.join()).toContain(`a person runs: countersign protocol migrate ${id} --reason`);
    expect(error.next.join()).toContain(
      `where there is no copy, quality-validator or human says: countersign report ${id} --reject`,
    );
    expect(await s.snapshot(id)).toBe(before);
    expect((await s.say('quality-validator', 'report', id, '--reject', '--finding', 'lost')).code).toBe(0);
    expect((await s.say('orchestrator', 'follow-up', id, 'Anew')).code).toBe(0);
  });

  test('what was approved before its proof pack was lost begins anew, by a person alone', async () => {
    const id = await bring(s, 'verified');
    expect((await s.say('quality-validator', 'report', id, '--approve')).code).toBe(0);
    const anew = ['protocol', 'migrate', id, '--reason', 'its proof pack is lost'];
    expect((await s.say('', ...anew)).error.message).toContain('follows two-phase');
    rmSync(join(s.repo.top, String((await s.say('', 'show', id)).data.proofpack)));
    const { error } = await s.say('orchestrator', 'complete', id);
    expect(error.next.join()).toContain(
      `a person runs: countersign protocol migrate ${id} --reason "its pro`,
    );
    expect((await s.say('orchestrator', ...anew)).error.code).toBe('NO_CREDENTIAL');
    const { data, code } = await s.say('', ...anew);
    expect([code, data.to]).toMatchObject([0, { status: 'pending' }]);
    expect((await s.say('', ...anew)).error.message).toContain('was replaced by');
    const { out } = await s.text('', 'audit', 'verify');
    expect(out.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      expect.stringContaining('is missing'),
    ]);
  });

  const signed = (path: string) => path.replace(/\.json$/, '.intoto.jsonl');
});

test('2PC-05: a claim does not unlock what waits for it; a verification does', async () => {
  const first = await bring(s, 'claimed');
  const second = await bring(s, 'pending', '--depends-on', first);
  const suggested = async () => {
    const { data } = await s.say('orchestrator', 'next');
    return (data.next as { id: string }[]).map((item) => item.id);
  };
  expect(await suggested()).not.toContain(second);
  expect((await s.say('orchestrator', 'dispatch', second, '--to', DEVELOPER)).code).toBe(3);
  expect((await s.say(DEVELOPER, 'claim', second)).code).toBe(3);
  await s.say('verification-agent', 'verify', first);
  expect(await suggested()).toContain(second);
  expect((await s.say('orchestrator', 'dispatch', second, '--to', DEVELOPER)).code).toBe(0);
});

test('the person of the machine is its owner, and the agents are known', async () => {
  const known = (await s.say('nobody', 'list')).error.hint;
  for (const name of [OWNER, DEVELOPER, 'verification-agent']) expect(known).toContain(name);
});

test('what can be begun is found behind many items that wait', async () => {
  const first = await bring(s, 'in_progress');
  for (let n = 0; n < 45; n++) await bring(s, 'pending', '--depends-on', first);
  const free = await bring(s, 'pending');
  const { data } = await s.say('orchestrator', 'next');
  expect((data.next as { id: string }[]).map((item) => item.id)).toEqual([free]);
});
