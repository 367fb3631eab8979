import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { type Faces, facesOf } from '../journeys/faces.ts';
import {
  bringGoal,
  bringTask,
  GOAL_STATES,
  GOAL_TEAM,
  merge,
  TASK_STATES,
  type TaskState,
} from '../journeys/goal-states.ts';
import { bringLife, LIFE_STATES, LIFE_TEAM, workOn } from '../journeys/lifecycle-states.ts';
import { denied, hooksOfASession, nothing } from './hooks-of-a-session.ts';

// The hooks ask the protocol of the item, whichever it is: here the lifecycle, goals, and one of the project's own.
const OWN = { triager: ['triager'], fixer: ['fixer'], reader: ['reader'] };
const h = hooksOfASession({ ...LIFE_TEAM, ...GOAL_TEAM }, 'developer');
let faces: Faces;
beforeAll(async () => {
  faces = await facesOf(h.s, [], 'core');
});
afterAll(() => faces.close());

const server = 'mcp__countersign__';
const todo = (content: string) => h.uses('TodoWrite', { todos: [{ content, status: 'completed' }] });
/** Done in the eyes of the protocol: its success, or an end that nothing leads out of. */
const isOver = (protocol: string, state: string) => {
  const of = BUILT_IN[protocol]?.states[state];
  return of?.success === true || of?.final === true;
};

describe('an entry of the agent’s own list is completed only where the protocol says so', () => {
  test.each(LIFE_STATES)('J02: a task of the lifecycle in %s', async (state) => {
    const id = await bringLife(h.s, faces, state);
    const said = denied(todo(`${id}: build it`));
    expect(said === '').toBe(isOver('lifecycle', state));
    if (said === '') return;
    expect(said).toContain(`${id} (Build the thing) is ${state.toUpperCase()}, not `);
    if (state === 'quality_review') expect(said).toContain(`verify_task {"task_id":"${id}"}`);
    if (state === 'in_progress') expect(said).toContain(`finish_task {"task_id":"${id}"`);
    const told = h.fire({ hook_event_name: 'TaskCompleted', task_id: '3', task_subject: `Finish ${id}` });
    expect([told.code, told.stderr.includes(id)]).toEqual([2, true]);
  });

  test.each(TASK_STATES)('J02: a task of a goal in %s', async (state) => {
    const id = await bringTask(h.s, faces, state);
    const said = denied(todo(id));
    expect(said === '').toBe(isOver('goal-task', state === 'escalated' ? 'in_progress' : state));
    if (state === 'completed') expect(said).toContain('COMPLETED, not verified');
  });

  test.each(GOAL_STATES)('J02: a goal that is %s', async (state) => {
    const id = await bringGoal(h.s, faces, state);
    expect(denied(todo(id)) === '').toBe(isOver('goal', state));
  });
});

