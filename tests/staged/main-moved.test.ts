import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { answered, commits, crewAt, DONE, reach, TASK } from './walk.ts';

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

/** Every agent builds its part, says so, and is brought in. */
async function allBuild(): Promise<void> {
  for (const agent of AGENTS) {
    builtBy(agent);
    await answered(crew, agent);
    await crew.go('task', 'merge', TASK, agent);
  }
}

describe('a task that is brought up to date while it is built', () => {
  test.each(['an agent', 'the coordinator'])(
    'PROTO-254: what %s brought from the main branch is not the task’s',
    async (who) => {
      crew = await crewAt('IMPLEMENTATION');
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
    crew = await crewAt('IMPLEMENTATION');
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

describe('an agent that puts its branch on top of the main branch', () => {
  const onMain = (agent: string) => crew.git(treeOf(agent), 'rebase', '-q', 'main');
  const word = (agent: string) => crew.say(treeOf(agent), agent, '', 'task', 'status', TASK, 'COMPLETE');
  /** What is said to mend it, as it is typed. */
  const mends = (agent: string, hint: string) => {
    for (const line of hint.match(
      /git (?:rebase --rebase-merges --onto|merge --no-ff) [^\s,;)]+(?: main)?/g,
    ) ?? [])
      crew.git(
        treeOf(agent),
        ...line.split(' ').slice(1),
        ...(line.includes('merge --no-ff') ? ['--no-edit'] : []),
      );
  };

  test('is told before its word counts, and goes on by what it is told', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await mainMoves({ 'elsewhere.js': '1;\n' });
    for (const agent of AGENTS) {
      // One without commits of its own is only moved ahead.
      if (agent !== 'tester') builtBy(agent);
      await crew.go('task', 'invoke', TASK, '--agent', agent);
      if (agent !== 'architect') {
        onMain(agent);
        const refused = await word(agent);
        expect([refused.code, refused.error.message]).toEqual([
          2,
          `commits of task-${TASK}-agent-${agent} are on the main branch already`,
        ]);
        mends(agent, refused.error.hint);
      }
      expect((await word(agent)).code).toBe(0);
      await crew.go('task', 'merge', TASK, agent);
    }
    expect(await open('validate')).toEqual([]);
    expect(await rules()).toEqual([]);
  });

  test('after it was merged: what it had called complete is its own still', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await allBuild();
    await mainMoves({ 'elsewhere.js': '1;\n' });
    onMain('quality');
    const refused = await word('quality');
    expect(refused.code).toBe(2);
    mends('quality', refused.error.hint);
    expect((await word('quality')).code).toBe(0);
    expect((await crew.go('task', 'merge', TASK, 'quality')).code).toBe(0);
    expect(await open('validate')).toEqual([]);
  });
});

describe('work that was merged straight to the main branch, and taken back there', () => {
  const branch = `task-${TASK}-agent-quality`;
  const straightAndBack = () => {
    crew.git(top(), 'merge', '-q', '--no-ff', '--no-edit', branch);
    crew.git(top(), 'revert', '--no-edit', '-m', '1', 'HEAD');
  };
  const putBack = async () => {
    const own = treeOf('quality');
    crew.git(own, 'merge', '-q', '--no-ff', '--no-edit', 'main');
    crew.write(join(own, 'quality.js'), '1;\n');
    crew.git(own, 'add', '-A');
    crew.git(own, 'commit', '-q', '-m', 'quality.js is back');
  };
  const landsWhole = async () => {
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'CLEANUP', 'REVIEW');
    expect(crew.git(top(), 'ls-files')).toContain('quality.js');
  };

  test('does not land without it: its agent puts it back first', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await allBuild();
    straightAndBack();
    const found = (await gateOf(crew, 'validate')).points.find(({ passed }) => !passed);
    expect(found?.because).toContain('quality.js would not land');
    expect(found?.fix).toContain('git merge --no-ff main');
    await putBack();
    await crew.say(treeOf('quality'), 'quality', '', 'task', 'status', TASK, 'COMPLETE');
    await crew.go('task', 'merge', TASK, 'quality');
    await landsWhole();
  });

  test('nor where that was done after a person approved it', async () => {
    crew = await crewAt('COMPLETE');
    straightAndBack();
    const before = crew.git(top(), 'rev-parse', 'main');
    const refused = await crew.go('task', 'land', TASK);
    expect([refused.code, refused.error.message]).toEqual([
      2,
      expect.stringContaining('quality.js would not land'),
    ]);
    expect(crew.git(top(), 'rev-parse', 'main')).toBe(before);
    expect((await next())[0]).toContain(`request-change ${TASK}`);
    await crew.go('task', 'request-change', TASK, '--reason', 'quality.js was taken back on main');
    await putBack();
    for (const agent of AGENTS) {
      await answered(crew, agent);
      await crew.go('task', 'merge', TASK, agent);
    }
    await landsWhole();
  });

  test.each(['validate', 'land'])(
    'is not lost either where main is brought in first, found at %s',
    async (found) => {
      crew = await openCrew();
      if (found === 'land') await reach(crew, 'COMPLETE');
      else {
        await reach(crew, 'IMPLEMENTATION');
        await allBuild();
      }
      straightAndBack();
      if (found === 'land') {
        await crew.go('task', 'request-change', TASK, '--reason', 'quality.js was taken back on main');
        expect((await next())[0]).toContain(`merge ${TASK} main`);
      }
      await crew.go('task', 'merge', TASK, 'main');
      for (const agent of found === 'land' ? AGENTS : []) {
        await answered(crew, agent);
        await crew.go('task', 'merge', TASK, agent);
      }
      expect(crew.git(crew.code, 'ls-files')).not.toContain('quality.js');
      const point = (await gateOf(crew, 'validate')).points.find(({ passed }) => !passed);
      expect(point?.because).toContain('quality.js would not land');
      await putBack();
      await crew.say(treeOf('quality'), 'quality', '', 'task', 'status', TASK, 'COMPLETE');
      await crew.go('task', 'merge', TASK, 'quality');
      await landsWhole();
    },
  );

  test('and what an agent takes in after the landing is none of it', async () => {
    crew = await crewAt('COMPLETE');
    await mainMoves({ 'elsewhere.js': '1;\n' });
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    crew.git(treeOf('quality'), 'reset', '-q', '--hard', 'main');
    expect((await crew.go('task', 'request-change', TASK, '--reason', 'late')).code).toBe(3);
    expect((await crew.go('task', 'clean', TASK)).code).toBe(0);
  });
});

