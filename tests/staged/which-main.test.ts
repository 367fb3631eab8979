import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { answered, builds, commits, crewAt, DONE, reach, TASK } from './walk.ts';

// Which branch a task begins from and lands on, wherever the caller stands and whatever it is called.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const git = (...words: string[]) => crew.git(top(), ...words).trim();
const open = async (command: string) => failing(await gateOf(crew, command));

describe('where a task begins', () => {
  test('not on what is checked out in the main working tree beside the main branch', async () => {
    crew = await openCrew();
    const main = git('rev-parse', 'main');
    git('checkout', '-q', '-b', 'feature');
    crew.write(join(top(), 'half.js'), 'half;\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'half done, of somebody else');
    await reach(crew, 'COMPLETE');
    expect(crew.git(crew.code, 'merge-base', 'HEAD', 'feature').trim()).toBe(main);
    git('checkout', '-q', 'main');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(git('ls-files')).not.toContain('half.js');
  });

  test('nor on the branch of another task that the caller stands in', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await builds(crew, 'architect');
    await crew.go('task', 'merge', TASK, 'architect');
    await crew.say(crew.code, 'lead', 's-2', 'task', 'check', 'other-task');
    const started = await crew.say(crew.code, 'lead', 's-2', 'task', 'start', 'other-task');
    expect(started.code).toBe(0);
    expect(git('rev-parse', 'other-task')).toBe(git('rev-parse', 'main'));
  });
});

describe('a main branch that has another name', () => {
  test('nothing names it: it is what the main working tree has checked out, and a task comes to its end', async () => {
    crew = await openCrew();
    git('branch', '-m', 'main', 'trunk');
    await reach(crew, 'COMPLETE');
    // The task goes on to where it began, not to what is checked out by now.
    git('checkout', '-q', '-b', 'elsewhere');
    const refused = await crew.go('task', 'land', TASK);
    expect(refused.error.message).toContain('is on elsewhere, and things land on trunk');
    git('checkout', '-q', 'trunk');
    await reach(crew, 'CLEANUP', 'CLEANUP');
    expect(git('log', '-1', '--format=%s', 'trunk')).toBe(TASK);
    expect((await crew.text(top(), 'lead', 's-1', 'task', 'audit', TASK)).out).toContain('clean');
  });
});

describe('a clone', () => {
  test('what came from the branch of the remote, which is ahead of the one here, is not the task’s', async () => {
    crew = await openCrew({ config: 'default_branch: main\n' });
    const origin = join(crew.tasks, '..', 'origin.git');
    git('init', '-q', '--bare', origin);
    git('remote', 'add', 'origin', origin);
    await reach(crew, 'IMPLEMENTATION');
    crew.write(join(top(), 'elsewhere.js'), '1;\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'elsewhere');
    git('push', '-q', 'origin', 'main');
    git('reset', '-q', '--hard', 'HEAD~1');
    for (const agent of AGENTS) {
      const files =
        agent === 'architect' ? { 'work.txt': 'done\n', 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' };
      commits(crew, agent, files);
      await answered(crew, agent);
      await crew.go('task', 'merge', TASK, agent);
    }
    crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', 'origin/main');
    expect(await open('validate')).toEqual([]);
  });
});
