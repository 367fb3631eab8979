import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { compared, type Faces, facesOf, type Tried } from './faces.ts';
import {
  bringGoal,
  bringTask,
  GOAL_STATES,
  GOAL_TEAM,
  type GoalState,
  TASK_STATES,
  type TaskState,
} from './goal-states.ts';
import { workOn } from './lifecycle-states.ts';

// J02, goals: every state x step x role is answered alike by the command line and by MCP (R14).
const ACTORS = Object.keys(GOAL_TEAM);
const reason = 'as asked';

const task = (
  command: string,
  tool: string,
  more: readonly string[] = [],
  input: Record<string, unknown> = {},
): Tried => ({
  line: (id) => ['move', id, command, ...more],
  tool,
  input: (id) => (tool === 'item_move' ? { item: id, command, ...input } : { task_id: id, ...input }),
});
const because = (command: string, tool: string) => task(command, tool, ['--reason', reason], { reason });
const to = (command: string, name: string) =>
  task(command, 'item_move', ['--to', name, '--reason', reason], { to: name, reason });
const word = (kind: 'review' | 'sign-off'): Tried => ({
  line: (id) => (kind === 'review' ? ['review', id, '--approve'] : ['sign-off', id]),
  tool: 'item_judge',
  input: (id) => ({ item: id, kind, approve: true }),
});

const TASK_TRIED: Readonly<Record<string, Tried>> = {
  assign: task('assign', 'assign_task', ['--to', 'builder'], { assign_to: 'builder' }),
  start: {
    line: (id) => ['start', id],
    tool: 'update_task',
    input: (id) => ({ task_id: id, status: 'in_progress' }),
  },
  submit: task('submit', 'submit_for_review', ['--arg', 'summary=built'], { summary: 'built' }),
  approve: task('approve', 'approve_task'),
  reject: because('reject', 'reject_task'),
  verify: { line: (id) => ['verify', id], tool: 'verify_task', input: (id) => ({ task_id: id }) },
  'reject-verification': because('reject-verification', 'reject_verification'),
  'reassign-builder': to('reassign-builder', 'other-builder'),
  'reassign-checker': to('reassign-checker', 'verifier'),
  intervene: because('intervene', 'item_move'),
  reopen: because('reopen', 'reopen_task'),
  abandon: because('abandon', 'item_move'),
  review: word('review'),
  'sign-off': word('sign-off'),
};

const TASK_DONE: Readonly<Record<TaskState, readonly string[]>> = {
  pending: ['assign by lead', 'abandon by lead'],
  assigned: ['assign by lead', 'start by builder', 'abandon by lead'],
  in_progress: ['assign by lead', 'submit by builder', 'abandon by lead'],
  escalated: [
    ...['reassign-builder by lead', 'reassign-checker by lead', 'intervene by lead', 'abandon by lead'],
  ],
  review: [
    'approve by lead',
    'approve by reviewer',
    'reject by lead',
    'reject by reviewer',
    'abandon by lead',
  ],
  completed: [
    ...['verify by verifier', 'reject-verification by verifier'],
    ...['abandon by lead', 'review by reviewer', 'review by verifier'],
  ],
  verified: ['reopen by lead'],
  abandoned: [],
};

const goal = (command: string, tool: string): Tried => ({
  line: (id) => ['move', id, command, '--reason', reason],
  tool,
  input: (id) => (tool === 'item_move' ? { item: id, command, reason } : { goal_id: id, reason }),
});

const GOAL_DONE: Readonly<Record<GoalState, readonly string[]>> = {
  open: ['link by lead', 'cancel by lead'],
  active: ['link by lead', 'cancel by lead'],
  // No word is given on a whole that nobody has integrated yet.
  pending_verify: ['link by lead', 'verify by lead', 'reject by lead', 'cancel by lead'],
  verified: [],
  cancelled: [],
};

let s: Session;
let faces: Faces;
/** Tasks of no goal, one for each face, given anew where one was linked. */
const free: string[] = [];
beforeAll(async () => {
  s = await openSession({ agents: GOAL_TEAM });
  faces = await facesOf(s, ACTORS, 'goals');
});
afterAll(async () => {
  await faces.close();
  s.close();
});

describe('the same answer on the command line and through MCP', () => {
  test.each(TASK_STATES)('GOAL-18: a task in %s', async (state) => {
    const bring = async () => {
      const id = await bringTask(s, faces, state);
      if (state === 'in_progress') workOn(s);
      return id;
    };
    const { pairs, done } = await compared(faces, bring, ACTORS, TASK_TRIED);
    for (const [what, byLine, byTool] of pairs) expect([what, byTool]).toEqual([what, byLine]);
    expect(pairs).toHaveLength(ACTORS.length * Object.keys(TASK_TRIED).length);
    expect(done.toSorted()).toEqual(TASK_DONE[state].toSorted());
  });

  test.each(GOAL_STATES)('GOAL-38, GOAL-49: a goal in %s', async (state) => {
    const spare = () => free.at(-1) ?? '';
    const bring = async () => {
      free.push(await bringTask(s, faces, 'pending'));
      return bringGoal(s, faces, state);
    };
    const tried: Readonly<Record<string, Tried>> = {
      link: {
        line: (id) => ['goal', 'link', spare(), id],
        tool: 'link_task_to_goal',
        input: (id) => ({ task_id: spare(), goal_id: id }),
      },
      verify: {
        line: (id) => ['goal', 'verify', id, '--notes', 'tried it'],
        tool: 'verify_goal',
        input: (id) => ({ goal_id: id, notes: 'tried it' }),
      },
      reject: goal('reject-goal', 'reject_goal'),
      cancel: goal('cancel', 'item_move'),
      assign: {
        line: (id) => ['move', id, 'assign', '--to', 'verifier'],
        tool: 'assign_task',
        input: (id) => ({ task_id: id, assign_to: 'verifier' }),
      },
      review: word('review'),
      'sign-off': word('sign-off'),
    };
    const { pairs, done } = await compared(faces, bring, ACTORS, tried);
    for (const [what, byLine, byTool] of pairs) expect([what, byTool]).toEqual([what, byLine]);
    expect(done.toSorted()).toEqual(GOAL_DONE[state].toSorted());
    if (state !== 'pending_verify') return;
    const others = pairs.filter(([what]) => what.startsWith('verify by') && what !== 'verify by lead');
    for (const [what, { code, message }] of others)
      expect([what, code, message]).toEqual([
        what,
        'wrong-role',
        'Only lead or human may integrate this item',
      ]);
  });
});
