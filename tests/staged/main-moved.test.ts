import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { answered, commits, DONE, reach, TASK } from './walk.ts';

// The main branch goes on while a task is built, and after it was approved.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const treeOf = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
const open = async (command: string) => failing(await gateOf(crew, command));
const state = async () => (await crew.go('task', 'show', TASK)).data.state;
const next = async () =>
  ((await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[]).map(({ run }) => run);
const rules = async () =>
  ((await crew.go('task', 'audit', TASK)).data.findings as unknown as { rule: string }[]).map(
    ({ rule }) => rule,
  );

/** Somebody else's work on the main branch, committed by its holder. */
async function mainMoves(files: Readonly<Record<string, string>>): Promise<void> {
  await crew.say(top(), 'lead', 's-9', 'lease', 'take', 'main');
  for (const [path, text] of Object.entries(files)) crew.write(join(top(), path), text);
  crew.git(top(), 'add', '-A');
  crew.git(top(), 'commit', '-q', '-m', `${Object.keys(files).join(', ')} of somebody else`);
  await crew.say(top(), 'lead', 's-9', 'lease', 'release', 'main');
}

const builtBy = (agent: string) =>
  commits(
    crew,
    agent,
    agent === 'architect' ? { 'work.txt': 'done\n', 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' },
  );

describe('a task that is brought up to date while it is built', () => {
  test.each(['an agent', 'the coordinator'])(
    'PROTO-254: what %s brought from the main branch is not the task’s',
    async (who) => {
      crew = await openCrew();
      await reach(crew, 'IMPLEMENTATION');
      await mainMoves({ 'elsewhere.js': '1;\n' });
      for (const agent of AGENTS) {
        builtBy(agent);
        if (agent === 'architect' && who === 'an agent')
          crew.git(treeOf(agent), 'merge', '-q', '--no-edit', 'main');
        await answered(crew, agent);
        expect((await crew.go('task', 'merge', TASK, agent)).code).toBe(0);
      }
      if (who === 'the coordinator') expect((await crew.go('task', 'merge', TASK, 'main')).code).toBe(0);
      expect(crew.git(crew.code, 'ls-files')).toContain('elsewhere.js');
      expect(await open('validate')).toEqual([]);
      expect(await rules()).toEqual([]);
      await crew.go('task', 'validate', TASK);
      await reach(crew, 'CLEANUP', 'REVIEW');
      expect(crew.git(top(), 'show', '--name-only', '--format=', 'main')).not.toContain('elsewhere.js');
      expect(crew.git(top(), 'ls-files')).toContain('elsewhere.js');
    },
  );

  test('what was merged straight to the main branch is still found there, also once its branch was moved away', async () => {
    crew = await openCrew();
    await reach(crew, 'IMPLEMENTATION');
    builtBy('architect');
    await answered(crew, 'architect');
    await crew.go('task', 'merge', TASK, 'architect');
    const own = `task-${TASK}-agent-architect`;
    crew.git(top(), 'merge', '-q', '--no-ff', '--no-edit', own);
    expect(await open('validate')).toContain('authors');
    crew.git(treeOf('architect'), 'reset', '-q', '--hard', TASK);
    crew.git(treeOf('architect'), 'reset', '-q', '--hard', `${TASK}~1`);
    expect(await open('validate')).toContain('authors');
  });
});

describe('an approved task that does not go together with the main branch', () => {
  test('PROTO-11, decision 0046: it goes back to building, is brought up to date, approved anew, and lands', async () => {
    crew = await openCrew();
    await reach(crew, 'COMPLETE');
    await mainMoves({ 'work.txt': 'of somebody else\n' });
    const refused = await crew.go('task', 'land', TASK);
    expect(refused.code).toBe(6);
    expect(refused.data).toMatchObject({
      conflicts: ['work.txt'],
      fix: expect.stringContaining(`countersign task request-change ${TASK}`),
    });
    expect((await next())[0]).toContain(`request-change ${TASK}`);
    expect((await crew.go('task', 'request-change', TASK, '--reason', 'work.txt is there by now')).code).toBe(
      0,
    );
    expect(await state()).toBe('IMPLEMENTATION');
    expect((await next())[0]).toContain(`merge ${TASK} main`);
    const conflict = await crew.go('task', 'merge', TASK, 'main');
    expect(conflict.data.fix).toContain('git merge --no-ff main');
    expect(() => crew.git(treeOf('architect'), 'merge', '-q', '--no-ff', 'main')).toThrow();
    crew.write(join(treeOf('architect'), 'work.txt'), 'done, of both\n');
    crew.git(treeOf('architect'), 'commit', '-qam', 'both');
    for (const agent of AGENTS) {
      await answered(crew, agent);
      await crew.go('task', 'merge', TASK, agent);
    }
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'CLEANUP', 'REVIEW');
    expect(readFileSync(join(top(), 'work.txt'), 'utf8')).toBe('done, of both\n');
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  });

  test('what has landed is not taken back by a change that is asked for, and what was reverted has not landed', async () => {
    crew = await openCrew();
    await reach(crew, 'COMPLETE');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect((await crew.go('task', 'request-change', TASK, '--reason', 'late')).code).toBe(3);
    crew.git(top(), 'revert', '--no-edit', 'HEAD');
    expect(await open('clean')).toEqual(['landed']);
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(readFileSync(join(top(), 'work.txt'), 'utf8')).toBe('done\n');
    expect((await crew.go('task', 'clean', TASK)).code).toBe(0);
  });
});
