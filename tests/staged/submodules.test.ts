import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { gateOf } from './gates.ts';
import { expectGone } from './gone.ts';
import { libraryOf } from './library.ts';
import { leaveOnItsWay } from './on-its-way.ts';
import { builds, reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const agentCode = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
const tidy = () => crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
const trees = () => crew.git(top(), 'worktree', 'list').split('\n').length;
const branches = () => crew.git(top(), 'branch', '--list', `*${TASK}*`);
const changes = (folder: string) => crew.git(folder, 'status', '--porcelain', '-uno');

/** A library of its own beside the repository, in it as the submodule `vendor/a lib`. Answers its first and second commit. */
function withSubmodule(): readonly [string, string] {
  const { lib, commit } = libraryOf(crew, 'the lib');
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
  crew.write(join(lib, 'more.js'), '1;\n');
  return [first, commit('2;\n')];
}

const sub = (tree: string) => join(tree, 'vendor/a lib');
const inSub = (tree: string) => readFileSync(join(sub(tree), 'lib.js'), 'utf8');

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
    await reach(crew, 'COMPLETE', 'REVIEW');
    // What keeps it from following is told, and a landing that was held up there comes to its end.
    crew.write(join(sub(top()), 'more.js'), 'in the way\n');
    expect((await crew.go('task', 'land', TASK)).code).not.toBe(0);
    expect((await crew.go('task', 'clean', TASK)).out).toContain('vendor/a lib');
    const [next] = (await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[];
    expect(next?.run).toContain(`land ${TASK}`);
    rmSync(join(sub(top()), 'more.js'));
    await reach(crew, 'CLEANUP', 'CLEANUP');
    expect(crew.git(top(), 'rev-parse', 'HEAD:vendor/a lib')).toBe(newer);
    expect(inSub(top())).toBe('2;\n');
    expect(changes(top())).toBe('');
    await expectGone(crew);
    expect(inSub(top())).toBe('2;\n');
  });

  test('R2: a merge that ended before the branch moved, or before it followed, is finished by the same words', async () => {
    crew = await openCrew();
    const [older, newer] = withSubmodule();
    await reach(crew, 'IMPLEMENTATION');
    const own = sub(agentCode('quality'));
    crew.git(own, 'fetch', '-q', 'origin');
    crew.git(own, 'checkout', '-q', newer);
    await builds(crew, 'quality');
    leaveOnItsWay(crew, crew.code, `task-${TASK}-agent-quality`);
    const merging = async () => (await crew.go('task', 'merge', TASK, 'quality')).code;
    expect(await merging()).toBe(0);
    crew.git(sub(crew.code), 'checkout', '-q', older);
    expect(await merging()).toBe(0);
    expect(inSub(crew.code)).toBe('2;\n');
    expect(changes(crew.code)).toBe('');
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
    await expectGone(crew);
  });
});

describe('a submodule of which git is to say nothing', () => {
  test('PROTO-251: its commit is a change all the same: not the coordinator’s to make, and no document', async () => {
    crew = await openCrew();
    const [, newer] = withSubmodule();
    crew.git(top(), 'config', '-f', '.gitmodules', 'submodule.lib.ignore', 'all');
    crew.git(top(), 'commit', '-qam', 'quiet');
    await reach(crew, 'IMPLEMENTATION');
    const moves = (tree: string) => {
      crew.git(sub(tree), 'fetch', '-q', 'origin');
      crew.git(sub(tree), 'checkout', '-q', newer);
      crew.git(tree, 'add', '-f', 'vendor/a lib');
      crew.git(tree, 'commit', '-q', '-m', 'the newer one');
    };
    moves(crew.code);
    const found = (await gateOf(crew, 'validate')).points.find(({ name }) => name === 'authors');
    expect(found?.because).toContain('vendor/a lib in ');
    crew.git(crew.code, 'reset', '-q', '--hard', 'HEAD~1');
    crew.git(crew.code, 'submodule', '--quiet', 'update');
    moves(agentCode('quality'));
    await reach(crew, 'VALIDATION', 'VALIDATION');
    const { points } = await gateOf(crew, 'skip-checks');
    expect(points.find(({ name }) => name === 'documents-only')?.passed).toBe(false);
    const claim = await crew.session.events('T-1');
    expect(JSON.stringify(claim)).toContain('vendor/a lib');
  });
});
