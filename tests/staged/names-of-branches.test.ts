import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Crew, openCrew } from './crew.ts';
import { answered, commits, crewAt, reach, TASK } from './walk.ts';

// Names that git takes for more than one thing, and a worktree that is on another branch.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const treeOf = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');

describe('a tag with the name of a branch', () => {
  test('PROTO-299: of an agent: the commit that the agent validated is merged, and not the one that the tag names', async () => {
    crew = await crewAt('IMPLEMENTATION');
    commits(crew, 'architect', { 'work.txt': 'done\n' });
    await answered(crew, 'architect');
    const own = treeOf('architect');
    const validated = crew.git(own, 'rev-parse', 'HEAD').trim();
    commits(crew, 'architect', { 'notes.md': 'nobody validated this\n' });
    crew.git(own, 'tag', `task-${TASK}-agent-architect`);
    crew.git(own, 'reset', '-q', '--hard', validated);
    expect((await crew.go('task', 'merge', TASK, 'architect')).code).toBe(0);
    expect(crew.git(crew.code, 'ls-files')).not.toContain('notes.md');
    expect(crew.git(crew.code, 'rev-parse', 'HEAD^2').trim()).toBe(validated);
  });

  test('of the task: its branch is validated and pushed all the same', async () => {
    crew = await openCrew();
    const remote = join(crew.session.repo.root, 'remote.git');
    crew.git(top(), 'init', '-q', '--bare', remote);
    crew.git(top(), 'remote', 'add', 'origin', remote);
    crew.git(top(), 'tag', TASK, 'main');
    await reach(crew, 'AWAITING_USER_APPROVAL');
    const head = crew.git(top(), 'rev-parse', `refs/heads/${TASK}`).trim();
    expect(crew.git(remote, 'rev-parse', `refs/heads/${TASK}`).trim()).toBe(head);
    expect(crew.git(remote, 'tag')).toBe('');
    expect(await crew.shown()).toContain(head);
  });
});

describe('a worktree of the task that is on another branch', () => {
  test('PROTO-21: nothing is merged into that one, and it is said how to get back', async () => {
    crew = await crewAt('IMPLEMENTATION');
    commits(crew, 'architect', { 'work.txt': 'done\n' });
    await answered(crew, 'architect');
    crew.git(crew.code, 'checkout', '-q', '-b', 'aside');
    const before = crew.git(crew.code, 'rev-parse', 'HEAD');
    const refused = await crew.go('task', 'merge', TASK, 'architect');
    expect(refused.code).toBe(2);
    expect(refused.error).toMatchObject({
      message: expect.stringContaining('is on aside'),
      hint: expect.stringContaining(`checkout ${TASK}`),
    });
    expect(crew.git(crew.code, 'rev-parse', 'HEAD')).toBe(before);
    crew.git(crew.code, 'checkout', '-q', TASK);
    expect((await crew.go('task', 'merge', TASK, 'architect')).code).toBe(0);
  });
});
