import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notesOfTask } from '../../src/engine/staged/looks.ts';
import { type Crew, openCrew } from './crew.ts';
import { calls, gatherWith, reportsOf, SEVEN } from './seven.ts';
import { crewAt, reach, TASK } from './walk.ts';

const THREE = SEVEN.slice(0, 3);
const FOUR = SEVEN.slice(3);

let crew: Crew;
beforeEach(async () => {
  crew = await openCrew();
  await gatherWith(crew);
});
afterEach(() => crew.close());

const folder = () => join(crew.tasks, TASK);
const lock = () => readFileSync(join(folder(), 'task.json'), 'utf8');
const show = async () => (await crew.go('task', 'show', TASK)).data as unknown as Shown;
const recover = () => crew.text(crew.code, 'lead', 's-1', 'task', 'recover', TASK);
const audit = () => crew.text(crew.code, 'lead', 's-1', 'task', 'audit', TASK);
const notes = () => crew.session.with(({ ports }) => notesOfTask(ports, TASK));
const interrupt = (kind: string) =>
  crew.go('task', 'interrupt', TASK, '--kind', kind, '--reason', 'the user asked');

interface Shown {
  readonly state: string;
  readonly resume: { readonly decision: string; readonly agents: readonly string[] };
  readonly agents: readonly { readonly agent: string; readonly status: string; readonly complete: boolean }[];
  readonly invocations: readonly { readonly agent: string; readonly status: string }[];
  readonly reports: readonly string[];
}

/** Everything that an interruption leaves alone. */
async function standing() {
  const { state, invocations, reports, agents } = await show();
  const trees = crew.git(crew.code, 'worktree', 'list', '--porcelain');
  return {
    state,
    invocations,
    reports,
    agents,
    trees,
    lock: lock(),
    item: await crew.session.snapshot('T-1'),
  };
}

test.each(['audit', 'question', 'priority', 'command'])(
  'PROTO-162, PROTO-163, PROTO-167, PROTO-174: %s comes between and is served; nothing of the task changes, and a look at it frames the interruption',
  async (kind) => {
    await calls(crew, SEVEN);
    await reportsOf(crew, THREE);
    const before = await standing();
    expect(await interrupt(kind)).toMatchObject({ code: 0 });
    await crew.go('task', 'list');
    await crew.go('list');
    expect(await standing()).toEqual(before);
    const told = await recover();
    expect(told.code).toBe(0);
    expect(told.out).toContain(`INVOKE_INCOMPLETE: ${FOUR.join(', ')}`);
    expect(await standing()).toEqual(before);
    const framed = (await notes()).filter(
      ({ type }) => type === 'task-interrupted' || type === 'task-resumed',
    );
    expect(framed).toMatchObject([
      { type: 'task-interrupted', kind, state: 'REQUIREMENTS', pending: FOUR },
      { type: 'task-resumed', state: 'REQUIREMENTS' },
    ]);
    for (const note of framed)
      expect('points' in note && note.points.map(({ name, passed }) => [name, passed])).toEqual([
        ['state', true],
        ['worktrees', true],
        ['log', true],
      ]);
  },
);

test('PROTO-162: what is none of the four is no interruption, and no stranger interrupts', async () => {
  const foreign = ['task', 'interrupt', TASK, '--kind', 'question'];
  expect((await crew.say(crew.code, 'architect', 's-2', ...foreign)).code).toBe(7);
  expect((await interrupt('boredom')).code).toBe(2);
});

test('PROTO-164: a worktree that went meanwhile is told before anything else, and nothing goes on', async () => {
  await calls(crew, SEVEN);
  await interrupt('question');
  const tree = join(folder(), 'agents', 'tester', 'code');
  crew.git(crew.code, 'worktree', 'remove', '-f', '-f', tree);
  const told = await recover();
  expect(told.code).toBe(3);
  expect(told.out.split('\n').find((line) => line.includes('tester'))).toBe(
    `FAIL  worktrees: missing: ${tree}`,
  );
  expect((await crew.text(crew.code, 'lead', 's-1', 'task', 'show', TASK)).out).toMatch(
    /^MISSING worktree .*tester/,
  );
  expect((await crew.go('task', 'invoke', TASK, '--agent', 'quality')).code).toBe(3);
});

describe('what came between and was not ended', () => {
  test('PROTO-164: a task that went on by its steps is as it should be, and its agents are called again', async () => {
    crew.close();
    crew = await crewAt('IMPLEMENTATION');
    await interrupt('priority');
    // Whoever was called before says that it is done; the steps that follow take no agent.
    expect((await crew.go('task', 'negotiate', TASK, '--reason', 'the scope')).code).toBe(0);
    expect((await crew.decides('change-scope', 'another')).kind).toBe('done');
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'architect')).code).toBe(3);
    const told = await recover();
    expect([told.code, told.out]).toEqual([
      0,
      expect.stringContaining('it went on from IMPLEMENTATION by its steps'),
    ]);
    expect((await audit()).code).toBe(0);
  });

  test('PROTO-163: it ends with its task, and nobody is kept from one of the same name that is begun anew', async () => {
    await interrupt('question');
    expect((await crew.decides('cancel', 'not now')).kind).toBe('done');
    await crew.go('task', 'tidy', TASK);
    await reach(crew, 'REQUIREMENTS');
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'architect')).code).toBe(0);
  });
});

