import { afterEach, beforeEach, expect, test } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { taskStep } from '../../src/engine/staged/task-step.ts';
import { type Crew, openCrew } from './crew.ts';
import { answered, reach, TASK } from './walk.ts';

let crew: Crew;
let proofs = 0;
beforeEach(async () => {
  crew = await openCrew();
});
afterEach(() => crew.close());

const state = async () => (await crew.go('task', 'show', TASK)).data.state;
const negotiates = () => crew.go('task', 'negotiate', TASK, '--reason', 'the parser is outside of the scope');

/** A step by the person of the machine, whose word at the terminal is on exactly this step. */
const person = (command: string) =>
  crew.session.with(async (opened) => {
    proofs += 1;
    const digest = `shown-${proofs}`;
    const proof = {
      id: digest,
      digest,
      purpose: command,
      at: crew.session.now(),
      channel: 'terminal' as const,
    };
    const caller = { ...(await callerOf(opened, '')), token: undefined, proof };
    const asked = { task: TASK, session: '', command, reason: 'decided', arguments: {} };
    return taskStep(opened.ports, caller, asked, () => digest);
  });

/** No agent takes a step that is a person's, and no person without the terminal. */
async function onlyAPerson(command: string): Promise<void> {
  const before = await state();
  const words = ['task', command, TASK, '--reason', 'x'];
  expect((await crew.go(...words)).code).toBe(7);
  expect((await crew.say(crew.code, '', 's-1', ...words)).code).toBe(7);
  expect(await state()).toBe(before);
}

test('what becomes of the scope is decided by a person: it stays, or it changes and the plan is approved anew', async () => {
  await reach(crew, 'IMPLEMENTATION');
  expect(await negotiates()).toMatchObject({ code: 0 });
  expect(await state()).toBe('SCOPE_NEGOTIATION');
  for (const command of ['keep-scope', 'change-scope', 'defer', 'cancel']) await onlyAPerson(command);
  expect((await person('keep-scope')).kind).toBe('done');
  expect(await state()).toBe('IMPLEMENTATION');
  await negotiates();
  expect((await person('change-scope')).kind).toBe('done');
  expect(await state()).toBe('SYNTHESIS');
  const early = await crew.go('task', 'implement', TASK);
  expect(JSON.stringify(early.error.missing)).toContain('plan-approval');
});

test('what is put off goes back to the review, and who objected votes again', async () => {
  await reach(crew, 'REVIEW');
  for (const agent of ['architect', 'quality']) await answered(crew, agent, 'APPROVED');
  await crew.go('task', 'invoke', TASK, '--agent', 'tester');
  const word = ['task', 'status', TASK, 'REJECTED', '--reason', 'out of scope'];
  await crew.say(crew.code, 'tester', '', ...word);
  await negotiates();
  expect((await person('defer')).kind).toBe('done');
  expect(await state()).toBe('REVIEW');
  const early = await crew.go('task', 'present', TASK);
  expect(early.code).toBe(3);
  await answered(crew, 'tester', 'APPROVED');
});

test('a claimed commit is taken back by whoever coordinates; a task is stopped by a person alone', async () => {
  await reach(crew, 'VALIDATION');
  expect((await crew.go('task', 'withdraw', TASK)).code).toBe(2);
  expect(await crew.go('task', 'withdraw', TASK, '--reason', 'a file is missing')).toMatchObject({ code: 0 });
  expect(await state()).toBe('IMPLEMENTATION');
  await onlyAPerson('cancel');
  expect((await person('cancel')).kind).toBe('done');
  expect(await state()).toBe('CANCELLED');
});
