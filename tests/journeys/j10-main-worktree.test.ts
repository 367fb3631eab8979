import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../staged/crew.ts';
import { answered, approved, commits, DONE, reach, TASK } from '../staged/walk.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { gateOf, type Hands, handsOf, lacks } from './staged-hands.ts';

// J10: the main worktree of a clone: one holder at a time, and one commit for each task.
const RACERS = Array.from({ length: 20 }, (_, n) => `race-${n}`);

let program: Program;
let w: Hands;
beforeAll(async () => {
  program = buildProgram();
  w = await handsOf(program);
  const remote = join(w.session.repo.root, 'remote.git');
  w.git(top(), 'init', '-q', '--bare', '-b', 'main', remote);
  w.git(top(), 'remote', 'add', 'origin', remote);
  w.git(top(), 'push', '-q', 'origin', 'main');
  w.git(top(), 'remote', 'set-head', 'origin', 'main');
});
afterAll(async () => {
  await w.stop();
  program.remove();
});

const top = () => w.session.repo.top;
const lease = (id: string, ...words: readonly string[]) => w.say(top(), 'lead', id, 'lease', ...words);
const holder = async () => (await lease('', 'show', 'main')).data.holder as { session: string } | null;
const write = (path: string, as = {}) =>
  w.hooks.uses('Write', { file_path: join(top(), path), content: 'x' }, as);
const shell = (command: string, as = {}) => w.hooks.uses('Bash', { command }, as);
const done = async (...words: readonly string[]) =>
  expect(await w.go('task', ...words)).toMatchObject({ code: 0 });

describe('J10: who holds the main worktree', () => {
  test('J10: of twenty processes at once one gets it, and the others learn who has it', async () => {
    const ended = await Promise.all(RACERS.map((racer) => lease(racer, 'take', 'main')));
    expect(ended.filter(({ code }) => code === 0)).toHaveLength(1);
    const { session = '' } = (await holder()) ?? {};
    for (const lost of ended.filter(({ code }) => code !== 0)) {
      expect(lost.code).not.toBe(1);
      expect(lacks(lost)).toContain(`held by session ${session}`);
    }
    expect(existsSync(join(w.tasks, 'main/task.json'))).toBe(true);
    // Nobody else gives it back, by the command line or by a tool.
    const stranger = RACERS.find((racer) => racer !== session) ?? '';
    expect(lacks(await lease(stranger, 'release', 'main'))).toContain(`held by session ${session}`);
    const lead = await w.mcp('lead');
    const asked = { what: 'main', act: 'release', session: stranger };
    expect((await lead.call('lease', asked)).isError).toBe(true);
    expect((await lease('s-1', 'force', 'main', '--reason', 'mine')).code).not.toBe(0);
    expect((await holder())?.session).toBe(session);
    // Its own session gives it back by either, and a person takes it away.
    expect((await lead.call('lease', { ...asked, session })).isError).toBe(false);
    expect(await holder()).toBeNull();
    expect(existsSync(join(w.tasks, 'main/task.json'))).toBe(false);
    expect((await lead.call('lease', { what: 'main', act: 'take', session: 's-2' })).isError).toBe(false);
    expect((await w.person('lease', 'force', 'main', '--reason', 's-2 is gone')).code).toBe(0);
    expect(await holder()).toBeNull();
  });

  test('J10: without it nothing of the main worktree is changed, by whatever name; with it, it is', async () => {
    await reach(w, 'IMPLEMENTATION');
    for (const path of ['src/a.js', 'package.json', 'hotfix/urgent.js'])
      expect(write(path), path).toContain('nobody holds it');
    for (const line of ['git merge other', 'git pull', 'git checkout -b hotfix', 'git commit -am hotfix'])
      expect(shell(line), line).toContain('also for a hotfix');
    expect(await lease('s-2', 'take', 'main', '--operation', 'file-modification')).toMatchObject({ code: 0 });
    expect(write('src/a.js')).toContain('session s-2 (lead) holds it');
    expect(write('src/a.js', { session: 's-2' })).toBe('');
    expect(shell('git merge other', { session: 's-2' })).toBe('');
    // The lock of the main worktree is none for a task, and the other way round.
    expect(
      w.hooks.uses('Write', { file_path: join(w.code, 'todo.md'), content: 'x' }, { session: 's-2' }),
    ).not.toBe('');
    expect(await lease('s-2', 'release', 'main')).toMatchObject({ code: 0 });
  });
});

describe('J10: one commit', () => {
  test('J10: the list alone is no work, and the work without the list does not land either', async () => {
    commits(w, 'architect', { 'todo.md': DONE });
    await answered(w, 'architect');
    await done('merge', TASK, 'architect');
    expect(await gateOf(w, 'validate')).toContain('todo-entry');
    expect(lacks(await w.go('task', 'validate', TASK))).toContain('only todo.md is changed');
    w.git(w.code, 'revert', '--no-edit', '-m', '1', 'HEAD');
    for (const agent of AGENTS.slice(1)) {
      commits(w, agent, { [`${agent}.js`]: '1;\n' });
      await answered(w, agent);
      await done('merge', TASK, agent);
    }
    expect(lacks(await w.go('task', 'validate', TASK))).toContain('todo.md is as before');
    w.git(w.code, 'revert', '--no-edit', `HEAD~${AGENTS.length - 1}`);
    await done('next-round', TASK, '--reason', 'the work itself');
    commits(w, 'architect', { 'work.txt': 'done\n' });
    for (const agent of AGENTS) await answered(w, agent);
    await done('merge', TASK, 'architect');
    expect(await gateOf(w, 'validate')).toEqual([]);
  });

  test('J10: what is put on the main branch of the clone past the gates is found there, and taken back', async () => {
    const before = w.git(top(), 'rev-parse', 'main').trim();
    w.git(top(), 'merge', '-q', '--no-edit', `task-${TASK}-agent-architect`);
    expect(lacks(await w.go('task', 'validate', TASK))).toContain(
      'was merged straight to the default branch',
    );
    w.git(top(), 'reset', '-q', '--hard', before);
    await done('validate', TASK);
    expect(await w.go('verify', 'T-1')).toMatchObject({ code: 0 });
  });

  test('J10: while another session holds the main worktree it waits; then one commit holds the work and its entry', async () => {
    for (const agent of AGENTS) await answered(w, agent, 'APPROVED');
    await done('present', TASK);
    await approved(w);
    await done('complete', TASK);
    const before = w.git(top(), 'rev-parse', 'main').trim();
    await lease('s-2', 'take', 'main');
    expect(lacks(await w.go('task', 'land', TASK))).toContain('held by session s-2');
    expect(w.git(top(), 'rev-parse', 'main').trim()).toBe(before);
    await lease('s-2', 'release', 'main');
    w.write(join(top(), 'README.md'), 'half an edit\n');
    expect(lacks(await w.go('task', 'land', TASK))).toContain('has changes that are not committed');
    expect(await holder()).toBeNull();
    w.git(top(), 'checkout', '-q', 'README.md');
    // Two at once: it lands once.
    const twice = await Promise.all([w.go('task', 'land', TASK), w.go('task', 'land', TASK)]);
    expect(twice.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(w.git(top(), 'rev-list', '--count', `${before}..main`).trim()).toBe('1');
    const changed = w.git(top(), 'diff', '--name-only', before, 'main');
    for (const path of ['work.txt', 'quality.js', 'tester.js', 'todo.md']) expect(changed).toContain(path);
    expect(await holder()).toBeNull();
    await done('clean', TASK);
    expect((await w.text(top(), '', '', 'audit', 'verify')).out).toContain('clean');
  });
});
