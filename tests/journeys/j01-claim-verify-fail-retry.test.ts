import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProofPack } from '../../src/attestation/proof-pack.ts';
import { readRoster } from '../../src/engine/roster.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';

// J01: one item from its first claim over three failures to completion, and one with quality validation.
const CRITERIA = `schema: countersign/criteria/1
name: default
evidence:
  - {type: notes, match: "notes/**"}
checks:
  - {id: browser_screenshot, kind: file, path: shots/dashboard.png}
  - id: component_tests
    kind: command
    run: [node, --test, --test-reporter=tap, tests]
    report: {format: tap}
  - {id: visual_review, kind: file, path: review.md, contains: "looks right"}
`;
const suite = (results: readonly boolean[]) =>
  `import t from 'node:test';\n${results
    .map((ok, n) => `t('case ${n}', () => { if (!${ok}) throw new Error('case ${n}'); });`)
    .join('\n')}\n`;

const BUILDER = 'react-18-specialist';
const VERIFIER = 'verification-agent';
let s: Session;
let program: Program;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession({ criteria: CRITERIA, config: '', ownerRoles: ['workflow-orchestrator'] });
  s.at(new Date(Date.now() - 3_600_000).toISOString());
});
afterAll(() => {
  program.remove();
  s.close();
});

const look = async (id: string) => (await s.say('', 'show', id)).data;

/** A pack of the item, opened with the keys that the roster knows. */
async function opened(path: unknown) {
  const signed = String(path).replace(/\.json$/, '.intoto.jsonl');
  return s.with(async ({ ports }) => {
    const { roster } = await readRoster(ports);
    const keys = [...roster.keys.values()].map(({ keyid, publicPem }) => ({ keyid, publicPem }));
    return openProofPack(readFileSync(join(s.repo.top, signed)), keys);
  });
}

test('the orchestrator adds an item and gives it to a specialist, who begins', async () => {
  expect((await s.say('orchestrator', 'add', 'Implement dashboard UI')).data).toMatchObject({
    id: 'T-1',
    status: 'pending',
  });
  expect((await s.say(BUILDER, 'next')).data.next).toMatchObject([
    { id: 'T-1', command: `countersign --actor ${BUILDER} claim T-1` },
  ]);
  expect((await s.say('orchestrator', 'dispatch', 'T-1', '--to', BUILDER)).code).toBe(0);
  expect((await s.say(BUILDER, 'start', 'T-1')).code).toBe(0);
});

test('a claim without work and a claim without its evidence are refused; with both it stands', async () => {
  expect((await s.say(BUILDER, 'claim', 'T-1')).code).toBe(3);
  s.repo.commit({ 'tests/ui.test.mjs': suite([true, false, false, false]) });
  expect((await s.text(BUILDER, 'claim', 'T-1')).err).toContain('evidence of type notes');
  s.repo.write('notes/first.md', 'what was done');
  const claimed = await s.text(BUILDER, 'claim', 'T-1', '--evidence', 'notes=notes/first.md');
  expect([claimed.code, claimed.out]).toEqual([0, expect.stringContaining('Status: CLAIMED')]);
});

test('three checks fail: the hard-block report says who, what, where, and what now', async () => {
  const { code, out } = await s.text(VERIFIER, 'verify', 'T-1');
  expect(code).toBe(4);
  const { failures, proofpack, claimed_at, verified_at } = await look('T-1');
  expect(failures).toEqual([
    expect.stringMatching(/^browser_screenshot - /),
    expect.stringMatching(/^component_tests - 3 of 4 tests failed/),
    expect.stringMatching(/^visual_review - /),
  ]);
  const report = out.slice(out.indexOf('TASK BLOCKED')).split('\n');
  expect(report.slice(0, 5)).toEqual([
    'TASK BLOCKED: verification failed for T-1',
    '',
    'Task: Implement dashboard UI',
    `Claimed by: ${BUILDER} at ${claimed_at}`,
    `Verified by: ${VERIFIER} at ${verified_at} (asked for by ${VERIFIER})`,
  ]);
  expect(report).toContain('Failed verifications (3):');
  expect(report).toContain(`Evidence: ${proofpack}`);
  expect(report.at(-2)).toBe('Work on this list cannot go on until ALL verifications pass.');
});

test('the reset is refused, the failures are acknowledged at a terminal and only there, and the reset is done', async () => {
  expect((await s.say('orchestrator', 'retry', 'T-1')).code).toBe(3);
  expect((await s.say('orchestrator', 'ack', 'T-1')).code).toBe(3);
  expect((await inProcess(program, s, ['ack', 'T-1'])).code).toBe(7);
  expect((await look('T-1')).status).toBe('blocked');
  expect((await inTerminal(program, s, ['ack', 'T-1'], (code) => `${code}\r`)).code).toBe(0);
  expect((await s.say(BUILDER, 'retry', 'T-1')).code).toBe(7);
  const reset = (await s.say('orchestrator', 'retry', 'T-1')).data;
  expect(reset).toMatchObject({ status: 'pending', previous_attempt: { claimed_by: BUILDER } });
});

