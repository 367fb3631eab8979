import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSession, type Said, type Session, type Setting, TEAM } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// What is said of a claim by somebody outside the work: sign-offs, reviews, approvals.
let program: Program;
let s: Session;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
afterEach(() => s.close());

const VERIFIER = 'verification-agent';
const ask = (...checks: readonly string[]) => `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
${checks.map((check) => `  - ${check}\n`).join('')}`;
const REVIEWED = ask('{id: reviewed, kind: review, by: [verification-agent], count: 1}');
const APPROVED = ask('{id: approved, kind: approval}');
const GUARDED = ask('{id: change, kind: diff, protected: ["ci.yaml"], forbid: []}');

const open = async (criteria: string, more: Partial<Setting> = {}) => {
  s = await openSession({ criteria, ...more });
};
const claimed = async (files: Readonly<Record<string, string>> = {}) => {
  const id = await bring(s, 'in_progress');
  work(s);
  if (Object.keys(files).length > 0) s.repo.commit(files);
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  return id;
};
const failing = (said: Said) =>
  (said.data.checks as { id: string; outcome: string; reason: string }[])
    .filter((c) => c.outcome !== 'pass')
    .map((c) => [c.id, c.reason]);
const awaited = async (id: string) => (await s.say('', 'show', id)).data.awaited as { kind: string }[];

test('a review by the builder, its child or nobody in particular is refused; one from outside lets the claim pass', async () => {
  await open(REVIEWED);
  await s.register('helper', ['verification-agent'], DEVELOPER);
  const id = await claimed();
  expect(await awaited(id)).toMatchObject([
    { kind: 'review', command: `countersign review ${id} --approve` },
  ]);
  expect((await s.say(DEVELOPER, 'review', id, '--approve')).code).toBe(7);
  expect((await s.say('orchestrator', 'review', id, '--approve')).code).toBe(7);
  const related = await s.say('helper', 'review', id, '--approve');
  expect([related.code, related.error.missing[0]?.guard]).toEqual([3, 'apart']);
  expect((await s.refusals(id)).map((r) => r.by)).toEqual([DEVELOPER, 'orchestrator', 'helper']);
  expect((await s.say(VERIFIER, 'review', id, '--approve')).code).toBe(0);
  expect(await awaited(id)).toEqual([]);
  expect((await s.say(VERIFIER, 'verify', id)).data.status).toBe('verified');
});

test('without the review the claim fails, and the next attempt is told what it lacks', async () => {
  await open(REVIEWED);
  const id = await claimed();
  const failed = await s.say(VERIFIER, 'verify', id);
  expect([failed.code, failing(failed)]).toEqual([4, [['reviewed', 'review-missing']]]);
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect((await s.text(VERIFIER, 'next')).out).toContain(
    `countersign --actor ${VERIFIER} review ${id} --approve`,
  );
  await s.say(VERIFIER, 'review', id, '--approve');
  expect((await s.text(VERIFIER, 'next')).out).not.toContain(' review ');
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(0);
});

test('a review holds for the claim that was reviewed and for no later one; the last word of a reviewer counts', async () => {
  await open(REVIEWED);
  const id = await claimed();
  await s.say(VERIFIER, 'review', id, '--approve');
  const turned = await s.say(VERIFIER, 'review', id, '--reject', '--findings', 'it does nothing');
  expect(turned.code).toBe(0);
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(4);
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect(failing(await s.say(VERIFIER, 'verify', id))).toEqual([['reviewed', 'review-missing']]);
});

test('a review says one thing, rejects with findings, and belongs to a claim', async () => {
  await open(REVIEWED);
  const id = await bring(s, 'pending');
  expect((await s.say(VERIFIER, 'review', id)).code).toBe(2);
  expect((await s.say(VERIFIER, 'review', id, '--approve', '--reject')).code).toBe(2);
  expect((await s.say(VERIFIER, 'review', id, '--reject')).code).toBe(2);
  expect((await s.say(VERIFIER, 'review', id, '--approve')).code).toBe(6);
});

test('the refusal of a protected path names the item to sign off, in the answer and in the log', async () => {
  await open(GUARDED, { files: { 'ci.yaml': 'run: test\n' } });
  const id = await claimed({ 'ci.yaml': 'run: true\n' });
  const refused = await s.say(VERIFIER, 'verify', id);
  expect(refused.out).toContain(`countersign sign-off ${id}`);
  expect(JSON.stringify(await s.events(id))).toContain(`countersign sign-off ${id}`);
  expect(refused.out).not.toContain('sign-off ITEM');
});

