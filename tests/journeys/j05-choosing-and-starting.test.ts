// J05: which task a session takes up, and how it begins; every command is a process of its own. (over 200 lines: one way)
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, TODO } from '../staged/crew.ts';
import { TASK } from '../staged/walk.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { gateOf, type Hands, handsOf, lacks, stateOf } from './staged-hands.ts';

const RACED = ['race-a', 'race-b', 'race-c'];
const entry = (name: string, scope = 'somewhere') =>
  `\n## ${name}\n\n- **Purpose**: one\n${scope === '' ? '' : `- **Scope**: ${scope}\n`}- **Components**: three\n`;

let program: Program;
let w: Hands;
beforeAll(async () => {
  program = buildProgram();
  const todo = [TODO, ...RACED.map((name) => entry(name)), entry('vague', '')].join('');
  w = await handsOf(program, { files: { 'todo.md': todo } });
});
afterAll(async () => {
  await w.stop();
  program.remove();
});

const top = () => w.session.repo.top;
const task = (id: string, ...words: readonly string[]) => w.say(top(), 'lead', id, 'task', ...words);
const lease = (id: string, ...words: readonly string[]) => w.say(top(), 'lead', id, 'lease', ...words);
const codeOf = (name: string) => join(w.tasks, name, 'code');
const trees = () => w.git(top(), 'worktree', 'list').split('\n').filter(Boolean).length;
/** Puts a task back to where nobody has it, and no tree of it is there. */
const removes = (path: string) => void w.git(top(), 'worktree', 'remove', '-f', '-f', path);

describe('J05: before a task begins', () => {
  test('J05: what can be done without asking is looked at, and another task is chosen where it cannot', async () => {
    const first = await task('s-1', 'start', TASK);
    expect(lacks(first)).toContain(`task check ${TASK}`);
    const vague = await task('s-1', 'check', 'vague');
    expect(vague.code).not.toBe(0);
    expect(JSON.stringify(vague.data.points)).toContain('does not say Scope');
    expect(lacks(await task('s-1', 'start', 'vague'))).toContain('task list');
    const blocked = await task('s-1', 'check', 'other-task', '--blocker', 'the key of api.example');
    expect(JSON.stringify(blocked.data.points)).toContain('the key of api.example: select an alternative');
    expect((await task('s-1', 'start', 'other-task')).code).not.toBe(0);
    // The same through a server.
    const lead = await w.mcp('lead');
    const { data } = await lead.call('task_check', {
      ...{ task_id: 'other-task', session: 's-1', choices: ['REST or GraphQL'] },
    });
    expect(data).toMatchObject({ feasible: false });
    expect(JSON.stringify(data.points)).toContain('REST or GraphQL: select an alternative');
    const { data: list } = await task('s-1', 'list');
    expect(list.next).toBe(TASK);
  });

  test('J05: two sessions race for three tasks, by six processes; each task has one holder, one tree, one item', async () => {
    const sessions = ['s-8', 's-9'];
    const pairs = RACED.flatMap((name) => sessions.map((id) => [id, name] as const));
    await Promise.all(pairs.map(([id, name]) => task(id, 'check', name)));
    const said = await Promise.all(pairs.map(([id, name]) => task(id, 'start', name)));
    for (const name of RACED) {
      const won = pairs.filter(([, of], n) => of === name && said[n]?.code === 0);
      expect(won, name).toHaveLength(1);
      const { holder } = (await lease('', 'show', name)).data as { holder?: { session: string } };
      expect([name, holder?.session]).toEqual([name, won[0]?.[0]]);
      expect(existsSync(codeOf(name))).toBe(true);
    }
    for (const lost of said.filter(({ code }) => code !== 0))
      expect(lacks(lost)).toMatch(/held by session s-[89]|task list|try again/);
    expect(trees()).toBe(1 + RACED.length);
    const { items } = (await w.say(top(), '', '', 'list')).data as unknown as { items: readonly object[] };
    expect(items).toHaveLength(RACED.length);
  });
});