describe('an approved task that does not go together with the main branch', () => {
  test('PROTO-11, decision 0046: it goes back to building, is brought up to date, approved anew, and lands', async () => {
    crew = await crewAt('COMPLETE');
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
    // Conflicts are an agent's to resolve: to merge it in the tree of the task leads nowhere.
    expect((await next())[0]).toContain(`invoke ${TASK} --agent architect`);
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
    crew = await crewAt('COMPLETE');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect((await crew.go('task', 'request-change', TASK, '--reason', 'late')).code).toBe(3);
    crew.git(top(), 'revert', '--no-edit', 'HEAD');
    expect(await open('clean')).toEqual(['landed']);
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(readFileSync(join(top(), 'work.txt'), 'utf8')).toBe('done\n');
    expect((await crew.go('task', 'clean', TASK)).code).toBe(0);
  });

  test('nor has what was reverted where somebody else went on in the same files', async () => {
    crew = await crewAt('COMPLETE');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    crew.git(top(), 'revert', '--no-edit', 'HEAD');
    const list = readFileSync(join(top(), 'todo.md'), 'utf8');
    await mainMoves({ 'todo.md': `${list}\n## third-task\n\n- **Purpose**: of somebody else\n` });
    expect(await open('clean')).toEqual(['landed']);
    expect((await crew.go('task', 'clean', TASK)).code).toBe(3);
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(readFileSync(join(top(), 'work.txt'), 'utf8')).toBe('done\n');
    expect(readFileSync(join(top(), 'todo.md'), 'utf8')).toContain('third-task');
    expect((await crew.go('task', 'clean', TASK)).code).toBe(0);
  });
});
