import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { commits, reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const agentCode = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
const tidy = (id = 's-1') => crew.say(top(), 'lead', id, 'task', 'tidy', TASK);
const trees = () => crew.git(top(), 'worktree', 'list').split('\n').length;
const branches = () => crew.git(top(), 'branch', '--list', `*${TASK}*`);
const changes = (folder: string) => crew.git(folder, 'status', '--porcelain', '-uno');

/** Nothing of the task is left but what landed and what was kept. */
async function expectGone(): Promise<void> {
  const done = await tidy();
  expect(done.code, done.out).toBe(0);
  expect(trees()).toBe(1);
  expect(branches()).toBe('');
  expect(existsSync(join(crew.tasks, TASK))).toBe(false);
  expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
}

/** A library of its own beside the repository, in it as the submodule `vendor/a lib`. Answers its first and second commit. */
function withSubmodule(): readonly [string, string] {
  const lib = join(crew.session.repo.root, 'the lib');
  mkdirSync(lib);
  crew.git(lib, 'init', '-q', '-b', 'main');
  const commit = (text: string) => {
    crew.write(join(lib, 'lib.js'), text);
    crew.git(lib, 'add', '-A');
    crew.git(lib, 'commit', '-q', '-m', text.trim());
    return crew.git(lib, 'rev-parse', 'HEAD');
  };
  const first = commit('1;\n');
  const url = pathToFileURL(lib).href;
  crew.git(
    top(),
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    '--name',
    'lib',
    url,
    'vendor/a lib',
  );
  crew.git(top(), 'commit', '-q', '-m', 'a submodule');
  return [first, commit('2;\n')];
}

const sub = (tree: string) => join(tree, 'vendor/a lib');
const inSub = (tree: string) => readFileSync(join(sub(tree), 'lib.js'), 'utf8');

describe('a path with spaces', () => {
  test('the folder of tasks may have some, and a command that is told can be run as it is', async () => {
    crew = await openCrew({ config: 'staged: {tasks: "../{repo} and tasks", archive: "../kept papers"}\n' });
    const folder = join(crew.session.repo.root, 'repo and tasks', TASK);
    const begin = (...words: readonly string[]) => crew.text(top(), 'lead', 's-1', 'task', ...words, TASK);
    await begin('check');
    const { out, code } = await begin('start');
    expect(code).toBe(0);
    const next = /next: (cd .*)/.exec(out)?.[1] ?? '';
    expect(next).toContain('repo and tasks');
    expect(execFileSync('sh', ['-c', `${next} && pwd`], { encoding: 'utf8' }).trim()).toBe(
      join(folder, 'code'),
    );
    const elsewhere = await begin('classify');
    const fix = /(cd '[^']*')/.exec(elsewhere.out + elsewhere.err)?.[1] ?? '';
    expect(execFileSync('sh', ['-c', `${fix} && pwd`], { encoding: 'utf8' }).trim()).toBe(
      join(folder, 'code'),
    );
  });

  test('the whole way goes from and to it', async () => {
    crew = await openCrew();
    expect(crew.code).toContain(' ');
    await reach(crew, 'CLEANUP');
    await expectGone();
  });
});

describe('a repository with submodules', () => {
  test('trees have those that are in use, a newer commit of one goes the whole way, and nothing is left', async () => {
    crew = await openCrew();
    const [, newer] = withSubmodule();
    await reach(crew, 'IMPLEMENTATION');
    for (const tree of [crew.code, ...AGENTS.map(agentCode)]) {
      expect(inSub(tree)).toBe('1;\n');
      expect(changes(tree)).toBe('');
      expect(crew.git(sub(tree), 'config', 'remote.origin.url')).toMatch(/^file:.*the%20lib$/);
    }
    const own = sub(agentCode('quality'));
    crew.git(own, 'fetch', '-q', 'origin');
    crew.git(own, 'checkout', '-q', newer);
    await reach(crew, 'VALIDATION', 'VALIDATION');
    expect(inSub(crew.code)).toBe('2;\n');
    expect(changes(crew.code)).toBe('');
    await reach(crew, 'CLEANUP', 'REVIEW');
    expect(crew.git(top(), 'rev-parse', 'HEAD:vendor/a lib')).toBe(newer);
    expect(inSub(top())).toBe('2;\n');
    expect(changes(top())).toBe('');
    await expectGone();
    expect(inSub(top())).toBe('2;\n');
  });

  test('one that is not in use stays empty, also where it could not be fetched', async () => {
    crew = await openCrew();
    withSubmodule();
    crew.git(top(), 'submodule', '--quiet', 'deinit', '-f', 'vendor/a lib');
    rmSync(join(top(), '.git/modules'), { recursive: true });
    rmSync(join(crew.session.repo.root, 'the lib'), { recursive: true });
    await reach(crew, 'INIT');
    expect(existsSync(join(sub(crew.code), 'lib.js'))).toBe(false);
    expect(changes(crew.code)).toBe('');
  });

  test('nothing is fetched that is here: its home may be gone', async () => {
    crew = await openCrew();
    withSubmodule();
    rmSync(join(crew.session.repo.root, 'the lib'), { recursive: true });
    await reach(crew, 'INIT');
    expect(inSub(crew.code)).toBe('1;\n');
  });

  test('a commit of it that can be had nowhere: git says so, and nothing is left of the tree', async () => {
    crew = await openCrew();
    withSubmodule();
    crew.git(top(), 'update-index', '--cacheinfo', `160000,${'a'.repeat(40)},vendor/a lib`);
    crew.git(top(), 'commit', '-q', '-m', 'a commit that nobody has');
    await crew.say(top(), 'lead', 's-1', 'task', 'check', TASK);
    const refused = await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK);
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain('vendor/a lib');
    expect([trees(), branches(), existsSync(crew.tasks)]).toEqual([1, '', false]);
  });

  test('commits that are in the submodule of an agent alone are not thrown away', async () => {
    crew = await openCrew();
    withSubmodule();
    await reach(crew, 'CLEANUP');
    const own = sub(agentCode('tester'));
    crew.write(join(own, 'lib.js'), '3;\n');
    crew.git(own, 'commit', '-q', '-am', 'only here');
    crew.git(agentCode('tester'), 'checkout', '-q', '--', '.');
    const refused = await tidy();
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain('vendor/a lib');
    expect(trees()).toBe(AGENTS.length + 2);
    crew.git(own, 'push', '-q', 'origin', 'HEAD:refs/heads/kept');
    crew.git(own, 'fetch', '-q', 'origin');
    crew.git(agentCode('tester'), 'submodule', '--quiet', 'update');
    await expectGone();
  });
});