test('a review by a person counts as that of a person, whichever role they hold beside', async () => {
  await open(ask('{id: reviewed, kind: review, by: [human]}'), { ownerRoles: ['verification-agent'] });
  const id = await claimed();
  expect((await s.say(VERIFIER, 'review', id, '--approve')).code).toBe(0);
  expect(await awaited(id)).toMatchObject([{ kind: 'review' }]);
  const told = await inTerminal(program, s, ['review', id, '--approve'], (code) => `${code}\r`);
  expect(told.code).toBe(0);
  expect(await awaited(id)).toEqual([]);
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(0);
});

test('a protected path needs a sign-off of exactly what changed; the builder cannot give it', async () => {
  await open(GUARDED, { files: { 'ci.yaml': 'run: test\n' } });
  const id = await claimed({ 'ci.yaml': 'run: true\n' });
  expect(await awaited(id)).toMatchObject([{ kind: 'sign-off', check: 'change' }]);
  const shown = await s.say('', 'sign-off', id, '--show');
  expect((shown.data.lines as string[]).join('\n')).toContain('ci.yaml');
  expect((await s.say(DEVELOPER, 'sign-off', id)).code).toBe(7);
  expect((await s.say('orchestrator', 'sign-off', id)).code).toBe(0);
  expect((await s.events(id)).at(-1)).toMatchObject({
    kind: 'sign-off',
    outcome: 'approve',
    facts: { digest: shown.data.digest, role: 'workflow-orchestrator' },
  });
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(0);
});

test('without a sign-off, or with one that was refused, the change fails; what protects nothing has nothing to sign', async () => {
  await open(GUARDED, { files: { 'ci.yaml': 'run: test\n' } });
  const harmless = await claimed({ 'src/sum.js': 'export const sum = (a, b) => a + b;\n' });
  const nothing = await s.say('orchestrator', 'sign-off', harmless);
  expect([nothing.code, nothing.error.hint]).toEqual([
    2,
    `countersign --actor orchestrator verify ${harmless}`,
  ]);
  expect((await s.say(VERIFIER, 'verify', harmless)).code).toBe(0);
  const id = await claimed({ 'ci.yaml': 'run: true\n' });
  expect((await s.say('orchestrator', 'sign-off', id, '--reject')).code).toBe(2);
  await s.say('orchestrator', 'sign-off', id, '--reject', '--reason', 'no');
  expect(failing(await s.say(VERIFIER, 'verify', id))).toEqual([['change', 'protected-path']]);
});

test('only a person at a terminal approves, on the tree that was shown', async () => {
  await open(APPROVED);
  s.at(new Date(Date.now() - 3_600_000).toISOString());
  const id = await claimed();
  expect((await s.say(VERIFIER, 'approve', id)).code).toBe(7);
  expect((await inProcess(program, s, ['approve', id])).code).toBe(7);
  expect(await awaited(id)).toMatchObject([{ kind: 'approval' }]);
  const given = await inTerminal(program, s, ['approve', id], (code) => `${code}\r`);
  expect([given.code, given.out.includes('tree ')]).toEqual([0, true]);
  const { tree } = (await s.events(id)).flatMap((e) => (e.type === 'moved' ? [e.facts] : [])).at(-1) ?? {};
  expect((await s.events(id)).at(-1)).toMatchObject({ independence: 'human', facts: { digest: tree } });
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(0);
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('a person who did not prove to be one says nothing, whatever roles they hold', async () => {
  await open(REVIEWED, { ownerRoles: [...Object.values(TEAM).flat()] });
  const id = await claimed();
  const { speak } = await import('../../src/engine/voice.ts');
  const { callerOf } = await import('../../src/engine/credential.ts');
  const { loadItem } = await import('../../src/engine/handle.ts');
  const outcome = await s.with(async (opened) => {
    const commit = (await loadItem(opened.ports, id)).item.subjects.commit?.digest ?? '';
    const voice = { ref: id, name: 'review', kind: 'review' as const, outcome: 'approve', commit };
    return speak(opened.ports, await callerOf(opened, ''), { ...voice, digest: '', facts: {} });
  });
  expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong-role' });
});
