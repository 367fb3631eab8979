import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Ports, RunQuestion } from '../../src/engine/ports.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, inTerminal, type Program } from '../terminal.ts';
import { DEVELOPER, work } from './bring.ts';

// Examples that come with an item and that its builder never sees.
let program: Program;
let s: Session;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
afterEach(() => s.close());

const VERIFIER = 'verification-agent';
const EXAMPLES = `schema: countersign/acceptance/1
examples:
  - id: adds
    call: {export: sum, args: [987000, 654]}
    returns: 987654
`;
const questions: RunQuestion[] = [];
const listening = (ports: Ports): Ports => ({
  ...ports,
  runner: {
    ...ports.runner,
    run: (question) => {
      questions.push(question);
      return ports.runner.run(question);
    },
  },
});
const open = async () => {
  questions.length = 0;
  s = await openSession({
    wrap: listening,
    files: {
      'package.json': JSON.stringify({ name: 'adder', version: '1.0.0', main: 'index.js' }),
      'index.js': 'exports.sum = () => 0;\n',
    },
  });
};
const fileOf = (text = EXAMPLES) => {
  const path = join(s.repo.root, 'examples.yaml');
  writeFileSync(path, text);
  return path;
};
const add = (actor: string, ...more: readonly string[]) =>
  s.say(actor, 'add', 'Add numbers', '--acceptance', fileOf(), ...more);
const claimAndVerify = async (id: string) => {
  s.repo.commit({ 'index.js': `exports.sum = (a, b) => a + b; // ${s.now()}\n` });
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  return s.say(VERIFIER, 'verify', id);
};
const digestIn = async (id: string) => {
  const [opened] = await s.events(id);
  return opened?.type === 'opened' ? (opened.facts.acceptance as unknown as { sha256: string }).sha256 : '';
};