describe('a sparse checkout', () => {
  test.each([
    ['cone', ['src']],
    ['no-cone', ['/*', '!/heavy/']],
  ])(
    '%s: trees are as sparse as the main one, and what they leave out lands untouched',
    async (mode, patterns) => {
      crew = await openCrew({ files: { 'src/a.js': '1;\n', 'heavy/big.bin': 'big\n' } });
      crew.git(top(), 'sparse-checkout', 'set', `--${mode}`, ...patterns);
      expect(existsSync(join(top(), 'heavy'))).toBe(false);
      await reach(crew, 'IMPLEMENTATION');
      for (const tree of [crew.code, ...AGENTS.map(agentCode)]) {
        expect(existsSync(join(tree, 'src/a.js'))).toBe(true);
        expect(existsSync(join(tree, 'heavy'))).toBe(false);
      }
      commits(crew, 'quality', { 'src/a.js': '2;\n' });
      await reach(crew, 'CLEANUP', 'VALIDATION');
      expect(crew.git(top(), 'show', 'HEAD:heavy/big.bin')).toBe('big');
      expect(readFileSync(join(top(), 'src/a.js'), 'utf8')).toBe('2;\n');
      expect(existsSync(join(top(), 'heavy'))).toBe(false);
      expect(changes(top())).toBe('');
      await expectGone();
    },
  );
});

