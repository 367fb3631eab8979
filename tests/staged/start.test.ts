import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { selectTask } from '../../src/engine/staged/selection.ts';
import { type Crew, openCrew, TODO } from './crew.ts';
import { crewAt, reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const begin = (id: string, ...words: readonly string[]) => crew.say(top(), 'lead', id, 'task', ...words);

/** What lies in the folder of tasks, git's list of worktrees, and everything that is on record of leases. */
async function standing(): Promise<string> {
  const leases = await crew.session.with(({ ports }) => ports.store.read(`lease/task/${TASK}`));
  return JSON.stringify([crew.git(top(), 'worktree', 'list'), existsSync(crew.code), leases]);
}

describe('whether a task can be done without asking', () => {
  test('PROTO-32: no task begins that was not checked, and none on somebody else’s check', async () => {
    crew = await openCrew();
    const before = await standing();
    const unchecked = await begin('s-1', 'start', TASK);
    expect(unchecked.code).toBe(2);
    expect(unchecked.error.hint).toBe(`countersign --actor lead task check ${TASK}`);
    await begin('s-2', 'check', TASK);
    expect((await begin('s-1', 'start', TASK)).code).toBe(2);
    expect(await standing()).toBe(before);
  });

  test('PROTO-33: an entry that does not say its scope is no task, and the answer names what is missing', async () => {
    crew = await openCrew({ files: { 'todo.md': TODO.replace(/- \*\*Scope\*\*: src.*\n/, '') } });
    const { data, code } = await begin('s-1', 'check', TASK);
    expect(code).not.toBe(0);
    expect(data.points).toContainEqual(
      expect.objectContaining({
        name: 'deliverables',
        passed: false,
        because: expect.stringContaining('Scope'),
      }),
    );
    expect((await begin('s-1', 'start', TASK)).code).toBe(2);
  });

  test('PROTO-34, PROTO-35: a missing credential and a choice of architecture send to another task', async () => {
    crew = await openCrew();
    for (const [name, words] of [
      ['blockers', ['--blocker', 'the key of the payment API']],
      ['capabilities', ['--choice', 'a queue or a cron job']],
    ] as const) {
      const { data, code } = await begin('s-1', 'check', TASK, ...words);
      expect(code).not.toBe(0);
      expect(data.points).toContainEqual(
        expect.objectContaining({
          name,
          passed: false,
          because: expect.stringContaining('select an alternative'),
        }),
      );
      expect((await begin('s-1', 'start', TASK)).code).toBe(2);
    }
    expect((await begin('s-1', 'check', TASK)).code).toBe(0);
    expect((await begin('s-1', 'start', TASK)).code).toBe(0);
  });

  test('PROTO-42: an entry that was edited since it was checked is checked again', async () => {
    crew = await openCrew();
    await begin('s-1', 'check', TASK);
    crew.write(join(top(), 'todo.md'), TODO.replace('its tests', 'all tests'));
    expect((await begin('s-1', 'start', TASK)).error.message).toContain('changed since it was checked');
  });
});

describe('what a session does with a task', () => {
  test.each([
    ['own', true, 'RESUME'],
    ['own', false, 'ERROR'],
    ['other', true, 'SELECT_ALTERNATIVE'],
    ['other', false, 'SELECT_ALTERNATIVE'],
    ['none', true, 'ASK_USER'],
    ['none', false, 'PROCEED_WITH_INIT'],
    ['unknown', true, 'ASK_USER'],
    ['unknown', false, 'ASK_USER'],
  ] as const)('PROTO-45: held by %s, worktree %s: %s', (holding, hasWorktree, selection) => {
    crew = { close: () => {} } as Crew;
    expect(selectTask(holding, hasWorktree).selection).toBe(selection);
  });

  test('PROTO-44, PROTO-46, PROTO-52: no lease and no worktree: it is taken up; a folder alone is no worktree', async () => {
    crew = await openCrew();
    mkdirSync(join(crew.tasks, TASK, 'code'), { recursive: true });
    const { data } = await begin('s-1', 'check', TASK);
    expect(data.selection).toBe('PROCEED_WITH_INIT');
    rmSync(join(crew.tasks, TASK), { recursive: true });
    expect((await begin('s-1', 'start', TASK)).data).toMatchObject({ how: 'started', state: 'INIT' });
  });

  test('PROTO-47: its own session goes on where it was, and begins nothing anew', async () => {
    crew = await crewAt('REQUIREMENTS');
    const before = await crew.session.events('T-1');
    expect((await begin('s-1', 'start', TASK)).data).toMatchObject({ how: 'resumed', state: 'REQUIREMENTS' });
    expect(await crew.session.events('T-1')).toEqual(before);
  });

  test('PROTO-48: held by this session and without its worktree: an error, and a question to a person', async () => {
    crew = await crewAt('CLASSIFIED');
    crew.git(top(), 'worktree', 'remove', '-f', '-f', crew.code);
    expect((await begin('s-1', 'check', TASK)).data.selection).toBe('ERROR');
    const refused = await begin('s-1', 'start', TASK);
    expect(refused.code).not.toBe(0);
    expect(refused.error.hint).toContain('a person');
    expect((await crew.session.events('T-1')).at(-1)).toMatchObject({ to: 'CLASSIFIED' });
  });

  test('PROTO-49, PROTO-53, PROTO-55, PROTO-60: another session’s task is left alone, and another one is offered', async () => {
    crew = await crewAt('INIT');
    const before = await standing();
    const { data } = await begin('s-2', 'check', TASK);
    expect(data).toMatchObject({ selection: 'SELECT_ALTERNATIVE', because: 'another session works on it' });
    const refused = await begin('s-2', 'start', TASK);
    expect(refused.error.message).toContain('held by session s-1');
    const release = await crew.say(top(), 'lead', 's-2', 'lease', 'release', TASK);
    expect(release.error.message).toContain('held by session s-1');
    expect((await crew.session.say('', 'lease', 'force', TASK, '--reason', 'mine')).code).not.toBe(0);
    expect(await standing()).toBe(before);
    const listed = await begin('s-2', 'list');
    expect(listed.data).toMatchObject({ next: 'other-task' });
  });

  test('PROTO-50: another session’s task without a worktree may be in the making', async () => {
    crew = await crewAt('INIT');
    crew.git(top(), 'worktree', 'remove', '-f', '-f', crew.code);
    const { data } = await begin('s-2', 'check', TASK);
    expect(data).toMatchObject({
      selection: 'SELECT_ALTERNATIVE',
      because: 'another session holds it and may be initializing',
    });
  });

  test('PROTO-51, PROTO-54, PROTO-61, PROTO-62, PROTO-63: a worktree that nobody holds is asked about, with causes and three ways', async () => {
    crew = await crewAt('INIT');
    await crew.say(top(), 'lead', 's-1', 'lease', 'release', TASK);
    crew.write(join(crew.code, 'unsaved.txt'), 'work\n');
    const before = await standing();
    const told = await begin('s-2', 'check', TASK);
    expect(told.code).not.toBe(0);
    expect(told.data.selection).toBe('ASK_USER');
    const question = (told.data.question as readonly string[]).join('\n');
    for (const part of [
      ...[TASK, crew.code, join(crew.tasks, TASK, 'task.json'), 'crashed session'],
      ...['crashed before it cleaned up', 'made by hand', 'deleted by hand'],
      ...['clean up and start fresh', 'resume in the existing worktree', 'choose another task'],
    ])
      expect(question).toContain(part);
    expect(question.match(/^ {2}\w+: /gm)).toHaveLength(3);
    const stopped = await begin('s-2', 'start', TASK);
    expect(stopped.code).not.toBe(0);
    expect(stopped.error.message).toContain('A person chooses:');
    expect(await standing()).toBe(before);
    expect(readFileSync(join(crew.code, 'unsaved.txt'), 'utf8')).toBe('work\n');
  });

  test('PROTO-64: that choice is no agent’s', async () => {
    crew = await crewAt('INIT');
    await crew.say(top(), 'lead', 's-1', 'lease', 'release', TASK);
    const before = await standing();
    for (const choice of ['fresh', 'resume']) {
      const refused = await begin('s-2', 'start', TASK, '--choose', choice);
      expect(refused.error.message).toContain('lead is an agent');
    }
    expect(await standing()).toBe(before);
  });

  test('PROTO-56, PROTO-57, PROTO-58, PROTO-59: the look at lease, session and worktree is on record before a task is taken up', async () => {
    crew = await openCrew();
    await begin('s-9', 'list');
    await reach(crew, 'INIT');
    const [looked, taken] = await crew.session.with(async ({ ports }) => [
      (await ports.store.read(`task/${TASK}`)).at(-1),
      (await ports.store.read(`lease/task/${TASK}`)).at(0),
    ]);
    expect(JSON.parse(looked?.body ?? '')).toMatchObject({
      data: {
        session: 's-1',
        selection: 'PROCEED_WITH_INIT',
        because: 'nobody holds it and it has no worktree',
      },
    });
    expect(looked?.position).toBeLessThan(taken?.position ?? 0);
  });
});

describe('the end of INIT', () => {
  test('PROTO-83: a session has a name, and one name is one session’s', async () => {
    crew = await openCrew();
    for (const bad of ['', 'two words', 'x'.repeat(200)]) {
      const words = ['task', ...(bad === '' ? [] : ['--session', bad]), 'check', TASK];
      expect((await crew.session.say('lead', ...words)).code).toBe(2);
    }
    await reach(crew, 'INIT');
    const other = await crew.say(crew.code, 'lead', '', 'task', 'classify', TASK);
    expect(other.error.message + JSON.stringify(other.error.missing)).toContain('no session is named');
  });

  test('PROTO-85: a task that is in no list is none', async () => {
    crew = await openCrew();
    const { data } = await begin('s-1', 'check', 'no-such-task');
    expect(data.points).toContainEqual(
      expect.objectContaining({ name: 'deliverables', because: 'todo.md has no entry of this name' }),
    );
    expect((await begin('s-1', 'start', 'no-such-task')).code).toBe(2);
  });

  test('PROTO-02, PROTO-86, PROTO-88, PROTO-89, PROTO-95: worktree and place are looked at, and each that is missing is named', async () => {
    crew = await crewAt('INIT');
    expect(crew.git(top(), 'worktree', 'list')).toContain(crew.code);
    const elsewhere = await begin('s-1', 'classify', TASK);
    expect(elsewhere.code).not.toBe(0);
    expect(elsewhere.error.missing.map(({ because }) => because).join()).toContain(
      `it is asked from ${top()}, not from ${crew.code}`,
    );
    await crew.say(top(), 'lead', 's-1', 'lease', 'release', TASK);
    const unheld = await crew.go('task', 'classify', TASK);
    expect(unheld.error.missing.map(({ because }) => because)).toEqual(['nobody holds the task']);
  });

  test('PROTO-90: the step out of INIT says what was seen: lease, session, worktrees and place', async () => {
    crew = await crewAt('CLASSIFIED');
    const moved = (await crew.session.events('T-1')).findLast((e) => e.type === 'moved');
    expect(moved).toMatchObject({
      from: 'INIT',
      to: 'CLASSIFIED',
      facts: { session: 's-1', lease: 1, cwd: crew.code },
    });
    const said = moved?.type === 'moved' ? moved.verdicts.map(({ because }) => because).join('\n') : '';
    expect(said).toContain('session s-1 holds it');
    expect(said).toContain(`git knows ${crew.code}`);
    expect(said).toContain('agents have their worktrees');
    expect(said).toContain(`it is asked from ${crew.code}`);
  });
});