test('the work is mended, claimed, verified and completed', async () => {
  expect((await s.say('orchestrator', 'dispatch', 'T-1', '--to', BUILDER)).code).toBe(0);
  s.repo.commit({
    'tests/ui.test.mjs': suite([true, true, true, true]),
    'shots/dashboard.png': 'png',
    'review.md': 'It looks right.\n',
    'notes/second.md': 'mended',
  });
  expect((await s.say(BUILDER, 'claim', 'T-1')).code).toBe(0);
  expect((await s.say('orchestrator', 'complete', 'T-1')).code).toBe(6);
  const verified = await s.say(VERIFIER, 'verify', 'T-1');
  expect(verified).toMatchObject({ code: 0, data: { verdict: 'PASSED', independence: 'other-lineage' } });
  const done = await s.text('orchestrator', 'complete', 'T-1');
  expect(done.out).toContain('T-1 completed with verification: Implement dashboard UI');
});

test('with quality validation asked for, the validator has the last word before completion', async () => {
  await s.say('orchestrator', 'add', 'Implement login screen', '--quality');
  s.repo.commit({ 'notes/login.md': 'login', 'login.js': '' });
  expect((await s.say(BUILDER, 'claim', 'T-2')).code).toBe(0);
  expect((await s.say(VERIFIER, 'verify', 'T-2')).code).toBe(0);
  expect((await s.say('orchestrator', 'complete', 'T-2')).code).toBe(3);
  expect((await s.say(BUILDER, 'report', 'T-2', '--approve')).code).toBe(7);
  expect((await s.say('quality-validator', 'report', 'T-2', '--approve')).code).toBe(0);
  expect((await s.say('orchestrator', 'complete', 'T-2')).data.status).toBe('completed');
});

test('the record says who did and who confirmed, over both attempts', async () => {
  const { accountability, attempts } = await look('T-1');
  expect(accountability).toMatchObject({
    implemented_by: BUILDER,
    verified_by: VERIFIER,
    completed_by: 'orchestrator',
    attempt: 2,
  });
  expect(attempts).toMatchObject([{ claimed_by: BUILDER, failures: { length: 3 } }]);
  const { out } = await s.text('', 'log', 'T-1');
  for (const line of [
    'opened as pending',
    'dispatch: pending',
    'REFUSED claim',
    'REFUSED retry',
    'proof-pack BLOCKED',
    'failure-review seen',
    'retry: blocked',
    'proof-pack PASSED',
    'complete: verified',
  ]) {
    expect(out).toContain(line);
  }
});

test('2PC-86: both packs are on disk, and each verifies with the keys of the roster and with no others', async () => {
  const { proofpack, attempts } = await look('T-1');
  const paths = [attempts?.[0]?.proofpack, proofpack];
  const packs = await Promise.all(paths.map(opened));
  expect(packs.map((p) => [p.status, p.verdict?.verdict])).toEqual([
    ['valid', 'BLOCKED'],
    ['valid', 'PASSED'],
  ]);
  expect(packs.map((p) => p.verdict?.item.display)).toEqual(['T-1', 'T-1']);
  const bytes = readFileSync(join(s.repo.top, String(proofpack).replace(/\.json$/, '.intoto.jsonl')));
  expect(openProofPack(bytes, []).status).toBe('cannot-tell');
  const { roster } = await s.with(({ ports }) => readRoster(ports));
  const edited = Buffer.from(bytes.toString('utf8').replace(/"payload":"./, '"payload":"A'));
  expect(openProofPack(edited, [...roster.keys.values()]).status).toBe('broken');
  const folder = join(s.repo.top, '.git/countersign/proofpacks');
  expect(readdirSync(folder).filter((name) => name.startsWith('dashboard-ui-'))).toHaveLength(4);
});

test('an old list is taken over beside it: what it calls done is kept, and counts as nothing verified', async () => {
  const old = { content: 'Draw the logo', status: 'completed', activeForm: 'Drawing the logo' };
  const extended = {
    ...old,
    content: 'Choose a font',
    status: 'claimed',
    claimed_by: BUILDER,
    phase: 'verification',
  };
  s.repo.write('todo.json', JSON.stringify([old, extended]));
  const { data } = await s.say('', 'import', 'todo', join(s.repo.top, 'todo.json'), '--list', 'old');
  expect(data.todos).toMatchObject([{ state: 'completed' }, { state: 'pending' }]);
  expect((await s.say('', 'list')).data.progress).toMatchObject({ done: 2, legacy: 1, total: 4 });
});

test('the board shows what is done', async () => {
  expect((await s.text('', 'list', '--list', 'main')).out).toContain('2 of 2 done (2 completed)');
  expect((await s.text('orchestrator', 'next', '--list', 'main')).out).toContain('Nothing is open.');
});