describe('J05: the six rows of the matrix', () => {
  const row = async (id: string, name = TASK) => (await task(id, 'check', name)).data.selection;

  test('J05: nobody and nothing there: it begins; held by this session: it goes on; by another: it is left alone', async () => {
    expect(await row('s-1')).toBe('PROCEED_WITH_INIT');
    expect((await task('s-1', 'start', TASK)).data).toMatchObject({
      how: 'started',
      state: 'INIT',
      code: w.code,
    });
    expect(await row('s-1')).toBe('RESUME');
    const again = await task('s-1', 'start', TASK);
    expect(again.data).toMatchObject({ how: 'resumed', state: 'INIT' });
    expect(await row('s-2')).toBe('SELECT_ALTERNATIVE');
    const refused = await task('s-2', 'start', TASK);
    expect(lacks(refused)).toContain('held by session s-1');
    expect((await task('s-2', 'list')).data.next).not.toBe(TASK);
    // A stranger neither gives it back nor takes it away.
    expect(lacks(await lease('s-2', 'release', TASK))).toContain('held by session s-1');
    expect((await lease('s-2', 'force', TASK, '--reason', 'mine')).code).not.toBe(0);
  });

  test('J05: without its tree it may be in the making for others, and is a question for whoever holds it', async () => {
    removes(w.code);
    expect((await task('s-2', 'check', TASK)).data).toMatchObject({
      selection: 'SELECT_ALTERNATIVE',
      because: 'another session holds it and may be initializing',
    });
    expect((await task('s-1', 'check', TASK)).data).toMatchObject({ selection: 'ERROR' });
    // It never left INIT: its holder has the tree made again.
    expect((await task('s-1', 'start', TASK)).data).toMatchObject({ how: 'resumed', state: 'INIT' });
    expect(existsSync(w.code)).toBe(true);
  });

  test('J05: a session that crashed is a question with three answers, and each of them is a person’s', async () => {
    w.write(join(w.code, 'unsaved.txt'), 'half a thought\n');
    const taken = await w.person('lease', 'force', TASK, '--reason', 'its session is gone');
    expect(taken.out).toContain('is held by session s-1 (lead)');
    expect(taken.code).toBe(0);
    const asked = await task('s-2', 'check', TASK);
    expect(asked.data.selection).toBe('ASK_USER');
    const question = (asked.data.question as readonly string[]).join('\n');
    for (const part of [w.code, join(w.tasks, TASK, 'task.json'), 'crashed session'])
      expect(question).toContain(part);
    expect(question.match(/^ {2}(fresh|resume|other): /gm)).toHaveLength(3);
    expect(lacks(await task('s-2', 'start', TASK))).toContain('--choose fresh|resume|other');
    for (const choice of ['fresh', 'resume', 'other'])
      expect((await task('s-2', 'start', TASK, '--choose', choice)).code, choice).not.toBe(0);
    expect(readFileSync(join(w.code, 'unsaved.txt'), 'utf8')).toBe('half a thought\n');
    const start = ['task', '--session', 's-2', 'start', TASK, '--choose'];
    // Whoever answers nothing has decided nothing.
    expect((await w.declines(...start, 'resume')).code).not.toBe(0);
    expect((await w.person(...start, 'other')).out).toContain('is left as it is');
    expect(await row('s-2')).toBe('ASK_USER');
    expect((await w.person(...start, 'resume')).out).toContain('LOCK_SUCCESS');
    expect(await row('s-2')).toBe('RESUME');
    expect(existsSync(join(w.code, 'unsaved.txt'))).toBe(true);
    await w.person('lease', 'force', TASK, '--reason', 'once more');
    await task('s-1', 'check', TASK);
    const fresh = () => w.person('task', '--session', 's-1', 'start', TASK, '--choose', 'fresh');
    // What is nowhere else is not cleared away.
    expect((await fresh()).out).toContain('changes that are not committed (unsaved.txt)');
    rmSync(join(w.code, 'unsaved.txt'));
    const begun = await fresh();
    expect([begun.code, begun.out]).toEqual([0, expect.stringContaining('LOCK_SUCCESS')]);
    expect(await stateOf(w)).toBe('INIT');
  });
});

