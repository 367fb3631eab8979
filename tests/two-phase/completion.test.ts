import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// Section H: phase 3, completion.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

test('2PC-70: the verified items are listed, and no others', async () => {
  for (const list of ['a', 'b', 'c']) await bring(s, 'pending', '--list', list);
  await bring(s, 'claimed', '--list', 'd');
  const verified = await bring(s, 'verified', '--list', 'e');
  const { data } = await s.say('orchestrator', 'list', '--state', 'verified');
  expect((data.items as { id: string }[]).map((i) => i.id)).toEqual([verified]);
});

test('2PC-71: with validation on, the validator is sent to the item with its proof pack; with it off, it is not', async () => {
  const off = await bring(s, 'verified');
  expect((await s.say('quality-validator', 'next')).data.next).toEqual([]);
  expect((await s.say('orchestrator', 'complete', off)).code).toBe(0);
  const on = await bring(s, 'verified', '--quality');
  const [sent] = (await s.say('quality-validator', 'next')).data.next as Record<string, string>[];
  expect(sent).toMatchObject({
    id: on,
    command: `countersign --actor quality-validator report ${on} --approve`,
  });
  expect(JSON.parse(readFileSync(join(s.repo.top, sent?.proofpack ?? ''), 'utf8'))).toMatchObject({
    item_id: on,
  });
  await s.say('quality-validator', 'report', on, '--approve');
  expect((await s.say('quality-validator', 'next')).data.next).toEqual([]);
});

test('2PC-71: criteria can ask for quality validation where the item does not', async () => {
  const criteria = `schema: countersign/criteria/1
name: default
requires_quality_validation: true
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
`;
  const other = await openSession({ criteria });
  const id = await bring(other, 'verified');
  expect((await other.say('orchestrator', 'complete', id)).code).toBe(3);
  expect((await other.say('quality-validator', 'next')).data.next).toMatchObject([{ id }]);
  await other.say('quality-validator', 'report', id, '--approve');
  expect((await other.say('orchestrator', 'complete', id)).code).toBe(0);
  other.close();
});

test('2PC-12, 2PC-24: a rejection that nobody asked for bars completion as well, and new work is the way on', async () => {
  const id = await bring(s, 'verified');
  await s.say('quality-validator', 'report', id, '--reject', '--finding', 'slow');
  const before = await s.snapshot(id);
  const refused = await s.say('orchestrator', 'complete', id);
  expect(refused.code).toBe(3);
  expect(refused.error.missing.map((m) => m.because)).toEqual(['the quality verdict says REJECTED']);
  expect(refused.error.next).toEqual([`countersign --actor orchestrator follow-up ${id} "TITLE"`]);
  expect(await s.snapshot(id)).toBe(before);
  const after = await s.say('orchestrator', 'follow-up', id, 'Make it quick');
  expect([after.code, (await s.say('', 'show', id)).data.superseded_by]).toEqual([0, after.data.id]);
});

test('2PC-72: completion stores status, phase and time', async () => {
  const id = await bring(s, 'verified');
  s.at('2025-10-24T22:10:00Z');
  expect((await s.say('orchestrator', 'complete', id)).data).toMatchObject({
    status: 'completed',
    phase: 'completion',
    completed_at: '2025-10-24T22:10:00.000Z',
  });
});

test('2PC-73: the report of a completion names implementer, verifier and evidence as they are stored', async () => {
  const id = await bring(s, 'verified');
  const { claimed_at, verified_at, proofpack } = (await s.say('', 'show', id)).data;
  const { out } = await s.text('orchestrator', 'complete', id);
  expect(out).toContain(`- Implementation: ${DEVELOPER} at ${claimed_at}`);
  expect(out).toContain(`- Verification: verification-agent at ${verified_at}`);
  expect(out).toContain(`- Evidence: ${proofpack}`);
});
