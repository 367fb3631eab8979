import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section J: the hard block, its report, and the way back.
let s: Session;
afterEach(() => s.close());

const THREE = `schema: countersign/criteria/1
name: default
checks:
  - {id: browser_screenshot, kind: file, path: shot.png}
  - {id: component_tests, kind: command, run: [node, work.js], report: {format: exit}}
  - {id: visual_review, kind: file, path: review.md}
`;

async function blockedOnThree(): Promise<string> {
  s = await openSession({ criteria: THREE });
  return bring(s, 'blocked');
}

test('2PC-79: the hard-block report has every part, and its count is the length of its list', async () => {
  const id = await blockedOnThree();
  const { claimed_at, verified_at, proofpack, failures } = (await s.say('', 'show', id)).data;
  const report = (await s.text('orchestrator', 'next')).out;
  const parts = [
    `TASK BLOCKED: verification failed for ${id}`,
    'Task: Implement login screen',
    `Claimed by: ${DEVELOPER} at ${claimed_at}`,
    `Verified by: verification-agent at ${verified_at}`,
    'Failed verifications (3):',
    ...(failures ?? []).map((failure, i) => `  ${i + 1}. ${failure}`),
    `Evidence: ${proofpack}`,
    'Required actions:',
    'cannot go on until ALL verifications pass',
  ];
  expect(failures).toHaveLength(3);
  const places = parts.map((part) => report.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('2PC-79: the same report answers the verification itself, and stands on the item', async () => {
  s = await openSession({ criteria: THREE });
  const id = await bring(s, 'claimed');
  const verified = await s.text('verification-agent', 'verify', id);
  expect(verified.code).toBe(4);
  const report = verified.out.slice(verified.out.indexOf('TASK BLOCKED'));
  expect((await s.text('', 'show', id)).out).toContain(report.trim());
});

test('2PC-80: the four required actions stand in their order and name the claimant', async () => {
  await blockedOnThree();
  const report = (await s.text('', 'next')).out;
  const actions = [...report.slice(report.indexOf('Required actions')).matchAll(/^ {2}(\d)\. (.*)$/gm)];
  expect(actions.map((a) => a[1])).toEqual(['1', '2', '3', '4']);
  const [fix, reset, again, verify] = actions.map((a) => a[2] ?? '');
  expect(fix).toContain('Fix all 3 failed verifications');
  expect(reset).toContain('reset to PENDING');
  expect(again).toContain(DEVELOPER);
  expect(again).toContain('implements it again');
  expect(verify).toContain('Verification runs again');
});

test('2PC-81: while an item of a list is blocked, nothing else of that list is given out or claimed; other lists go on', async () => {
  s = await openSession();
  const same = await bring(s, 'pending');
  const other = await bring(s, 'pending', '--list', 'other');
  const id = await bring(s, 'blocked');
  const refused = await s.say('orchestrator', 'dispatch', same, '--to', DEVELOPER);
  expect([refused.code, refused.error.missing[0]?.because]).toEqual([3, expect.stringContaining(id)]);
  work(s);
  expect((await s.say(DEVELOPER, 'claim', same)).code).toBe(3);
  expect((await s.say('orchestrator', 'dispatch', other, '--to', DEVELOPER)).code).toBe(0);
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  expect((await s.say('orchestrator', 'dispatch', same, '--to', DEVELOPER)).code).toBe(0);
});

test('2PC-81: a project may let its lists run on', async () => {
  s = await openSession({ config: 'settings: {acknowledge: orchestrator, halt_on_block: false}\n' });
  const same = await bring(s, 'pending');
  await bring(s, 'blocked');
  expect((await s.say('orchestrator', 'dispatch', same, '--to', DEVELOPER)).code).toBe(0);
});

test('2PC-82, 2PC-89: a blocked item says that its verification failed, and exactly what, without its pack being opened', async () => {
  const id = await blockedOnThree();
  const { data } = await s.say('', 'show', id);
  expect(data.activeForm).toContain('verification failed');
  const { out } = await s.text('', 'show', id);
  for (const failure of data.failures ?? []) expect(out).toContain(failure);
  expect(out).toMatch(/component_tests - exit code 1/);
});

test('2PC-83: a reset sets status, phase, a wording that marks the retry, and the attempt that failed', async () => {
  const id = await blockedOnThree();
  const { failures } = (await s.say('', 'show', id)).data;
  await s.say('orchestrator', 'ack', id);
  const reset = (await s.say('orchestrator', 'retry', id)).data;
  expect(reset).toMatchObject({
    status: 'pending',
    phase: 'implementation',
    activeForm: 'Implementing login screen (retry after failures)',
    previous_attempt: { claimed_by: DEVELOPER, failures },
  });
});

test('2PC-84: a reset leaves no trace of the old claim, and the next claim is verified like the first', async () => {
  s = await openSession();
  const id = await bring(s, 'blocked');
  await s.say('orchestrator', 'ack', id);
  const reset = (await s.say('orchestrator', 'retry', id)).data;
  for (const key of ['claimed_by', 'claimed_at', 'verified_by', 'verified_at', 'proofpack', 'failures']) {
    expect(reset).not.toHaveProperty(key);
  }
  work(s);
  const claimed = (await s.say('react-18-specialist', 'claim', id)).data;
  expect(claimed).not.toHaveProperty('verified_by');
  expect((await s.say('verification-agent', 'next')).data.next).toMatchObject([{ id, status: 'claimed' }]);
  expect((await s.say('verification-agent', 'verify', id)).data.status).toBe('verified');
});

test('2PC-78: a second attempt is judged by all criteria again, into a new pack; the same commit is no shortcut', async () => {
  const id = await blockedOnThree();
  const first = (await s.say('', 'show', id)).data.proofpack;
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(6);
  s.repo.commit({ 'work.js': '' });
  await s.say(DEVELOPER, 'claim', id);
  const second = await s.say('verification-agent', 'verify', id);
  expect(second).toMatchObject({ code: 4, data: { status: 'blocked' } });
  expect((second.data.checks as { id: string; outcome: string }[]).map((c) => [c.id, c.outcome])).toEqual([
    ['browser_screenshot', 'fail'],
    ['component_tests', 'pass'],
    ['visual_review', 'fail'],
  ]);
  expect(second.data.proofpack).not.toBe(first);
});

test('2PC-86: the pack of the block is still there, unchanged, after the retry succeeded', async () => {
  s = await openSession();
  const id = await bring(s, 'blocked');
  const first = String((await s.say('', 'show', id)).data.proofpack);
  const text = readFileSync(join(s.repo.top, first), 'utf8');
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  await s.say('verification-agent', 'verify', id);
  const done = (await s.say('orchestrator', 'complete', id)).data;
  expect(readFileSync(join(s.repo.top, first), 'utf8')).toBe(text);
  expect(JSON.parse(text)).toMatchObject({ verdict: 'BLOCKED', item_id: id });
  expect(existsSync(join(s.repo.top, String(done.proofpack)))).toBe(true);
  expect(done.previous_attempt?.proofpack).toBe(first);
});

test('2PC-85: under the policy "user" no agent acknowledges for the person, and without it there is no reset', async () => {
  s = await openSession({ config: '' });
  const id = await bring(s, 'blocked');
  const before = await s.snapshot(id);
  for (const agent of ['orchestrator', DEVELOPER, 'verification-agent']) {
    expect([agent, [3, 7].includes((await s.say(agent, 'ack', id)).code)]).toEqual([agent, true]);
  }
  expect((await s.say('orchestrator', 'retry', id)).code).toBe(3);
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.refusals(id)).map((r) => `${r.by} ${r.attempted}`)).toEqual([
    'orchestrator ack',
    `${DEVELOPER} ack`,
    'verification-agent ack',
    'orchestrator retry',
  ]);
});

test('a reset names the step that leads on from it: its own block does not stand in the way any more', async () => {
  s = await openSession();
  const id = await bring(s, 'blocked');
  await s.say('orchestrator', 'ack', id);
  const told = await s.text('orchestrator', 'retry', id);
  expect(told.out).toMatch(new RegExp(`next: countersign --actor orchestrator dispatch ${id} --to `));
});