describe('Stop', () => {
  const uses = (tool: string, input: object, more: object = {}) =>
    expect(h.uses(`${server}${tool}`, input, more)).toMatchObject(nothing);
  const ends = (agent_id: string) => h.fire({ hook_event_name: 'SubagentStop', agent_id });

  test.each([
    ['in_progress', 'finish_task'],
    ['testing', 'request_review'],
    ['quality_review', 'verify_task'],
  ] as const)('a turn does not end on a task of this session in %s', async (state, call) => {
    const id = await bringLife(h.s, faces, state);
    uses('begin_task', { task_id: id, reason: 'mine' });
    expect(h.stops().said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining(`${call} {"task_id":"${id}"`),
    });
    h.session = 'somebody-else';
    expect(h.stops()).toMatchObject(nothing);
  });

  test.each(['planning', 'approved', 'cto_intervention', 'human_escalation', 'completed'] as const)(
    'and ends on one in %s: what is left is somebody else’s',
    async (state) => {
      const id = await bringLife(h.s, faces, state);
      // In planning the developer proposes, which takes nobody's work.
      uses(state === 'planning' ? 'propose_approach' : 'finish_task', { task_id: id, reason: 'mine' });
      expect(h.stops()).toMatchObject(nothing);
    },
  );

  test.each([
    ['in_progress', 'submit_for_review'],
    ['review', 'approve_task'],
    ['completed', 'verify_task'],
  ] as const)('nor on a task of a goal in %s', async (state, call) => {
    const id = await bringTask(h.s, faces, state as TaskState);
    uses('submit_for_review', { task_id: id, summary: 'built' });
    expect(h.stops().said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining(`${call} {"task_id":"${id}"`),
    });
  });

  test('whoever assigns, approves or rejects a task has it in no hands', async () => {
    const id = await bringTask(h.s, faces, 'in_progress');
    uses('assign_task', { task_id: id, assign_to: 'builder' });
    uses('item_move', { item: id, command: 'abandon', reason: 'no' });
    const other = await bringTask(h.s, faces, 'completed');
    uses('approve_task', { task_id: other });
    uses('reject_verification', { task_id: other, reason: 'no' });
    uses('goal_status', { goal_id: other });
    uses('item_show', { item: other });
    expect(h.stops()).toMatchObject(nothing);
  });

  test('a builder has done its part with the submission, a verifier only with the verdict', async () => {
    const id = await bringTask(h.s, faces, 'completed');
    uses('submit_for_review', { task_id: id, summary: 'built' }, { agent_id: 'builder-1' });
    expect(ends('builder-1')).toMatchObject(nothing);
    const verifier = { agent_id: 'verifier-1', agent_type: 'countersign-verifier' };
    h.uses('mcp__countersign-verifier__verify_task', { task_id: id }, verifier);
    expect(ends('verifier-1').said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining(`it is not verified yet`),
    });
    await faces.must('verifier', 'verify', id);
    expect(ends('verifier-1')).toMatchObject(nothing);
  });

  test('what was only submitted is no verifier’s yet', async () => {
    const id = await bringTask(h.s, faces, 'review');
    const verifier = { agent_id: 'verifier-2', agent_type: 'countersign-verifier' };
    h.uses('mcp__countersign-verifier__verify_task', { task_id: id }, verifier);
    expect(ends('verifier-2')).toMatchObject(nothing);
  });

  test('a goal that waits for its verdict is told by its own call', async () => {
    const id = await bringGoal(h.s, faces, 'pending_verify');
    merge(h.s);
    uses('verify_goal', { goal_id: id, notes: 'tried' });
    expect(h.stops().said?.reason).toContain(`verify_goal {"goal_id":"${id}"`);
  });

  test('steps by item_move and by the shell bind as the tools do', async () => {
    const [one, two] = [await bringTask(h.s, faces, 'review'), await bringLife(h.s, faces, 'quality_review')];
    uses('item_move', { item: one, command: 'submit' });
    expect(h.uses('Bash', { command: `npx countersign move ${two} ask-review --reason x` })).toMatchObject(
      nothing,
    );
    const reason = h.stops().said?.reason ?? '';
    expect(reason).toContain(one);
    expect(reason).toContain(two);
  });

  test('a command that leads into no hands binds nothing from the shell either', async () => {
    const id = await bringTask(h.s, faces, 'in_progress');
    h.uses('Bash', { command: `countersign move ${id} abandon --reason no` });
    h.uses('Bash', { command: `countersign move ${id}` });
    expect(h.stops()).toMatchObject(nothing);
  });
});

describe('a protocol of the project’s own', () => {
  test('is asked like any other', async () => {
    const table = readFileSync(
      join(import.meta.dirname, '../../examples/bug-triage/bug-triage.yaml'),
      'utf8',
    );
    h.s.repo.git('checkout', '-q', 'main');
    h.s.repo.commit({ '.countersign/protocols/bug-triage.yaml': table });
    h.s.repo.git('checkout', '-q', 'work');
    h.s.repo.git('merge', '-q', 'main');
    for (const [id, roles] of Object.entries(OWN)) await h.s.register(id, roles);
    const id = await faces.must('triager', 'add', 'Totals are off', '--protocol', 'bug-triage');
    await faces.must('triager', 'move', id, 'accept', '--reason', 'it is one');
    expect(h.uses(`${server}item_move`, { item: id, command: 'accept' })).toMatchObject(nothing);
    await faces.must('fixer', 'move', id, 'take');
    expect(h.stops()).toMatchObject(nothing);
    expect(h.uses(`${server}item_move`, { item: id, command: 'take' })).toMatchObject(nothing);
    expect(h.stops().said?.reason).toContain(`item_move {"item":"${id}","command":"propose"}`);
    workOn(h.s);
    await faces.must('fixer', 'move', id, 'propose');
    expect(h.stops().said?.reason).toContain(`item_verify {"item":"${id}"}`);
    expect(denied(todo(id))).toContain('PROPOSED, not verified');
  });
});

describe('PreToolUse on our own servers', () => {
  test('the verifier builds nothing and gives nothing out, whatever the tool is called', async () => {
    const verifier = { agent_id: 'a2', agent_type: 'countersign-verifier' };
    for (const tool of [
      'submit_for_review',
      'begin_task',
      'create_goal',
      'assign_task',
      'item_move',
      'item_add',
    ])
      expect(denied(h.uses(`${server}${tool}`, { task_id: 'T-1', command: 'submit' }, verifier))).toContain(
        'what others built',
      );
    for (const tool of ['next', 'item_list', 'goal_status', 'get_tasks_by_state'])
      expect(h.uses(`${server}${tool}`, {}, verifier)).toMatchObject(nothing);
  });
});
