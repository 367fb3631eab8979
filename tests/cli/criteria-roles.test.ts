import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';

// A review that no actor can ever give, and an owner whom nobody knows: told wherever criteria are read.
let s: Session;
afterEach(() => s.close());

const CHECK = '  - {id: done, kind: file, path: work.txt, contains: done}\n';
const asks = (...checks: readonly string[]) =>
  `schema: countersign/criteria/1\nname: default\nchecks:\n${CHECK}${checks.map((c) => `  - ${c}\n`).join('')}`;
const GURU = '{id: reviewed, kind: review, by: [security-guru]}';
const PROBLEM =
  /checks\[1\]\.by: no protocol knows the role security-guru; a review is given by verification-agent/;

const open = async (criteria: string) => {
  s = await openSession({ criteria, files: { '.countersign/criteria/strict.yaml': criteria } });
};
const condition = async (name: string) =>
  ((await s.say('', 'doctor')).data.conditions as { name: string; status: string; says: string }[]).find(
    (c) => c.name === name,
  );

test('a role that no protocol knows is a problem wherever criteria are read', async () => {
  await open(asks(GURU));
  const file = `${s.repo.top}/.countersign/criteria/default.yaml`;
  for (const named of [file, 'default']) {
    const told = await s.text('', 'criteria', 'check', named);
    expect([told.code, told.err]).toEqual([2, expect.stringMatching(PROBLEM)]);
  }
  expect((await s.text('', 'criteria', 'list')).out).toMatch(PROBLEM);
  expect(await condition('criteria')).toMatchObject({ status: 'fail', says: expect.stringMatching(PROBLEM) });
  const added = await s.text('orchestrator', 'add', 'Work', '--criteria', 'strict');
  expect([added.code, added.err]).toEqual([0, expect.stringMatching(PROBLEM)]);
});

test('nothing is verified by such criteria, nor started and claimed without a warning', async () => {
  await open(asks(GURU));
  const id = await bring(s, 'in_progress');
  const started = await s.say(DEVELOPER, 'start', id);
  expect(started.data.warnings).toEqual([expect.stringMatching(PROBLEM)]);
  work(s);
  const claimed = await s.say(DEVELOPER, 'claim', id);
  expect([claimed.code, claimed.data.warnings]).toEqual([0, [expect.stringMatching(PROBLEM)]]);
  const verified = await s.say('verification-agent', 'verify', id);
  expect([verified.code, verified.error.missing]).toEqual([
    3,
    [expect.objectContaining({ status: 'error', because: expect.stringMatching(PROBLEM) })],
  ]);
  expect((await s.say('', 'show', id)).data.status).toBe('claimed');
});

test.each([
  ['[verification-agnet]', 'knows the role verification-agnet; did you mean verification-agent?'],
  ['[verification-agent, guru]', 'knows the role guru; a review is given by'],
  ['[specialist]', 'lets specialist review; a review is given by'],
])('a review by %s is a problem', async (by, problem) => {
  await open(asks(`{id: reviewed, kind: review, by: ${by}}`));
  expect((await s.text('', 'criteria', 'list')).out).toContain(`checks[1].by: no protocol ${problem}`);
});

test.each(['', ', by: [human]', ', by: [quality-validator, specialist]'])(
  'a review%s can be given, and is no problem',
  async (by) => {
    await open(asks(`{id: reviewed, kind: review${by}}`));
    expect((await s.text('', 'criteria', 'list')).out).toContain('done, reviewed');
    expect(await condition('criteria')).toMatchObject({ status: 'ok' });
  },
);

test('an owner who is no actor here is a remark of check and doctor, and no more', async () => {
  await open(asks('{id: more, kind: file, path: work.txt, owner: orchestratr}'));
  const remark =
    'checks[1].owner: there is no actor orchestratr here who could waive more; did you mean orchestrator?';
  const checked = await s.say('', 'criteria', 'check', `${s.repo.top}/.countersign/criteria/default.yaml`);
  expect([checked.code, checked.data.remarks]).toEqual([0, [remark]]);
  s.repo.commit({ 'work.txt': 'done\n' });
  const tried = await s.say('', 'criteria', 'check');
  expect([tried.code, tried.data.remarks, tried.err]).toEqual([0, [remark], expect.stringContaining(remark)]);
  expect(await condition('criteria')).toMatchObject({
    status: 'warn',
    says: expect.stringContaining(remark),
  });
  const id = await bring(s, 'verified');
  expect((await s.say('', 'show', id)).data.status).toBe('verified');
});
