import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DONE_CHECK, OWNER, openSession, type Session } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// The human channel: the shipped program in a real pseudo-terminal.
let program: Program;
let s: Session;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
beforeEach(async () => {
  s = await openSession({ config: '', ownerRoles: ['workflow-orchestrator'] });
  // Before the machine's own clock, by which the program tells time.
  s.at(new Date(Date.now() - 3_600_000).toISOString());
});
afterEach(() => s.close());

const right = (code: string) => `${code}\r`;

test('2PC-85: a person without a terminal acknowledges nothing', async () => {
  const id = await bring(s, 'blocked');
  const before = await s.snapshot(id);
  const answer = await inProcess(program, s, ['ack', id]);
  expect(answer.code).toBe(7);
  expect(answer.err).toContain('no terminal');
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.say('', 'retry', id)).code).toBe(3);
});

test('2PC-85: the person sees the whole report, types the code, and only then the item is reset', async () => {
  const id = await bring(s, 'blocked');
  expect((await s.say('orchestrator', 'retry', id)).code).toBe(3);
  const answer = await inTerminal(program, s, ['ack', id], right);
  expect(answer.code).toBe(0);
  for (const part of ['TASK BLOCKED', 'Failed verifications (1)', 'Required actions', 'digest: ']) {
    expect(answer.out).toContain(part);
  }
  const review = (await s.events(id)).at(-1);
  expect(review).toMatchObject({ type: 'recorded', kind: 'failure-review', independence: 'human' });
  expect((await s.say('orchestrator', 'retry', id)).data.status).toBe('pending');
});

test('2PC-85: whoever has left before they typed the code acknowledges nothing, and adopts nothing', async () => {
  const id = await bring(s, 'blocked');
  s.repo.commit({ '.countersign/criteria/other.yaml': DONE_CHECK.replace('default', 'other') });
  for (const words of [
    ['ack', id],
    ['criteria', 'adopt', 'other', '--commit', 'HEAD'],
  ]) {
    const bob = `bob-${words[0]}`;
    expect((await s.say('', 'actor', 'add', bob, '--kind', 'human')).code).toBe(0);
    const before = await s.snapshot(id);
    const leaves = (code: string) => {
      spawnSync(process.execPath, [program.path, 'actor', 'retire', bob], { cwd: s.repo.top, env: s.env });
      return right(code);
    };
    const answer = await inTerminal(program, s, ['--actor', bob, ...words], leaves);
    expect(answer).toMatchObject({
      code: 7,
      out: expect.stringContaining(`${bob} has left this repository`),
    });
    expect(await s.snapshot(id)).toBe(before);
  }
});

test('a wrong code three times acknowledges nothing; one wrong and then the right one does', async () => {
  const id = await bring(s, 'blocked');
  const before = await s.snapshot(id);
  const wrong = await inTerminal(program, s, ['ack', id], () => 'yes\r');
  expect(wrong.code).toBe(7);
  expect(wrong.out).toContain('not typed in 3 tries');
  const cancelled = await inTerminal(program, s, ['ack', id], () => '\u0003');
  expect(cancelled.code).not.toBe(0);
  expect(await s.snapshot(id)).toBe(before);
  const second = await inTerminal(program, s, ['ack', id], (code, n) => (n === 1 ? 'no\r' : right(code)));
  expect(second.code).toBe(0);
});

test('a confirmation holds once: it is used up in the log, and the failures of a second block need another', async () => {
  const id = await bring(s, 'blocked');
  await inTerminal(program, s, ['ack', id], right);
  const proofs = await proofStreams();
  expect(proofs).toHaveLength(1);
  await s.say('orchestrator', 'retry', id);
  work(s, false);
  await s.say(DEVELOPER, 'claim', id);
  await s.say('verification-agent', 'verify', id);
  expect((await s.say('orchestrator', 'retry', id)).code).toBe(3);
  await inTerminal(program, s, ['ack', id], right);
  expect(await proofStreams()).toHaveLength(2);
  expect((await s.say('orchestrator', 'retry', id)).code).toBe(0);
});

const proofStreams = () =>
  s.with(async ({ ports }) =>
    (await ports.store.heads('', 1_000))
      .map((head) => head.stream)
      .filter((name) => name.startsWith('proof/')),
  );

