import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Said, type Session } from '../session.ts';
import { bring, DEVELOPER, STATES } from './bring.ts';

// Section E: the fields of an item, read after every step of one long walk: three failures, then a pass.
const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: browser_screenshot, kind: file, path: shot.png}
  - id: component_tests
    kind: command
    run: [node, --test, --test-reporter=tap, tests]
    report: {format: tap}
  - {id: visual_review, kind: file, path: review.md, contains: approved}
`;
const FAILING = [1, 2, 3].map((n) => `t('case ${n}', () => a.equal(${n}, 0));\n`).join('');
const tests = (body: string) =>
  `import t from 'node:test';\nimport a from 'node:assert/strict';\nt('holds', () => {});\n${body}`;

let s: Session;
type Data = Said['data'];
const seen: Record<string, Data> = {};
beforeAll(async () => {
  s = await openSession({ criteria: CRITERIA });
  const look = async (name: string) => {
    seen[name] = (await s.say('', 'show', 'T-1')).data;
  };
  s.at('2025-10-24T21:30:00Z');
  await s.say('orchestrator', 'add', 'Implement login screen');
  await look('pending');
  await s.say('orchestrator', 'dispatch', 'T-1', '--to', DEVELOPER);
  await look('in_progress');
  s.repo.commit({ 'tests/a.test.mjs': tests(FAILING) });
  s.at('2025-10-24T22:00:00Z');
  await s.say(DEVELOPER, 'claim', 'T-1');
  await look('claimed');
  s.at('2025-10-24T22:05:00Z');
  await s.say('verification-agent', 'verify', 'T-1');
  await look('blocked');
  await s.say('orchestrator', 'ack', 'T-1');
  await s.say('orchestrator', 'retry', 'T-1');
  await look('retried');
  s.repo.commit({ 'shot.png': 'png' });
  await s.say('react-18-specialist', 'claim', 'T-1');
  await s.say('verification-agent', 'verify', 'T-1');
  await s.say('orchestrator', 'ack', 'T-1');
  await s.say('orchestrator', 'retry', 'T-1');
  await look('again');
  s.repo.commit({ 'tests/a.test.mjs': tests(''), 'review.md': 'approved' });
  await s.say(DEVELOPER, 'claim', 'T-1');
  s.at('2025-10-24T23:05:00Z');
  await s.say('verification-agent', 'verify', 'T-1');
  await look('verified');
  s.at('2025-10-24T23:10:00Z');
  await s.say('orchestrator', 'complete', 'T-1');
  await look('completed');
});
afterAll(() => s.close());
const at = (name: string): Data => seen[name] ?? ({} as Data);
const packOf = (name: string) =>
  JSON.parse(readFileSync(join(s.repo.top, String(at(name).proofpack)), 'utf8'));

test('2PC-39: claimed_by is whoever the credential shows; no flag sets it', async () => {
  expect(at('claimed').claimed_by).toBe(DEVELOPER);
  const id = await bring(s, 'pending', '--list', 'other');
  for (const flag of ['--by', '--claimed-by', '--agent']) {
    expect((await s.say(DEVELOPER, 'claim', id, flag, 'react-18-specialist')).code).toBe(2);
  }
});

test('2PC-40, 2PC-42, 2PC-45: the times are those of the steps, in UTC, in their order', () => {
  expect(at('claimed').claimed_at).toBe('2025-10-24T22:00:00.000Z');
  expect(at('blocked').verified_at).toBe('2025-10-24T22:05:00.000Z');
  expect(at('verified').verified_at).toBe('2025-10-24T23:05:00.000Z');
  const { claimed_at = '', verified_at = '', completed_at = '' } = at('completed');
  expect(completed_at).toBe('2025-10-24T23:10:00.000Z');
  expect([claimed_at, verified_at, completed_at]).toEqual([claimed_at, verified_at, completed_at].toSorted());
  expect(at('verified')).not.toHaveProperty('completed_at');
});

test('2PC-41, 2PC-42: verified_by is the verification role, also when the outcome is blocked', () => {
  for (const name of ['blocked', 'verified', 'completed'])
    expect(at(name).verified_by).toBe('verification-agent');
});

test('2PC-43: the proofpack path opens a pack of this item with this verdict', () => {
  expect(packOf('blocked')).toMatchObject({ item_id: 'T-1', verdict: 'BLOCKED' });
  expect(packOf('verified')).toMatchObject({ item_id: 'T-1', verdict: 'PASSED' });
});

test('2PC-44: assigned_to names the specialist of the dispatch', () => {
  expect(at('pending')).not.toHaveProperty('assigned_to');
  expect(at('in_progress').assigned_to).toBe(DEVELOPER);
});

test('2PC-46, 2PC-47: a blocked item has one failure per failed check: its id, " - ", and how many failed', () => {
  expect(at('blocked').failures).toEqual([
    expect.stringMatching(/^browser_screenshot - /),
    expect.stringMatching(/^component_tests - 3 of 4 tests failed/),
    expect.stringMatching(/^visual_review - /),
  ]);
  for (const name of ['claimed', 'retried', 'verified']) expect(at(name)).not.toHaveProperty('failures');
});

test('2PC-48: previous_attempt is the latest one, and attempts keeps both', () => {
  const { previous_attempt: latest, attempts = [] } = at('again');
  expect(latest).toMatchObject({ claimed_by: 'react-18-specialist' });
  expect(latest?.failures).toHaveLength(2);
  expect(attempts.map((a) => [a.claimed_by, a.failures.length])).toEqual([
    [DEVELOPER, 3],
    ['react-18-specialist', 2],
  ]);
  expect(at('completed').attempts).toEqual(attempts);
});

test.each([
  ['pending', 'Implementing login screen'],
  ['in_progress', 'Implementing login screen'],
  ['claimed', 'Verifying login screen implementation'],
  ['blocked', 'Login screen verification failed'],
  ['retried', 'Implementing login screen (retry after failures)'],
  ['verified', 'Completing login screen'],
  ['completed', 'Login screen complete'],
])('2PC-49: activeForm of %s is "%s"', (name, expected) => {
  expect(at(name).activeForm).toBe(expected);
});

describe('2PC-50: the phase follows from the status', () => {
  const phases = [
    'implementation',
    'implementation',
    'verification',
    'completion',
    'verification',
    'completion',
  ];
  test.each(STATES.map((state, i) => [state, phases[i]]))('%s is %s', (state, phase) => {
    expect(at(state)).toMatchObject({ status: state, phase });
  });
});

test('2PC-51: completion changes none of the five fields of claim and verification', () => {
  const five = ({ claimed_by, claimed_at, verified_by, verified_at, proofpack }: Data) => ({
    ...{ claimed_by, claimed_at, verified_by, verified_at, proofpack },
  });
  expect(five(at('completed'))).toEqual(five(at('verified')));
  expect(Object.values(five(at('completed'))).every((value) => typeof value === 'string')).toBe(true);
});

test('2PC-53: the pack is named after the item and the second of its verification', () => {
  expect(basename(String(at('blocked').proofpack))).toBe('login-screen-20251024T220500Z.json');
  expect(basename(String(at('verified').proofpack))).toBe('login-screen-20251024T230500Z.json');
  expect(packOf('verified').verified_at).toBe(at('verified').verified_at);
});

test('2PC-54: a pack tells item, verdict, every criterion with its result, and why one failed', async () => {
  const { item_id, verdict, criteria_results, failures } = packOf('blocked');
  expect([item_id, verdict]).toEqual(['T-1', 'BLOCKED']);
  expect(criteria_results.map((c: { id: string; met: boolean }) => [c.id, c.met])).toEqual([
    ['browser_screenshot', false],
    ['component_tests', false],
    ['visual_review', false],
  ]);
  expect(failures).toEqual(at('blocked').failures);
  const sha = criteria_results[1].output.sha256;
  const output = await s.with(async ({ ports }) => ports.evidence.get(sha)?.toString('utf8'));
  expect(output).toContain('not ok');
  const passed = packOf('verified').criteria_results.map((c: { met: boolean }) => c.met);
  expect(passed).toEqual([true, true, true]);
});
