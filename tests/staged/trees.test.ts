import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { expectGone } from './gone.ts';
import { commits, crewAt, reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const agentCode = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
const tidy = (id = 's-1') => crew.say(top(), 'lead', id, 'task', 'tidy', TASK);
const trees = () => crew.git(top(), 'worktree', 'list').split('\n').length;
const branches = () => crew.git(top(), 'branch', '--list', `*${TASK}*`);
const changes = (folder: string) => crew.git(folder, 'status', '--porcelain', '-uno');

describe('a path with spaces', () => {
  test('the folder of tasks may have some, and a command that is told can be run as it is', async () => {
    crew = await openCrew({ config: 'staged: {tasks: "../{repo} and tasks", archive: "../kept papers"}\n' });
    const folder = join(crew.session.repo.root, 'repo and tasks', TASK);
    const begin = (...words: readonly string[]) => crew.text(top(), 'lead', 's-1', 'task', ...words, TASK);
    await begin('check');
    const { out, code } = await begin('start');
    expect(code).toBe(0);
    const next = /next: (cd .*?); then /.exec(out)?.[1] ?? '';
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
    await expectGone(crew);
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
      await expectGone(crew);
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
    crew = await crewAt('CLASSIFIED');
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
    crew = await crewAt('INIT');
    expect(crew.git(top(), 'worktree', 'list', '--porcelain')).toContain(`locked Countersign: task ${TASK}`);
    expect(() => crew.git(top(), 'worktree', 'remove', '--force', crew.code)).toThrow(TASK);
  });

  test('while it is leased, dirty, on commits that no branch leads to, or not the task’s own', async () => {
    crew = await crewAt('CLEANUP');
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
    await expectGone(crew);
  });

  test('while its branch has commits that landed nowhere: no new task begins on it', async () => {
    crew = await crewAt('IMPLEMENTATION');
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
    crew = await crewAt('INIT');
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
    crew = await crewAt('INIT');
    crew.write(join(crew.code, 'half.txt'), 'work\n');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'half');
    await crew.decides('cancel', 'later');
    await crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
    crew.git(top(), 'merge', '-q', '--no-ff', '--no-edit', TASK);
    await reach(crew, 'INIT');
    expect(crew.git(crew.code, 'rev-parse', 'HEAD')).toBe(crew.git(top(), 'rev-parse', 'HEAD'));
  });
});