test('the same proof given twice is refused the second time', async () => {
  const { state } = await import('../../src/engine/statement.ts');
  const { callerOf } = await import('../../src/engine/credential.ts');
  const ids = [await bring(s, 'blocked', '--list', 'a'), await bring(s, 'blocked', '--list', 'b')];
  const proof = { id: 'one-and-the-same', digest: 'd', purpose: 'ack', at: s.now(), channel: 'terminal' };
  const results = await s.with(async (opened) => {
    const caller = { ...(await callerOf(opened, '')), proof };
    const asked = { name: 'ack', kind: 'failure-review', outcome: 'seen', facts: {}, shown: 'd' };
    const say = (ref: string) => state(opened.ports, caller, { ...asked, ref });
    return [await say(ids[0] ?? ''), await say(ids[1] ?? '')];
  });
  expect(results[0]?.kind).toBe('done');
  expect(results[1]).toMatchObject({ kind: 'refused', code: 'proof-used' });
});

test('where a human is demanded, nothing runs without one; a person at the terminal confirms, and it is verified', async () => {
  const id = await bring(s, 'claimed', '--independence', 'human');
  const before = await s.snapshot(id);
  const early = await s.say('verification-agent', 'verify', id);
  expect([early.code, early.error.missing[0]?.because]).toEqual([
    3,
    'independence is other-lineage, human needed',
  ]);
  expect((await inProcess(program, s, ['verify', '--confirm', id])).code).toBe(7);
  expect((await s.say('verification-agent', 'verify', '--confirm', id)).code).toBe(7);
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.refusals(id)).at(-1)).toMatchObject({
    by: 'verification-agent',
    because: 'only a person can confirm as a person',
  });
  const answer = await inTerminal(program, s, ['verify', '--confirm', id], right);
  expect(answer.code).toBe(0);
  expect(answer.out).toContain('verified: confirmed by a person');
  expect((await s.say('', 'show', id)).data).toMatchObject({ status: 'verified', independence: 'human' });
});

test('one person alone, where a human is demanded: nothing runs on their word, and it is verified on their confirmation', async () => {
  const roles = ['specialist', 'verification-agent', 'workflow-orchestrator', 'quality-validator'];
  const solo = await openSession({
    agents: {},
    ownerRoles: roles,
    config: 'settings: {independence: human}\n',
  });
  solo.at(new Date(Date.now() - 3_600_000).toISOString());
  await solo.say('', 'add', 'Implement login screen');
  work(solo);
  await solo.say('', 'claim', 'T-1');
  const before = await solo.snapshot('T-1');
  expect((await inProcess(program, solo, ['verify', 'T-1'])).code).toBe(3);
  expect(await solo.snapshot('T-1')).toBe(before);
  expect((await inTerminal(program, solo, ['verify', '--confirm', 'T-1'], right)).code).toBe(0);
  expect((await solo.say('', 'complete', 'T-1')).data).toMatchObject({
    status: 'completed',
    independence: 'human',
  });
  solo.close();
});

test('the only person built it, and others could verify: another person is asked for, and confirms it', async () => {
  const ownerRoles = ['specialist', 'verification-agent', 'workflow-orchestrator'];
  const pair = await openSession({
    agents: { checker: ['verification-agent'] },
    ownerRoles,
    config: 'settings: {independence: human}\n',
  });
  pair.at(new Date(Date.now() - 3_600_000).toISOString());
  await pair.say('', 'add', 'Implement login screen');
  work(pair);
  await pair.say('', 'claim', 'T-1');
  const way =
    'a person runs: countersign actor add NAME --kind human; then countersign --actor NAME verify T-1 --confirm';
  for (const actor of ['', 'checker']) {
    expect((await pair.say(actor, 'verify', 'T-1')).error.next[0]).toBe(way);
    expect((await pair.text(actor, 'show', 'T-1')).out).toContain(`next: ${way}`);
    expect((await pair.text(actor, 'next')).out).toContain('nobody is here who may confirm it as a person');
  }
  expect((await inTerminal(program, pair, ['verify', '--confirm', 'T-1'], right)).code).toBe(3);
  expect((await pair.say('', 'actor', 'add', 'bob', '--kind', 'human')).code).toBe(0);
  const asked = ['--actor', 'bob', 'verify', '--confirm', 'T-1'];
  expect((await inTerminal(program, pair, asked, right)).code).toBe(0);
  expect((await pair.say('', 'show', 'T-1')).data).toMatchObject({
    status: 'verified',
    independence: 'human',
  });
  pair.close();
});

