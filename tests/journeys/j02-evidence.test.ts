import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSession, type Session, type Setting } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';

// J02: the work itself is made to look finished. The checks are those of the base, on the claimed commit, run by us.
const TESTS = `schema: countersign/criteria/1
name: default
checks:
  - id: tests
    kind: command
    run: [node, --test, --test-reporter=tap, tests]
    report: {format: tap}
`;
const REPORTED = `schema: countersign/criteria/1
name: default
checks:
  - id: tests
    kind: command
    run: [node, tests/run.mjs]
    report: {format: tap, path: report.tap}
`;
const suite = (ok: boolean) =>
  `import t from 'node:test';\nimport a from 'node:assert/strict';\nimport { sum } from '../sum.mjs';\nt('sum', () => a.equal(sum(1, 2), ${ok ? 3 : 4}));\n`;
const GOOD = 'export const sum = (a, b) => a + b;\n';
const BAD = 'export const sum = (a, b) => a - b;\n';

let s: Session;
const open = async (setting: Partial<Setting>) => {
  s = await openSession(setting);
};
afterEach(() => s.close());

/** Claims what is committed and asks for the verification; answers how it ended and what the first check said. */
async function judged(): Promise<{ code: number; status: string; because: string; outcome: string }> {
  const id = (await s.say('orchestrator', 'add', 'Sum two numbers')).data.id;
  const claimed = await s.say(DEVELOPER, 'claim', id);
  expect(claimed.code).toBe(0);
  const { code, data } = await s.say('verification-agent', 'verify', id);
  const [check] = (data.checks ?? []) as { explanation: string; outcome: string }[];
  return { code, status: data.status, because: check?.explanation ?? '', outcome: check?.outcome ?? '' };
}

test('honest work passes, bad work does not', async () => {
  await open({ criteria: TESTS, files: { 'tests/sum.test.mjs': suite(true) } });
  s.repo.commit({ 'sum.mjs': GOOD });
  expect(await judged()).toMatchObject({ code: 0, status: 'verified' });
  s.repo.commit({ 'sum.mjs': BAD });
  expect(await judged()).toMatchObject({ code: 4, status: 'blocked', outcome: 'fail' });
});

describe('criteria that come with the work decide nothing: the base has its own', () => {
  const softer = {
    'the check is removed':
      'schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: tests, kind: file, path: sum.mjs}\n',
    'the command ends in || true': TESTS.replace(
      'run: [node, --test, --test-reporter=tap, tests]\n    report: {format: tap}',
      'run: node --test tests || true\n    shell: true\n    report: {format: exit}',
    ),
    'the file is no longer criteria': 'checks: nothing\n',
  };
  test.each(Object.entries(softer))('%s', async (_, criteria) => {
    await open({ criteria: TESTS, files: { 'tests/sum.test.mjs': suite(true) } });
    s.repo.commit({ 'sum.mjs': BAD, '.countersign/criteria/default.yaml': criteria });
    expect(await judged()).toMatchObject({ code: 4, status: 'blocked', outcome: 'fail' });
  });

  test('the criteria are deleted', async () => {
    await open({ criteria: TESTS, files: { 'tests/sum.test.mjs': suite(true) } });
    s.repo.git('rm', '-q', '.countersign/criteria/default.yaml');
    s.repo.commit({ 'sum.mjs': BAD });
    expect(await judged()).toMatchObject({ code: 4, status: 'blocked' });
  });

  test('the configuration is softened', async () => {
    await open({ config: 'settings: {acknowledge: orchestrator, quality_validation: true}\n' });
    s.repo.commit({
      '.countersign/config.yaml': 'settings: {quality_validation: false}\n',
      'work.txt': 'done',
    });
    const id = (await s.say('orchestrator', 'add', 'Soften it')).data.id;
    await s.say(DEVELOPER, 'claim', id);
    await s.say('verification-agent', 'verify', id);
    expect((await s.say('orchestrator', 'complete', id)).code).toBe(3);
  });
});

test('a fix that is only in the working tree is not verified', async () => {
  await open({ criteria: TESTS, files: { 'tests/sum.test.mjs': suite(true) } });
  s.repo.commit({ 'sum.mjs': BAD });
  s.repo.write('sum.mjs', GOOD);
  const id = (await s.say('orchestrator', 'add', 'Sum two numbers')).data.id;
  expect((await s.text(DEVELOPER, 'claim', id)).err).toContain('not part of the claimed commit');
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(4);
});

describe('tests that do not run are not tests that pass', () => {
  test('all of them deleted', async () => {
    await open({ criteria: TESTS, files: { 'tests/sum.test.mjs': suite(true) } });
    s.repo.git('rm', '-q', 'tests/sum.test.mjs');
    s.repo.commit({ 'sum.mjs': BAD, 'tests/README.md': 'none' });
    expect((await judged()).status).not.toBe('verified');
  });

  test.each([
    ['skipped', "import t from 'node:test';\nt('sum', { skip: true }, () => {});\n"],
    [
      'marked as to be done',
      "import t from 'node:test';\nt('sum', { todo: true }, () => { throw new Error('no'); });\n",
    ],
  ])('all of them %s', async (_, text) => {
    await open({ criteria: TESTS, files: { 'tests/sum.test.mjs': suite(true) } });
    s.repo.commit({ 'sum.mjs': BAD, 'tests/sum.test.mjs': text });
    expect(await judged()).toMatchObject({
      code: 4,
      status: 'blocked',
      because: expect.stringMatching(/zero tests/),
    });
  });
});

