import { afterEach, expect, test } from 'vitest';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

// What a lead took back is done anew, wherever the item goes.
let w: Workshop;
afterEach(() => w.s.close());

/** The person has the roles of a todo item beside the team of the goal. */
const ALONE = { ownerRoles: ['workflow-orchestrator', 'specialist', 'verification-agent'] };

const idOf = ({ data }: { readonly data: { readonly [name: string]: unknown } }) =>
  (data.to as { id: string }).id;

test('what was reopened is not handed in again as it was under another table, and what mends it is', async () => {
  w = await openWorkshop(ALONE);
  const { id: task } = (await w.must(LEAD, 'add', 'A piece of it', '--protocol', 'goal-task')).data;
  await w.onTo(task, 'pending', 'verified');
  await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
  const moved = idOf(await w.must('', 'protocol', 'migrate', task, '--to', 'two-phase', '--reason', 'alone'));
  const claim = () => w.s.say('', 'claim', moved, '--commit', `work-${task}`);
  expect(missingOf(await claim())).toContain(`was verified for ${task} already`);
  w.build(task);
  expect((await claim()).code).toBe(0);
  expect((await w.s.say('', 'verify', moved)).code).toBe(0);
});

test('what took the place of another and is reopened is not handed in again as it was', async () => {
  w = await openWorkshop(ALONE);
  const { id: old } = (await w.must('', 'add', 'A piece of it')).data;
  w.s.repo.commit({ 'piece.ts': 'export {};\n' });
  await w.must('', 'claim', old);
  await w.must('', 'verify', old);
  const task = idOf(await w.must('', 'protocol', 'migrate', old, '--to', 'goal-task', '--reason', 'three'));
  await w.onTo(task, 'pending', 'in_progress');
  const submit = () => w.s.say(BUILDER, 'move', task, 'submit', '--arg', 'summary=It is built');
  expect((await submit()).code).toBe(0);
  await w.must(LEAD, 'move', task, 'approve');
  await w.must(CHECKER, 'verify', task);
  await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
  expect(missingOf(await submit())).toContain('is what was verified before the item was reopened');
  w.s.repo.commit({ 'piece.ts': 'export const mended = 1;\n' });
  expect((await submit()).code).toBe(0);
});

test('what was reopened is not handed in again as it was on a branch that is not merged yet, and goes on from there', async () => {
  w = await openWorkshop();
  const began = w.s.repo.git('rev-parse', 'main');
  const task = await w.bring(await w.goal(), 'verified');
  const reopen = () => w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
  await reopen();
  const branch = `work-${task}`;
  const submit = () =>
    w.s.say(BUILDER, 'move', task, 'submit', '--commit', branch, '--arg', 'summary=It is built');
  const refused = await submit();
  expect(missingOf(refused)).toContain('is what was verified before the item was reopened');
  // There is work in it: that it is none would be refused as well.
  expect(refused.out).not.toContain('--no-change');
  w.build(task);
  await w.onTo(task, 'in_progress', 'verified');
  // Main moved on meanwhile: bringing it in is work enough.
  await reopen();
  w.s.repo.commit({ 'other.txt': 'moved on\n' });
  w.s.repo.git('checkout', '-q', branch);
  w.s.repo.git('merge', '-q', '--no-edit', 'main');
  w.s.repo.git('checkout', '-q', 'main');
  expect((await submit()).code).toBe(0);
  await w.must(LEAD, 'move', task, 'approve');
  await w.must(CHECKER, 'verify', task);
  expect(await w.state(task)).toBe('verified');
  const submits = (await w.s.events(task)).flatMap((e) =>
    e.type === 'moved' && e.command === 'submit' ? [e.facts.base] : [],
  );
  expect(submits).toEqual([began, began, w.s.repo.git('rev-parse', 'main')]);
});