describe('how to go on', () => {
  test('PROTO-165, PROTO-166, PROTO-170..173, PROTO-176: 3 of 7 are complete: exactly the other 4 are called, none of the 3 again, and SYNTHESIS waits for 7 of 7', async () => {
    await calls(crew, THREE);
    await reportsOf(crew, THREE);
    await interrupt('priority');
    const kept = Object.fromEntries(
      readdirSync(folder()).map((name) => [name, statSync(join(folder(), name)).mtimeMs]),
    );
    await recover();
    const { resume, agents } = await show();
    expect(
      agents
        .filter(({ complete }) => complete)
        .map(({ agent }) => agent)
        .sort(),
    ).toEqual([...THREE].sort());
    expect(resume.decision).toBe('INVOKE_INCOMPLETE');
    expect([...resume.agents].sort()).toEqual([...FOUR].sort());
    const early = await crew.go('task', 'synthesize', TASK);
    expect(early.code).toBe(3);
    expect(JSON.stringify(early.error.missing)).toContain('3 of 7 say COMPLETE');
    for (const agent of THREE) expect((await crew.go('task', 'invoke', TASK, '--agent', agent)).code).toBe(3);
    await calls(crew, FOUR);
    await reportsOf(crew, FOUR.slice(1));
    expect(JSON.stringify((await crew.go('task', 'synthesize', TASK)).error.missing)).toContain('6 of 7');
    await reportsOf(crew, FOUR.slice(0, 1));
    expect(await crew.go('task', 'synthesize', TASK)).toMatchObject({ code: 0 });
    const { invocations } = await show();
    expect(invocations.map(({ agent }) => agent)).toEqual(SEVEN);
    for (const agent of THREE) {
      const name = `${TASK}-${agent}-requirements.md`;
      expect(statSync(join(folder(), name)).mtimeMs).toBe(kept[name]);
    }
  });

  test('PROTO-170, PROTO-175: nobody had begun: all are called', async () => {
    await interrupt('question');
    expect((await recover()).out).toContain('INVOKE_ALL_AGENTS: ');
    const { resume } = await show();
    expect(resume.decision).toBe('INVOKE_ALL_AGENTS');
    expect([...resume.agents].sort()).toEqual([...SEVEN].sort());
  });

  test('PROTO-170, PROTO-177: all were complete: none is called, and the gate is open', async () => {
    await calls(crew, SEVEN);
    await reportsOf(crew, SEVEN);
    await interrupt('command');
    await recover();
    const { resume, invocations } = await show();
    expect(resume).toEqual({ decision: 'TRANSITION_TO_SYNTHESIS', agents: [] });
    expect(await crew.go('task', 'synthesize', TASK)).toMatchObject({ code: 0 });
    expect((await show()).invocations).toHaveLength(invocations.length);
  });

  test('PROTO-168, PROTO-169: before going on one sees the state, each agent and the reports; a status without its report is not complete', async () => {
    expect((await crew.text(crew.code, 'lead', 's-1', 'task', 'show', TASK)).out).toContain('no reports yet');
    await calls(crew, THREE);
    await reportsOf(crew, ['architect', 'quality']);
    await crew.say(crew.code, 'performance', '', 'task', 'status', TASK, 'IN_PROGRESS');
    rmSync(join(folder(), `${TASK}-quality-requirements.md`));
    const status = JSON.parse(readFileSync(join(folder(), 'agents', 'quality', 'status.json'), 'utf8'));
    expect(status.status).toBe('COMPLETE');
    const { out } = await crew.text(crew.code, 'lead', 's-1', 'task', 'show', TASK);
    expect(out).toContain(': REQUIREMENTS');
    expect(out).toContain('  architect: complete\n');
    expect(out).toContain('  quality: requirements report missing');
    expect(out).toContain('  performance: status=WORKING, expected COMPLETE');
    expect(out).toContain('  usability: status missing');
    expect(out).toContain(`reports: ${join(folder(), `${TASK}-architect-requirements.md`)}`);
    const { resume } = await show();
    expect(resume.agents).toHaveLength(6);
    expect(resume.agents).toContain('quality');
  });
});

describe('an audit', () => {
  test('PROTO-178: while it runs no agent is called; after it one is', async () => {
    await interrupt('audit');
    const early = await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    expect(early.code).toBe(3);
    expect(JSON.stringify(early.error.missing)).toContain('audit');
    expect((await audit()).code).toBe(0);
    expect(await crew.go('task', 'invoke', TASK, '--agent', 'architect')).toMatchObject({ code: 0 });
  });

  test('before the requirements, what is still to come is missing nowhere, and the audit comes to its end', async () => {
    crew.close();
    crew = await openCrew();
    for (const state of ['INIT', 'CLASSIFIED']) {
      await reach(crew, state, state);
      expect(await audit()).toMatchObject({ code: 0, out: expect.stringContaining('clean') });
    }
    await reach(crew, 'REQUIREMENTS', 'REQUIREMENTS');
    expect(await crew.go('task', 'invoke', TASK, '--agent', 'architect')).toMatchObject({ code: 0 });
  });

  test('PROTO-179, PROTO-180: it leaves the lock byte for byte as it was, and ends with how to go on', async () => {
    await calls(crew, THREE);
    await reportsOf(crew, THREE);
    const before = { lock: lock(), item: await crew.session.snapshot('T-1') };
    const told = await audit();
    expect({ lock: lock(), item: await crew.session.snapshot('T-1') }).toEqual(before);
    expect(told.out.trim().split('\n').at(-1)).toMatch(/^INVOKE_INCOMPLETE /);
    for (const agent of FOUR) expect(told.out).toContain(agent);
  });

  test('PROTO-181: it is no way around: from REQUIREMENTS nothing jumps to VALIDATION', async () => {
    await interrupt('audit');
    expect((await crew.go('task', 'validate', TASK)).code).toBe(6);
    expect((await crew.go('task', 'synthesize', TASK)).code).toBe(3);
    await audit();
    expect((await crew.go('task', 'validate', TASK)).code).toBe(6);
    expect((await show()).state).toBe('REQUIREMENTS');
  });
});
