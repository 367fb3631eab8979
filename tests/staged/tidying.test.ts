import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Crew, openCrew } from './crew.ts';
import { crewAt, reach, TASK } from './walk.ts';

// What tidying up finds of an earlier run that was stopped, and what it keeps.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const folder = () => join(crew.tasks, TASK);
const treeOf = (agent: string) => join(folder(), 'agents', agent, 'code');
const tidy = () => crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
const left = () => ({
  trees: crew.git(top(), 'worktree', 'list').trim().split('\n').length,
  branches: crew.git(top(), 'branch', '--list', `*${TASK}*`).trim(),
  folder: existsSync(folder()),
});

describe('a tidying that was stopped while a tree went', () => {
  /** As whoever was stopped leaves it: git knows the tree, and it was put aside. */
  const aside = () => {
    crew.git(top(), 'worktree', 'unlock', treeOf('quality'));
    renameSync(treeOf('quality'), `${treeOf('quality')}.gone`);
  };
  test.each<readonly [string, () => void]>([
    ['put aside', aside],
    [
      'put aside, and a part of its files is gone',
      () => {
        aside();
        rmSync(join(`${treeOf('quality')}.gone`, '.git'));
        rmSync(join(`${treeOf('quality')}.gone`, 'README.md'));
      },
    ],
    ['gone, and git lists it still', () => rmSync(treeOf('quality'), { recursive: true })],
  ])('PROTO-278, R2: %s: the next one finishes it', async (_, stopped) => {
    crew = await crewAt('CLEANUP');
    stopped();
    expect((await tidy()).code).toBe(0);
    expect(left()).toEqual({ trees: 1, branches: '', folder: false });
    expect((await tidy()).code).toBe(0);
  });
});

describe('a tidying that is asked for from the tree of the task', () => {
  test('PROTO-278: nothing is left, and nothing is left untold', async () => {
    crew = await crewAt('CLEANUP');
    const done = await crew.go('task', 'tidy', TASK);
    expect(done.code).toBe(0);
    expect(done.data.removed).toContain(TASK);
    expect(left()).toEqual({ trees: 1, branches: '', folder: false });
  });

  test('PROTO-278: nor from the tree of an agent', async () => {
    crew = await crewAt('CLEANUP');
    const done = await crew.say(treeOf('architect'), 'lead', 's-1', 'task', 'tidy', TASK);
    expect(done.code).toBe(0);
    expect(left()).toEqual({ trees: 1, branches: '', folder: false });
  });
});

describe('what is kept', () => {
  test('PROTO-278: whatever lies in the folder of the task, beside its trees, goes to the archive as it is', async () => {
    crew = await crewAt('CLEANUP');
    const bytes = String.fromCharCode(0, 1, 2);
    crew.write(join(folder(), 'notes.txt'), 'an hour of work\n');
    crew.write(join(folder(), 'pictures', 'one.png'), bytes);
    crew.write(join(folder(), 'agents', 'quality', 'thoughts.md'), 'of quality\n');
    mkdirSync(join(crew.tasks, 'elsewhere'));
    symlinkSync(join(crew.tasks, 'elsewhere'), join(folder(), 'link'));
    const done = await tidy();
    expect(done.code).toBe(0);
    const archive = join(crew.tasks, '.archive', `${TASK}-s-1`);
    const kept = (path: string) => readFileSync(join(archive, path), 'utf8');
    expect(kept('notes.txt')).toBe('an hour of work\n');
    expect(kept('pictures/one.png')).toBe(bytes);
    expect(kept('agents/quality/thoughts.md')).toBe('of quality\n');
    expect(existsSync(join(archive, 'agents/quality/code'))).toBe(false);
    expect(existsSync(join(archive, 'tree.env'))).toBe(false);
    expect(existsSync(join(crew.tasks, 'elsewhere'))).toBe(true);
    expect(left().folder).toBe(false);
  });

  test('PROTO-278: a task that is begun anew writes over nothing that was kept of it before', async () => {
    crew = await openCrew();
    const kept: string[] = [];
    for (const notes of ['of the first\n', 'of the second\n', 'of the third\n']) {
      await reach(crew, 'CLASSIFIED');
      crew.write(join(folder(), 'notes.txt'), notes);
      await crew.decides('cancel', 'not now');
      const { archive } = (await tidy()).data as unknown as { archive: readonly string[] };
      kept.push(archive.find((path) => path.endsWith('notes.txt')) ?? '');
    }
    expect(kept.map((path) => readFileSync(path, 'utf8'))).toEqual([
      'of the first\n',
      'of the second\n',
      'of the third\n',
    ]);
  });

  test('an audit of a task that ended in order finds nothing', async () => {
    crew = await crewAt('CLEANUP');
    await tidy();
    const audit = await crew.text(top(), 'lead', 's-1', 'task', 'audit', TASK);
    expect([audit.code, audit.out]).toEqual([0, expect.stringContaining(`${TASK}: clean`)]);
  });
});

describe('a tree of an agent that was to come late, and whose coming was never written', () => {
  test('PROTO-127, PROTO-278: it goes with the others, unless it holds work', async () => {
    crew = await crewAt('CLEANUP');
    const own = ['-b', `task-${TASK}-agent-security`, treeOf('security'), TASK];
    crew.git(top(), 'worktree', 'add', '-q', '--lock', ...own);
    crew.write(join(treeOf('security'), 'idea.txt'), 'mine\n');
    expect((await tidy()).error.message).toContain('changes that are not committed (idea.txt)');
    rmSync(join(treeOf('security'), 'idea.txt'));
    expect((await tidy()).code).toBe(0);
    expect(left()).toEqual({ trees: 1, branches: '', folder: false });
  });
});

describe('a branch of somebody else with the name of a task', () => {
  test('PROTO-86: it stays where it is, and the task does not begin', async () => {
    crew = await openCrew();
    crew.git(top(), 'commit', '-q', '--allow-empty', '-m', 'later');
    crew.git(top(), 'branch', TASK, 'HEAD~1');
    const before = crew.git(top(), 'rev-parse', `refs/heads/${TASK}`);
    await crew.say(top(), 'lead', 's-1', 'task', 'check', TASK);
    const refused = await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK);
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain(`branches of this name that the task did not make: ${TASK}`);
    expect(crew.git(top(), 'rev-parse', `refs/heads/${TASK}`)).toBe(before);
    crew.git(top(), 'branch', '-m', TASK, 'mine');
    expect((await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK)).code).toBe(0);
  });
});