test('the runner gets the very bytes, and that their author stands outside; nobody is shown what is in them', async () => {
  await open();
  const { id } = (await add('orchestrator')).data;
  const verified = await claimAndVerify(id);
  expect([verified.code, verified.data.strength]).toEqual([0, 'acceptance']);
  expect(Buffer.from(questions[0]?.acceptance ?? []).toString()).toBe(EXAMPLES);
  expect(questions[0]).toMatchObject({ acceptanceIndependent: true, noChange: false, kind: 'code' });
  expect(questions[0]?.base).toMatch(/^[0-9a-f]{40}$/);
  const shown = await s.text(DEVELOPER, 'show', id);
  expect(shown.out).toContain('acceptance examples by orchestrator\n');
  for (const words of [['show', id], ['log', id], ['list'], ['next'], ['proof', 'show', id]]) {
    const told = await s.text(DEVELOPER, '--json', ...words);
    expect(told.out).not.toMatch(/987000|987654/);
  }
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('where they fail the builder learns that, and not what was asked or expected', async () => {
  await open();
  const { id } = (await add('orchestrator')).data;
  s.repo.commit({ 'index.js': 'exports.sum = () => 1;\n' });
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  const failed = await s.say(VERIFIER, 'verify', id);
  // What failed has no strength.
  expect([failed.code, failed.data.strength]).toEqual([4, undefined]);
  expect(failed.data.checks).toMatchObject([
    { id: 'done' },
    { outcome: 'fail', reason: 'acceptance-failed' },
  ]);
  const { readable, signed } = (await s.say('', 'proof', 'show', id)).data;
  for (const path of [readable, signed])
    expect(readFileSync(join(s.repo.top, String(path)), 'utf8')).not.toMatch(/987000|987654/);
  for (const words of [['show', id], ['log', id], ['next'], ['proof', 'show', id]])
    expect((await s.text(DEVELOPER, '--json', ...words)).out).not.toMatch(/987000|987654/);
  expect(failed.out).not.toMatch(/987000|987654/);
});

test('examples by the parent of the builder, or by a person who proved nothing, count for no grade', async () => {
  await open();
  await s.register('boss', ['workflow-orchestrator']);
  await s.register('hand', ['specialist'], 'boss');
  const { id } = (await add('boss')).data;
  s.repo.commit({ 'index.js': 'exports.sum = (a, b) => a + b;\n' });
  work(s);
  await s.say('hand', 'claim', id);
  const verified = await s.say(VERIFIER, 'verify', id);
  expect(verified.data).toMatchObject({ verdict: 'PASSED', strength: 'none' });
  expect(questions[0]).toMatchObject({ acceptanceIndependent: false });
  const person = await add('', '--list', 'other');
  expect(person.err).toContain('count for no grade');
  await claimAndVerify(person.data.id);
  expect(questions[1]).toMatchObject({ acceptanceIndependent: false });
  expect((await s.say('', 'show', person.data.id)).data.acceptance).toEqual({
    by: 'ada',
    independent: false,
  });
});

test('a person who confirms them at the terminal counts, once', async () => {
  await open();
  s.at(new Date(Date.now() - 3_600_000).toISOString());
  const words = ['add', 'Add numbers', '--acceptance', fileOf(), '--confirm'];
  const answer = await inTerminal(program, s, words, (code) => `${code}\r`);
  expect(answer.code).toBe(0);
  await claimAndVerify('T-1');
  expect(questions[0]).toMatchObject({ acceptanceIndependent: true });
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
  expect((await s.say('orchestrator', 'add', 'More', '--confirm')).code).toBe(2);
});

test('lost or changed examples are damage: the item is not verified without them, and audit names them', async () => {
  await open();
  const { id } = (await add('orchestrator')).data;
  const digest = await digestIn(id);
  const blob = join(s.repo.top, '.git/countersign/evidence', digest.slice(0, 2), digest);
  writeFileSync(blob, EXAMPLES.replace('654', '655'));
  const damaged = await claimAndVerify(id);
  expect([damaged.code, damaged.error.code]).toEqual([8, 'DAMAGED']);
  expect((await s.say('', 'show', id)).data.status).toBe('claimed');
  rmSync(blob);
  expect((await s.say(VERIFIER, 'verify', id)).error.code).toBe('DAMAGED');
  expect(questions).toEqual([]);
  expect((await s.say('', 'audit', 'verify')).out).toContain(`the evidence ${digest} is missing`);
});

test('a follow-up is judged by the same examples under the name of their author, unless it brings others', async () => {
  await open();
  await s.register('second', ['workflow-orchestrator']);
  const { id } = (await add('orchestrator')).data;
  await claimAndVerify(id);
  await s.say('orchestrator', 'complete', id);
  const same = await s.say('second', 'follow-up', id, 'Again');
  expect((await s.say('', 'show', same.data.id)).data.acceptance).toMatchObject({ by: 'orchestrator' });
  expect(await digestIn(same.data.id)).toBe(await digestIn(id));
  const other = fileOf(EXAMPLES.replace('654', '656'));
  const changed = await s.say('second', 'follow-up', id, 'Once more', '--acceptance', other);
  expect((await s.say('', 'show', changed.data.id)).data.acceptance).toMatchObject({ by: 'second' });
  expect(await digestIn(changed.data.id)).not.toBe(await digestIn(id));
});

test('what is no file of examples opens no item', async () => {
  await open();
  const broken = fileOf('schema: countersign/acceptance/1\nexamples: 7\n');
  expect((await s.say('orchestrator', 'add', 'Add', '--acceptance', broken)).code).toBe(2);
  expect((await s.say('orchestrator', 'add', 'Add', '--acceptance', 'nowhere.yaml')).code).toBe(5);
  expect((await s.say('', 'list')).data).toMatchObject({ items: [] });
});

test.each(['code', 'refactor', 'chore', 'tests', 'docs', 'research', 'verification-only'])(
  'the kind %s is fixed when the item is opened, and the runner is told',
  async (kind) => {
    await open();
    const { id } = (await s.say('orchestrator', 'add', 'Work', '--kind', kind)).data;
    await claimAndVerify(id);
    expect(questions[0]?.kind).toBe(kind);
  },
);