test('what a person confirmed is the commit that was shown: no other claim is verified by it', async () => {
  const { verify } = await import('../../src/engine/verify.ts');
  const { callerOf } = await import('../../src/engine/credential.ts');
  const id = await bring(s, 'claimed', '--independence', 'human');
  const proof = {
    id: 'for-another',
    digest: '0'.repeat(40),
    purpose: 'verify',
    at: s.now(),
    channel: 'terminal',
  };
  const { outcome, run } = await s.with(async (opened) =>
    verify(
      opened.ports,
      { ...(await callerOf(opened, '')), proof },
      {
        ref: id,
        signal: new AbortController().signal,
        onProgress: () => {},
      },
    ),
  );
  expect([outcome.kind, run]).toEqual(['refused', undefined]);
  expect((await s.say('', 'show', id)).data.status).toBe('claimed');
});

test('a person without any role is told how to give their word, and verifies by it', async () => {
  await s.say('', 'actor', 'roles', OWNER);
  const id = await bring(s, 'claimed');
  expect((await s.say('', 'verify', id)).error.next).toEqual([asPerson(`countersign verify ${id}`)]);
  expect((await inTerminal(program, s, ['verify', '--confirm', id], right)).code).toBe(0);
  expect((await s.say('', 'show', id)).data).toMatchObject({ status: 'verified', independence: 'human' });
});

test('a person without any role judges the quality of an item and accepts it by their word', async () => {
  await s.say('', 'actor', 'roles', OWNER);
  const id = await bring(s, 'verified', '--quality');
  expect((await s.say('', 'report', id, '--approve')).error.next).toEqual([
    asPerson(`countersign report ${id} --approve`),
  ]);
  const judged = await inTerminal(program, s, ['report', id, '--approve', '--confirm'], right);
  expect([judged.code, judged.out]).toEqual([0, expect.stringContaining('quality APPROVED')]);
  expect((await s.say('', 'complete', id)).error.next).toEqual([asPerson(`countersign complete ${id}`)]);
  const [sent] = (await s.say('', 'next')).data.next as readonly unknown[];
  expect(sent).toMatchObject({ command: `countersign complete ${id} --confirm` });
  expect((await inProcess(program, s, ['complete', '--confirm', id])).code).toBe(7);
  const done = await inTerminal(program, s, ['complete', '--confirm', id], right);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('completed with verification')]);
  expect(await proofStreams()).toHaveLength(2);
});

const asPerson = (line: string) => `${line} --confirm  [a person at a terminal]`;

test('a person without any role puts new work in the place of what was rejected, by their word', async () => {
  await s.say('', 'actor', 'roles', OWNER);
  const id = await bring(s, 'verified', '--quality');
  await s.say('quality-validator', 'report', id, '--reject', '--finding', 'no tests');
  const refused = await s.say('', 'follow-up', id, 'With tests');
  expect([refused.code, refused.error.next]).toEqual([
    7,
    [`countersign follow-up ${id} "TITLE" --confirm  [a person at a terminal]`],
  ]);
  const told = await inTerminal(program, s, ['follow-up', id, 'With tests', '--confirm'], right);
  expect([told.code, told.out]).toEqual([0, expect.stringContaining('new work after it: With tests')]);
  expect((await s.say('', 'show', id)).data).toHaveProperty('superseded_by');
});

test('no agent accepts, judges or follows up as a person', async () => {
  const id = await bring(s, 'verified');
  for (const words of [
    ['complete', id],
    ['report', id, '--approve'],
    ['follow-up', id, 'More'],
  ])
    expect((await s.say(DEVELOPER, ...words, '--confirm')).code).toBe(7);
  expect((await s.say('', 'show', id)).data.status).toBe('verified');
});