describe('where git refuses', () => {
  test('the folder is taken: it is said, and neither lease, branch nor folder is left', async () => {
    crew = await openCrew();
    crew.write(join(crew.code, 'of somebody.txt'), 'mine\n');
    await crew.say(top(), 'lead', 's-1', 'task', 'check', TASK);
    const refused = await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK);
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain(`${crew.code}' already exists`);
    expect(refused.error.hint).toContain('git worktree list');
    expect([trees(), branches()]).toEqual([1, '']);
    expect(readFileSync(join(crew.code, 'of somebody.txt'), 'utf8')).toBe('mine\n');
    expect((await crew.say(top(), 'lead', '', 'lease', 'show', TASK)).data).toMatchObject({ holder: null });
    rmSync(crew.tasks, { recursive: true });
    await reach(crew, 'INIT');
  });

  test('the branch of one agent is in use elsewhere: no agent gets a tree, and a branch with work keeps it', async () => {
    crew = await openCrew();
    await reach(crew, 'CLASSIFIED');
    const given = ['--risk', 'MEDIUM', '--agents', AGENTS.join(','), '--reason', 'src'];
    await crew.go('task', 'assess', TASK, ...given);
    await crew.go('task', 'worktrees', TASK);
    commits(crew, 'architect', { 'half.js': '1;\n' });
    const work = crew.git(agentCode('architect'), 'rev-parse', 'HEAD');
    for (const agent of AGENTS) crew.git(top(), 'worktree', 'remove', '-f', '-f', agentCode(agent));
    crew.git(top(), 'branch', '-D', '-q', `task-${TASK}-agent-quality`);
    const aside = join(crew.session.repo.root, 'aside');
    crew.git(top(), 'worktree', 'add', '-q', aside, `task-${TASK}-agent-tester`);
    const refused = await crew.go('task', 'worktrees', TASK);
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain(agentCode('tester'));
    expect(refused.error.message).toContain('already');
    expect(trees()).toBe(3);
    expect(crew.git(top(), 'rev-parse', `task-${TASK}-agent-architect`)).toBe(work);
    expect(branches()).not.toContain('quality');
    expect(existsSync(join(crew.tasks, TASK, 'agents/quality/code'))).toBe(false);
    crew.git(top(), 'worktree', 'remove', aside);
    expect((await crew.go('task', 'worktrees', TASK)).data.made).toEqual(AGENTS);
    expect(readFileSync(join(agentCode('architect'), 'half.js'), 'utf8')).toBe('1;\n');
  });

  test('a tree of somebody else that is not there just now is left in git’s list', async () => {
    crew = await openCrew();
    const away = join(crew.session.repo.root, 'away');
    crew.git(top(), 'worktree', 'add', '-q', '-b', 'away', away);
    rmSync(away, { recursive: true });
    await reach(crew, 'INIT');
    rmSync(crew.code, { recursive: true });
    expect((await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK)).code).toBe(0);
    expect(existsSync(crew.code)).toBe(true);
    expect(crew.git(top(), 'worktree', 'list')).toContain(away);
  });
});

