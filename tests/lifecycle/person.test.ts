import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';
import {
  asPerson,
  escalated,
  failThrice,
  lead,
  MEMBERS,
  must,
  named,
  openLifecycle,
  path,
  stateOf,
  told,
} from './crew.ts';

// CL-08: what a person decides after two interventions, at a real terminal.
let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openLifecycle();
  // Before the machine's own clock, by which the program tells time.
  s.at(new Date(Date.now() - 3_600_000).toISOString());
});
afterAll(() => {
  program.remove();
  s.close();
});

const right = (code: string) => `${code}\r`;
const BECAUSE = ['--reason', 'the API was retired'];

test('LIFE-77: only a person gives work up, only after an escalation, and only at a terminal', async () => {
  const id = await escalated(s);
  const before = await s.snapshot(id);
  for (const by of MEMBERS)
    expect([by, (await s.say(by, 'move', id, 'abandon', ...BECAUSE)).code]).toEqual([by, 7]);
  expect((await inProcess(program, s, ['move', id, 'abandon', ...BECAUSE])).code).toBe(7);
  expect(await s.snapshot(id)).toBe(before);
  const answer = await inTerminal(program, s, ['move', id, 'abandon', ...BECAUSE], right);
  expect(answer.code).toBe(0);
  expect(await stateOf(s, id)).toBe('failed');
  expect((await s.events(id)).at(-1)).toMatchObject({
    command: 'abandon',
    proof: expect.stringMatching(/./),
  });
  const [last] = (await named(s, id, 'STATE_TRANSITION')).slice(-1);
  expect(last).toMatchObject({
    actor: 'ada',
    reason: 'the API was retired',
    metadata: { pattern: 'abandon' },
  });
  // It is an end: nothing leads out of it, for a person neither.
  expect((await asPerson(s, id, 'resolve', { to: 'planning' })).kind).toBe('refused');
  expect((await s.say('planner', 'list')).data.progress).toMatchObject({ done: 0 });
});

test('before an escalation a person gives nothing up', async () => {
  const id = await escalated(s);
  expect((await asPerson(s, id, 'resolve', { to: 'planning' })).kind).toBe('done');
  const refused = await asPerson(s, id, 'abandon');
  expect(refused).toMatchObject({ kind: 'refused', code: 'no-transition' });
  expect(refused.kind === 'refused' && refused.because).toContain('only a person gives up work');
});

test('LIFE-24: the person sends it back to any work, the counts begin anew, and the next limit is a person’s again', async () => {
  const id = await escalated(s);
  const to = ['--to', 'in_progress', '--reason', 'the interface was agreed on'];
  expect((await s.say('chief', 'move', id, 'resolve', ...to)).code).toBe(7);
  const answer = await inTerminal(program, s, ['move', id, 'resolve', ...to], right);
  expect(answer.code).toBe(0);
  expect(answer.out).toContain('in_progress');
  const { currentState, failures, failuresEver, ctoAttempts, briefing } = await told(s, id);
  expect([currentState, failures, ctoAttempts]).toEqual(['in_progress', {}, 2]);
  expect(failuresEver).toEqual({ planning: 9 });
  expect(briefing.failures).toHaveLength(9);
  expect(await failThrice(s, id, 'in_progress')).toBe('human_escalation');
});

test('a person sends it back as far as the review, never past what nothing has passed', async () => {
  const id = await escalated(s);
  for (const to of ['approved', 'committing', 'completed', 'cto_intervention'])
    expect([to, (await asPerson(s, id, 'resolve', { to })).kind]).toEqual([to, 'refused']);
  expect((await asPerson(s, id, 'resolve', { to: 'pending' })).kind).toBe('done');
  must(await s.say('orchestrator', 'move', id, 'assign', '--reason', 'once more'));
  await lead(s, id, 'completed');
  expect(path((await told(s, id)).stateHistory).at(-1)).toBe('committing>completed');
  expect((await s.say('', 'audit', 'verify')).code).not.toBe(1);
});
