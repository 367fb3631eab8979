import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteTools, type ToolUse } from '../../src/engine/staged/tool-notes.ts';
import { type Crew, openCrew } from './crew.ts';
import { crewAt, reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const git = (...words: string[]) => crew.git(top(), ...words);
const lease = async (session: string, what: 'take' | 'release') => {
  const said = await crew.say(top(), 'lead', session, 'lease', what, 'main');
  expect(said.code, said.out + said.err).toBe(0);
};
const audit = async () => {
  const told = await crew.text(crew.code, 'lead', 's-1', 'task', 'audit', TASK);
  return { code: told.code, lines: told.out.split('\n').filter((line) => /^(finding|warning) /.test(line)) };
};
const commit = (path: string, message: string) => {
  crew.write(join(top(), path), 'x\n');
  git('add', path);
  git('commit', '-q', '-m', message);
};
const CLEAN = { code: 0, lines: [] };

describe('the main branch', () => {
  beforeEach(async () => {
    crew = await crewAt('REQUIREMENTS');
  });

  test('PROTO-78: what moved it while nobody held it is found, with its commits; what a holder did is not', async () => {
    expect(await audit()).toEqual(CLEAN);
    await lease('s-2', 'take');
    commit('held.txt', 'by the holder');
    expect(await audit()).toEqual(CLEAN);
    await lease('s-2', 'release');
    expect(await audit()).toEqual(CLEAN);

    commit('hotfix.txt', 'a quick hotfix');
    const found = await audit();
    expect(found.code).toBe(1);
    expect(found.lines).toHaveLength(1);
    expect(found.lines[0]).toMatch(
      /^finding {2}main-without-lease: the main branch moved from \w{12} to \w{12}/,
    );
    expect(found.lines[0]).toContain('a quick hotfix');
    expect(found.lines[0]).not.toContain('by the holder');

    // Whoever takes it afterwards does not make it theirs: it stays on record.
    await lease('s-3', 'take');
    commit('later.txt', 'held again');
    await lease('s-3', 'release');
    const later = await audit();
    expect(later.lines).toHaveLength(1);
    expect(later.lines[0]).toContain('a quick hotfix');
    expect(later.lines[0]).not.toContain('held again');
  });

  test('PROTO-78: a branch that git was told to point elsewhere is found without a commit on it, and not once it is taken back', async () => {
    commit('first.txt', 'first');
    git('branch', 'aside', 'HEAD');
    git('reset', '-q', '--hard', 'HEAD^');
    expect(await audit()).toEqual(CLEAN);
    git('checkout', '-q', '--detach');
    git('branch', '-f', 'main', 'aside');
    // The log of git does not matter.
    git('reflog', 'expire', '--expire=now', '--all');
    expect((await audit()).lines.join()).toContain('main-without-lease');
    git('branch', '-f', 'main', 'aside^');
    expect(await audit()).toEqual(CLEAN);
  });

  test('PROTO-78: a file of the main working tree that is changed while nobody holds it is found; the list is the user’s', async () => {
    crew.write(join(top(), 'todo.md'), '# Todo\n\nanother\n');
    expect((await audit()).lines.join()).not.toContain('main-without-lease');
    crew.write(join(top(), 'README.md'), '# Changed\n');
    expect((await audit()).lines).toEqual([
      'finding  main-without-lease: README.md changed in the main working tree, and nobody holds it',
    ]);
    await lease('s-2', 'take');
    expect(await audit()).toEqual(CLEAN);
  });

  test('PROTO-79: git on main in the log of tools is held against who held it then; a try that was refused is a warning', async () => {
    const use: ToolUse = {
      ...{ session: 's-2', tool: 'Bash', agent: '', path: '', folder: top(), command: 'merge', part: '' },
      ...{ main: true, refused: false },
    };
    const note = (more: Partial<ToolUse>, task = '') =>
      crew.session.with(({ ports }) => noteTools(ports, 'lead', [{ task, use: { ...use, ...more } }]));
    await lease('s-2', 'take');
    await note({});
    await note({ session: 's-1' }, TASK);
    await lease('s-2', 'release');
    await note({ command: 'pull' });
    await note({ command: 'push', refused: true });
    // Git elsewhere is nobody's concern.
    await note({ command: 'commit', main: false }, TASK);
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
    const { code, lines } = await audit();
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^finding {2}git-without-lease: git merge on main by session s-1 at .*, and session s-2 held it$/,
      ),
      expect.stringMatching(
        /^finding {2}git-without-lease: git pull on main by session s-2 at .*, and nobody held it$/,
      ),
      expect.stringMatching(
        /^warning {2}git-without-lease: git push on main by session s-2 at .*: it was refused$/,
      ),
    ]);
  });
});

test('PROTO-78: a task that lands as the engine lands it, and one that was started when main was held, are clean', async () => {
  crew = await openCrew();
  await lease('s-9', 'take');
  await reach(crew, 'INIT');
  commit('held.txt', 'by the holder');
  await lease('s-9', 'release');
  await reach(crew, 'CLEANUP', 'CLASSIFIED');
  expect(await audit()).toEqual(CLEAN);
  // What comes after its end is not about it any more.
  commit('after.txt', 'after');
  expect(await audit()).toEqual(CLEAN);
});