describe('a working tree is not recycled', () => {
  test('while git may take it for gone: it is locked, and says for whom', async () => {
    crew = await openCrew();
    await reach(crew, 'INIT');
    expect(crew.git(top(), 'worktree', 'list', '--porcelain')).toContain(`locked Countersign: task ${TASK}`);
    expect(() => crew.git(top(), 'worktree', 'remove', '--force', crew.code)).toThrow(TASK);
  });

  test('while it is leased, dirty, on commits that no branch leads to, or not the task’s own', async () => {
    crew = await openCrew();
    await reach(crew, 'CLEANUP');
    const all = trees();
    const refusedFor = async (why: string) => {
      const refused = await tidy();
      expect(refused.code).toBe(2);
      expect(refused.error.message).toContain(why);
      expect([trees(), existsSync(join(crew.tasks, TASK, 'task.md'))]).toEqual([all, true]);
    };
    const other = await tidy('s-2');
    expect(other.error.message).toContain('held by session s-1');
    expect(trees()).toBe(all);
    // The last one that would be removed: those before it stay as well.
    crew.write(join(crew.code, 'unsaved.txt'), 'work\n');
    await refusedFor('changes that are not committed (unsaved.txt)');
    rmSync(join(crew.code, 'unsaved.txt'));
    const own = agentCode('tester');
    crew.git(own, 'checkout', '-q', '--detach');
    crew.git(own, 'commit', '-q', '--allow-empty', '-m', 'loose');
    await refusedFor('commits that no branch leads to');
    crew.git(own, 'checkout', '-q', `task-${TASK}-agent-tester`);
    const strange = join(crew.tasks, TASK, 'scratch');
    crew.git(top(), 'worktree', 'add', '-q', '--detach', strange);
    const refused = await tidy();
    expect(refused.error.message).toContain(strange);
    crew.git(top(), 'worktree', 'remove', strange);
    await expectGone();
  });

  test('while its branch has commits that landed nowhere: no new task begins on it', async () => {
    crew = await openCrew();
    await reach(crew, 'IMPLEMENTATION');
    commits(crew, 'architect', { 'half.js': '1;\n' });
    expect((await crew.decides('cancel', 'not any more')).kind).toBe('done');
    expect((await tidy()).data.left).toEqual([`task-${TASK}-agent-architect`]);
    await crew.say(top(), 'lead', 's-2', 'task', 'check', TASK);
    const refused = await crew.say(top(), 'lead', 's-2', 'task', 'start', TASK);
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain(`task-${TASK}-agent-architect`);
    expect(trees()).toBe(1);
    crew.git(top(), 'branch', '-m', `task-${TASK}-agent-architect`, 'kept');
    expect((await crew.say(top(), 'lead', 's-2', 'task', 'start', TASK)).data.how).toBe('started');
  });

  test('while it is dirty or unmerged: a person who wants to begin afresh is told what would be lost', async () => {
    crew = await openCrew();
    await reach(crew, 'INIT');
    await crew.say(top(), 'lead', 's-1', 'lease', 'release', TASK);
    crew.write(join(crew.code, 'unsaved.txt'), 'work\n');
    await expect(crew.chooses('s-2', 'fresh')).rejects.toThrow(
      'changes that are not committed (unsaved.txt)',
    );
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'work');
    const work = crew.git(crew.code, 'rev-parse', 'HEAD');
    await expect(crew.chooses('s-2', 'fresh')).rejects.toThrow('landed nowhere: parse-dates');
    expect(readFileSync(join(crew.code, 'unsaved.txt'), 'utf8')).toBe('work\n');
    crew.git(crew.code, 'branch', 'kept');
    crew.git(crew.code, 'reset', '-q', '--hard', 'main');
    await crew.chooses('s-2', 'fresh');
    expect(existsSync(join(crew.code, 'unsaved.txt'))).toBe(false);
    expect(crew.git(top(), 'rev-parse', 'kept')).toBe(work);
  });

  test('a branch that was left and has landed begins anew from where the main branch is', async () => {
    crew = await openCrew();
    crew.git(top(), 'branch', TASK);
    crew.git(top(), 'commit', '-q', '--allow-empty', '-m', 'later');
    await reach(crew, 'INIT');
    expect(crew.git(crew.code, 'rev-parse', 'HEAD')).toBe(crew.git(top(), 'rev-parse', 'HEAD'));
  });
});
