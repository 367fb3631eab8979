import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section C: the transitions that are allowed, each by its own actor.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

test('2PC-14: the orchestrator dispatches a pending item and names the specialist', async () => {
  const id = await bring(s, 'pending');
  const said = await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  expect(said.data).toMatchObject({ status: 'in_progress', assigned_to: DEVELOPER });
});

test('2PC-15: the assigned specialist claims an item in progress, with the evidence it names', async () => {
  const id = await bring(s, 'in_progress');
  work(s);
  s.repo.write('before.txt', 'one');
  s.repo.write('after.txt', 'two');
  const said = await s.say(DEVELOPER, 'claim', id, '--evidence', 'screenshot=before.txt', 'after.txt');
  expect([said.code, said.data.status]).toEqual([0, 'claimed']);
  const claim = (await s.events(id)).at(-1);
  expect(claim).toMatchObject({
    facts: {
      evidence: [
        { path: 'before.txt', type: 'screenshot', bytes: 3 },
        { path: 'after.txt', type: '' },
      ],
    },
  });
});

test('2PC-16: a specialist claims a pending item, and the history shows the implied start', async () => {
  const id = await bring(s, 'pending');
  work(s);
  expect((await s.say(DEVELOPER, 'claim', id)).data.status).toBe('claimed');
  const moves = (await s.events(id)).filter((e) => e.type === 'moved');
  expect(moves.map((m) => [m.from, m.to, m.reason])).toEqual([
    ['pending', 'in_progress', 'implied by claim'],
    ['in_progress', 'claimed', ''],
  ]);
});

test('2PC-17: with every check passed the verifier verifies a claim, on a pack that says PASSED', async () => {
  const id = await bring(s, 'claimed');
  const said = await s.say('verification-agent', 'verify', id);
  expect(said).toMatchObject({ code: 0, data: { status: 'verified', verdict: 'PASSED' } });
});

test('2PC-18: one failed check of nine blocks a claim, on a pack that says BLOCKED', async () => {
  const check = (n: number) =>
    `  - {id: check-${n}, kind: file, path: ${n === 5 ? 'absent' : 'README.md'}}\n`;
  const checks = Array.from({ length: 9 }, (_, n) => check(n)).join('');
  const other = await openSession({
    criteria: `schema: countersign/criteria/1\nname: default\nchecks:\n${checks}`,
  });
  const id = await bring(other, 'claimed');
  const said = await other.say('verification-agent', 'verify', id);
  expect(said).toMatchObject({ code: 4, data: { status: 'blocked', verdict: 'BLOCKED' } });
  expect(said.data.checks).toHaveLength(9);
  expect(said.data.failures).toEqual([expect.stringMatching(/^check-5 - /)]);
  other.close();
});

test('2PC-19, 2PC-23: a blocked item goes back to pending only after its failures were acknowledged', async () => {
  const id = await bring(s, 'blocked');
  const pack = (await s.say('', 'show', id)).data.proofpack;
  const early = await s.text('orchestrator', 'retry', id);
  expect(early.code).toBe(3);
  expect(early.err).toContain(`the failure report: ${pack}`);
  expect((await s.say('orchestrator', 'ack', id)).code).toBe(0);
  expect((await s.say('orchestrator', 'retry', id)).data.status).toBe('pending');
});

test('2PC-20: the orchestrator completes a verified item, and the final report is written', async () => {
  const id = await bring(s, 'verified');
  expect((await s.say('orchestrator', 'complete', id)).data.status).toBe('completed');
  const report = (await s.events(id)).find((e) => e.type === 'recorded' && e.kind === 'final-report');
  const digest = report?.type === 'recorded' ? String(report.facts.report) : '';
  const kept = await s.with(async ({ ports }) => ports.evidence.get(digest)?.toString('utf8'));
  expect(JSON.parse(kept ?? '')).toMatchObject({
    item: id,
    verified_by: 'verification-agent',
    quality: 'not asked for',
  });
});

test('2PC-21: a claim that shows nothing is refused, and evidence that is not there is named', async () => {
  const id = await bring(s, 'in_progress');
  const before = await s.snapshot(id);
  const nothing = await s.say(DEVELOPER, 'claim', id);
  expect(nothing.code).toBe(3);
  expect(nothing.error.missing.map((m) => m.because).join()).toContain('nothing changed');
  const bare = await s.say(DEVELOPER, 'claim', id, '--no-change');
  expect(bare.error.missing.map((m) => m.because).join()).toContain('needs evidence');
  work(s);
  const absent = await s.text(DEVELOPER, 'claim', id, '--evidence', 'README.md', 'gone.png', 'shot=lost.png');
  expect(absent.code).toBe(3);
  expect(absent.err).toContain('missing evidence files: gone.png, lost.png');
  expect(await s.snapshot(id)).toBe(before);
});

test('2PC-24: where quality validation is asked for, completion waits for an approving report', async () => {
  const id = await bring(s, 'verified', '--quality');
  const early = await s.say('orchestrator', 'complete', id);
  expect([early.code, early.error.missing[0]?.because]).toEqual([3, 'there is no quality verdict']);
  expect(early.error.next).toContain(
    `countersign report ${id} --approve  [quality-validator or human (ada, quality-validator)]`,
  );
  expect((await s.say('orchestrator', 'report', id, '--approve')).code).toBe(7);
  expect((await s.say('quality-validator', 'report', id, '--approve')).code).toBe(0);
  expect((await s.say('orchestrator', 'complete', id)).data.status).toBe('completed');
});

test('2PC-24: a rejecting report keeps the item from completion for good; a follow-up takes its place', async () => {
  const id = await bring(s, 'verified', '--quality');
  expect((await s.say('quality-validator', 'report', id, '--reject')).code).toBe(2);
  await s.say('quality-validator', 'report', id, '--reject', '--finding', 'no test for empty names');
  expect((await s.say('orchestrator', 'complete', id)).code).toBe(3);
  expect((await s.say('quality-validator', 'report', id, '--approve')).code).toBe(3);
  const next = await s.say('orchestrator', 'follow-up', id, 'Mend the login screen');
  expect(next.data).toMatchObject({ status: 'pending', content: 'Mend the login screen' });
  expect((await s.say('', 'show', id)).data.superseded_by).toBe(next.data.id);
});

test('a project that demands quality validation gets it for every item, and none can ask for less', async () => {
  const config = 'settings: {acknowledge: orchestrator, quality_validation: true}\n';
  const other = await openSession({ config });
  const id = await bring(other, 'verified');
  expect((await other.say('orchestrator', 'complete', id)).code).toBe(3);
  other.close();
});

test('in progress goes back to pending when the orchestrator releases it', async () => {
  const id = await bring(s, 'in_progress');
  expect((await s.say(DEVELOPER, 'release', id)).code).toBe(7);
  const released = (await s.say('orchestrator', 'release', id)).data;
  expect(released.status).toBe('pending');
  expect(released).not.toHaveProperty('assigned_to');
});