describe('J05: the end of INIT, and of the classification', () => {
  test('J05: each condition of INIT fails alone, by its name', async () => {
    for (const bad of ['two words', 'x'.repeat(200)])
      expect((await task(bad, 'check', TASK)).code, bad).toBe(2);
    expect(JSON.stringify((await task('s-1', 'check', 'unknown')).data.points)).toContain(
      'no entry of this name',
    );
    expect((await task('s-1', 'check', 'main')).code).not.toBe(0);
    const classify = (from: string, id: string) => w.say(from, 'lead', id, 'task', 'classify', TASK);
    expect(lacks(await classify(top(), 's-1'))).toContain(`not from ${w.code}`);
    expect(lacks(await classify(w.code, 's-2'))).toContain('held by session s-1');
    expect(lacks(await classify(w.code, ''))).toContain('no session is named');
    w.write(join(top(), 'todo.md'), `${TODO.replace('src/dates.js', 'everything')}`);
    expect(lacks(await classify(w.code, 's-1'))).toContain('was changed since the task was started');
    w.git(top(), 'checkout', '-q', 'todo.md');
    expect(await gateOf(w)).toEqual([]);
    expect((await classify(w.code, 's-1')).data.status).toBe('CLASSIFIED');
  });

  test('J05: to stop takes a reason that counts; the agent is told to go on for every other', async () => {
    for (const category of ['time', 'complexity', 'tokens', 'ask-first']) {
      const refused = await w.go('task', 'stop', TASK, '--category', category, '--evidence', 'x');
      expect(lacks(refused), category).toContain('go on with the task');
    }
    expect(w.hooks.stops('I stop here.', { cwd: w.code }).said?.decision).toBe('block');
    expect((await w.go('task', 'stop', TASK, '--category', 'scope-changed')).code).not.toBe(0);
    const words = ['--category', 'ambiguity', '--evidence', '"always UTC"', '"always local"'];
    expect(await w.go('task', 'stop', TASK, ...words)).toMatchObject({ code: 0 });
    expect(w.hooks.stops('I stop here.', { cwd: w.code }).said).toBeUndefined();
  });

  test('J05: risk, agents, their trees and task.md are there, in this order, and seen from the right place', async () => {
    expect(await gateOf(w)).toEqual(
      expect.arrayContaining(['classification', 'agent-worktrees', 'task-file']),
    );
    const assess = (...more: readonly string[]) =>
      w.go('task', 'assess', TASK, ...more, '--reason', 'src/dates.js');
    expect((await assess('--risk', 'SOME', '--agents', 'architect')).code).not.toBe(0);
    expect(lacks(await assess('--risk', 'MEDIUM', '--agents', 'nobody'))).toContain('knows no agent nobody');
    expect((await w.go('task', 'risk', 'src/dates.js')).data).toMatchObject({
      risk: 'MEDIUM',
      agents: [...AGENTS],
    });
    expect(await assess('--risk', 'MEDIUM', '--agents', AGENTS.join(','))).toMatchObject({ code: 0 });
    expect(await gateOf(w)).toEqual(['agent-worktrees', 'task-file']);
    expect(await w.go('task', 'worktrees', TASK)).toMatchObject({ code: 0 });
    const document = join(w.tasks, TASK, 'task.md');
    expect(await gateOf(w)).toEqual(['task-file']);
    expect(await w.go('task', 'document', TASK)).toMatchObject({ code: 0 });
    // In the code it counts as missing.
    renameSync(document, join(w.code, 'task.md'));
    expect(lacks(await w.go('task', 'gather', TASK))).toContain(`there is no ${document}`);
    renameSync(join(w.code, 'task.md'), document);
    for (const from of [top(), join(w.tasks, TASK, 'agents/architect/code')])
      expect(lacks(await w.say(from, 'lead', 's-1', 'task', 'gather', TASK)), from).toContain(
        `not from ${w.code}`,
      );
    expect((await w.go('task', 'gather', TASK)).data.status).toBe('REQUIREMENTS');
    const call = ['task', 'invoke', TASK, '--agent', 'architect'];
    expect(lacks(await w.say(top(), 'lead', 's-1', ...call))).toContain(`not from ${w.code}`);
    expect(await w.go(...call)).toMatchObject({ code: 0 });
  });

  test('J05: its folder holds what the layout says, and the audit finds the store clean', async () => {
    const names = readdirSync(join(w.tasks, TASK));
    for (const name of ['task.json', 'state.json', 'task.md', 'audit-trail.json', 'code', 'agents'])
      expect(names).toContain(name);
    expect(readdirSync(join(w.tasks, TASK, 'agents')).toSorted()).toEqual([...AGENTS]);
    const lock = JSON.parse(readFileSync(join(w.tasks, TASK, 'task.json'), 'utf8'));
    expect(lock).toMatchObject({ session_id: 's-1', task_name: TASK, state: 'REQUIREMENTS' });
    rmSync(join(w.tasks, TASK, 'task.json'));
    await w.go('task', 'show', TASK);
    expect(existsSync(join(w.tasks, TASK, 'task.json'))).toBe(true);
    const told = await w.text(top(), '', '', 'audit', 'verify');
    expect(told.out).toContain('clean');
  });

  test('J05: begun afresh in the middle, the task that was is cancelled, its papers are kept, and nothing is lost', async () => {
    await w.person('lease', 'force', TASK, '--reason', 'it crashed again');
    await task('s-3', 'check', TASK);
    const fresh = () => w.person('task', '--session', 's-3', 'start', TASK, '--choose', 'fresh');
    const own = join(w.tasks, TASK, 'agents/tester/code');
    w.write(join(own, 'kept.js'), '1;\n');
    w.git(own, 'add', '-A');
    w.git(own, 'commit', '-q', '-m', 'kept');
    expect((await fresh()).out).toContain(`commits that landed nowhere: task-${TASK}-agent-tester`);
    expect(await stateOf(w)).toBe('REQUIREMENTS');
    w.git(own, 'reset', '-q', '--hard', 'HEAD^');
    const begun = await fresh();
    expect([begun.code, begun.out]).toEqual([
      0,
      expect.stringMatching(/LOCK_SUCCESS parse-dates \(T-\d+\): INIT/),
    ]);
    expect(existsSync(own)).toBe(false);
    expect(readdirSync(join(w.tasks, '.archive', `${TASK}-s-1`))).toContain('task.md');
    expect((await w.text(top(), '', '', 'audit', 'verify')).out).toContain('clean');
  });
});
