import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// A check that its owner lets go for one claim.
let program: Program;
let s: Session;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
afterEach(() => s.close());

const VERIFIER = 'verification-agent';
const owned = (owner: string, more = '') => `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
  - {id: notes, kind: file, path: notes.md, owner: ${owner}}
${more}`;
const WAIVE = ['--reason', 'the notes follow with the release'];
const waive = (actor: string, id: string, check = 'notes') =>
  s.say(actor, 'criteria', 'waive', id, check, ...WAIVE);
const open = async (criteria: string) => {
  s = await openSession({ criteria });
};

test('the owner lets a check go: the claim passes, the check stays failed, and the mark stays', async () => {
  await open(owned('quality-validator'));
  const id = await bring(s, 'claimed');
  expect((await waive('quality-validator', id)).code).toBe(0);
  const verified = await s.say(VERIFIER, 'verify', id);
  expect(verified.data).toMatchObject({ verdict: 'PASSED', cause: '1 of 2 checks passed, 1 waived' });
  expect(verified.data.checks).toMatchObject([
    { id: 'done', outcome: 'pass' },
    { id: 'notes', outcome: 'fail', waived_by: 'quality-validator' },
  ]);
  await s.say('orchestrator', 'complete', id);
  const shown = await s.text('', 'show', id);
  expect(shown.out).toContain('waived          notes by quality-validator: the notes follow');
  const proof = await s.say('', 'proof', 'show', id);
  const { checks } = proof.data.verdict as unknown as { checks: object[] };
  expect(checks[1]).toMatchObject({ outcome: 'fail', waivedBy: 'quality-validator' });
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('nobody but the owner waives, and nothing that nobody owns', async () => {
  await open(owned('quality-validator'));
  const id = await bring(s, 'claimed');
  for (const actor of ['orchestrator', VERIFIER, DEVELOPER, '']) {
    const refused = await waive(actor, id);
    expect([refused.code, refused.error.message]).toEqual([
      7,
      'only quality-validator, who owns notes, may waive it',
    ]);
  }
  expect((await waive('quality-validator', id, 'done')).error.message).toContain('nobody owns done');
  expect((await waive('quality-validator', id, 'no-such')).code).toBe(2);
  expect((await s.say('quality-validator', 'criteria', 'waive', id, 'notes', '--reason', ' ')).code).toBe(2);
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(4);
});

test('an owner who builds waives nothing of their own work', async () => {
  await open(owned(DEVELOPER));
  const id = await bring(s, 'claimed');
  const refused = await waive(DEVELOPER, id);
  expect([refused.code, refused.error.missing[0]?.guard]).toEqual([3, 'apart']);
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(4);
});

test('a waiver is about one check of one claim: another failure blocks, and the next attempt begins without it', async () => {
  await open(owned('quality-validator', '  - {id: also, kind: file, path: also.md}\n'));
  const id = await bring(s, 'claimed');
  await waive('quality-validator', id);
  const failed = await s.say(VERIFIER, 'verify', id);
  expect([failed.code, failed.data.failures]).toEqual([4, [expect.stringMatching(/^also - /)]]);
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  s.repo.commit({ 'also.md': 'here\n' });
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect((await s.say(VERIFIER, 'verify', id)).code).toBe(4);
});

test('where every check is waived nothing was verified', async () => {
  await open(`schema: countersign/criteria/1
name: default
checks:
  - {id: notes, kind: file, path: notes.md, owner: quality-validator}
`);
  const id = await bring(s, 'claimed');
  await waive('quality-validator', id);
  const failed = await s.say(VERIFIER, 'verify', id);
  expect([failed.code, failed.data.failures]).toEqual([4, [expect.stringMatching(/^notes - /)]]);
});

test('a person who owns a check confirms it at a terminal, or it is not waived', async () => {
  await open(owned('ada'));
  s.at(new Date(Date.now() - 3_600_000).toISOString());
  const id = await bring(s, 'claimed');
  const words = ['criteria', 'waive', id, 'notes', '--reason', 'later'];
  expect((await inProcess(program, s, words)).code).toBe(7);
  const answer = await inTerminal(program, s, words, (code) => `${code}\r`);
  expect([answer.code, answer.out.includes('need not pass')]).toEqual([0, true]);
  expect((await s.say(VERIFIER, 'verify', id)).data).toMatchObject({ verdict: 'PASSED' });
});