describe('neither the exit code nor the report is believed alone', () => {
  const runner = (body: string) => ({
    'tests/run.mjs': `import { writeFileSync } from 'node:fs';\n${body}\n`,
  });
  const report = (text: string) => `writeFileSync('report.tap', ${JSON.stringify(text)});`;
  const PASSED = 'TAP version 13\nok 1 - sum\n1..1\n';

  test('a program that writes its own report and ends well is believed: this is what the others are compared with', async () => {
    await open({ criteria: REPORTED, files: runner(report(PASSED)) });
    s.repo.commit({ 'sum.mjs': GOOD });
    expect(await judged()).toMatchObject({ code: 0, status: 'verified' });
  });

  test.each([
    ['exit code 0 with a failing report', report('TAP version 13\nnot ok 1 - sum\n1..1\n'), 'fail'],
    ['exit code 1 with a passing report', `${report(PASSED)}process.exit(1);`, 'fail'],
    ['exit code 0 before the end of the report', report('TAP version 13\n1..2\nok 1 - sum\n'), 'fail'],
    ['exit code 0 with an empty plan', report('TAP version 13\n1..0\n'), 'fail'],
    ['exit code 0 and no report', 'process.exit(0);', 'indeterminate'],
  ])('%s', async (_, body, outcome) => {
    await open({ criteria: REPORTED, files: runner(body) });
    s.repo.commit({ 'sum.mjs': BAD });
    const end = await judged();
    expect(end).toMatchObject({ outcome, status: outcome === 'fail' ? 'blocked' : 'claimed' });
    expect(end.code).toBe(outcome === 'fail' ? 4 : 3);
  });

  test('a report that was committed with the work is removed before the run', async () => {
    await open({ criteria: REPORTED, files: runner('process.exit(0);') });
    s.repo.commit({ 'sum.mjs': BAD, 'report.tap': PASSED });
    // Its check finds no report, and the tracked file that had to go is a change of the tree: that blocks.
    expect(await judged()).toMatchObject({ code: 4, status: 'blocked', outcome: 'indeterminate' });
  });
});

describe('a claim is about work', () => {
  test('a commit that is not there, and one without anything new, are refused', async () => {
    await open({});
    const id = await bring(s, 'in_progress');
    const before = await s.snapshot(id);
    expect((await s.say(DEVELOPER, 'claim', id, '--commit', 'f'.repeat(40))).code).toBe(5);
    expect((await s.say(DEVELOPER, 'claim', id, '--commit', 'main')).code).toBe(3);
    work(s);
    expect((await s.say(DEVELOPER, 'claim', id, '--commit', 'HEAD~1')).code).toBe(3);
    expect((await s.say(DEVELOPER, 'claim', id, '--no-change')).code).toBe(3);
    expect(await s.snapshot(id)).toBe(before);
  });

  test('a commit beside the base on which the work began does not contain it', async () => {
    await open({});
    const id = await bring(s, 'in_progress');
    await s.say(DEVELOPER, 'start', id);
    s.repo.git('checkout', '-q', '--orphan', 'elsewhere');
    s.repo.commit({ 'work.txt': 'done elsewhere' });
    expect((await s.say(DEVELOPER, 'claim', id)).code).not.toBe(0);
    expect((await s.say('', 'show', id)).data.status).toBe('in_progress');
  });

  test('a branch that moves after the claim moves nothing: the claimed commit is what is verified', async () => {
    await open({});
    const id = await bring(s, 'in_progress');
    work(s, false);
    await s.say(DEVELOPER, 'claim', id);
    work(s, true);
    expect((await s.say('verification-agent', 'verify', id)).code).toBe(4);
  });

  test('what only pretends to be the engine is no evidence: a pack in the repository, a pack beside the others', async () => {
    await open({});
    const id = await bring(s, 'claimed');
    const verified = await bring(s, 'verified', '--list', 'b');
    const { proofpack } = (await s.say('', 'show', verified)).data;
    const folder = join(s.repo.top, '.git/countersign/proofpacks');
    const forged = JSON.stringify({ item_id: id, verdict: 'PASSED', criteria_results: [] });
    writeFileSync(join(folder, 'login-screen-20251024T235959Z.json'), forged);
    s.repo.write('.orchestration/proofpacks/login-screen.json', forged);
    expect((await s.say('orchestrator', 'complete', id)).code).toBe(6);
    writeFileSync(join(s.repo.top, String(proofpack)), forged);
    expect((await s.say('orchestrator', 'complete', verified)).code).toBe(3);
  });
});
