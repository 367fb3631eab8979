import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Crew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { builds, crewAt, DONE, TASK } from './walk.ts';

// What stands in the branch of a task, and whose it is, where the coordinator writes by hand what only agents build.
let crew: Crew;
const branchOf = (agent: string) => `task-${TASK}-agent-${agent}`;
const open = async () => failing(await gateOf(crew, 'validate'));
const findings = async () =>
  ((await crew.go('task', 'audit', TASK)).data.findings as unknown as { what: string }[]).map(
    ({ what }) => what,
  );
const back = (head: string) => crew.git(crew.code, 'reset', '-q', '--hard', head);
const head = () => crew.git(crew.code, 'rev-parse', 'HEAD').trim();

beforeAll(async () => {
  crew = await crewAt('IMPLEMENTATION');
  for (const agent of AGENTS) await builds(crew, agent);
  await crew.go('task', 'merge', TASK, 'architect');
});
afterAll(() => crew.close());

describe('a merge by hand', () => {
  test('PROTO-250: one that only merges is as good as the engine’s', async () => {
    const before = head();
    for (const agent of ['quality', 'tester'])
      crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf(agent));
    expect(await open()).toEqual([]);
    expect(await findings()).toEqual([]);
    back(before);
  });

  test('PROTO-251, PROTO-299: what was written in it is by no agent', async () => {
    const before = head();
    crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf('tester'));
    crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-commit', branchOf('quality'));
    crew.write(join(crew.code, 'evil.js'), 'mine;\n');
    crew.write(join(crew.code, 'quality.js'), 'mine;\n');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'merge quality');
    expect(await open()).toEqual(['authors']);
    const [first, second] = await findings();
    expect([first, second].join('\n')).toMatch(/evil\.js in[\s\S]*quality\.js in/);
    back(before);
    // Nor is what it left out of an agent's work.
    crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf('tester'));
    crew.git(crew.code, 'merge', '-q', '-s', 'ours', '--no-edit', branchOf('quality'));
    expect(await open()).toEqual(['authors']);
    back(before);
    // Nor what came from a history of its own.
    const tree = crew.git(crew.code, 'rev-parse', `${branchOf('quality')}^{tree}`).trim();
    const alien = crew.git(crew.code, 'commit-tree', tree, '-m', 'alien').trim();
    crew.git(crew.code, 'merge', '-q', '-s', 'ours', '--allow-unrelated-histories', '--no-edit', alien);
    expect(await open()).toContain('authors');
    expect((await findings()).join('\n')).toContain('not from the worktree of an agent');
    back(before);
  });
});

describe('a commit of the coordinator on files for agents', () => {
  test.each([
    ['in its message', 'innocent\u0001\u0002', 'lead', 'evil.js'],
    ['in the name of its author', 'innocent', 'a\u0002b\u0002c\u0002d', 'evil.js'],
    ['in the names of its files', 'innocent', 'lead', ' '],
  ])('PROTO-251, PROTO-299: is found whatever signs are %s', async (_, message, author, path) => {
    const before = head();
    for (const agent of ['quality', 'tester'])
      crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf(agent));
    crew.write(join(crew.code, path), 'mine;\n');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', message, '--author', `${author} <lead@example.org>`);
    expect(await open()).toEqual(['authors']);
    expect((await findings()).join()).toContain(`${path} in ${head().slice(0, 12)}`);
    back(before);
  });

  test('PROTO-251, PROTO-299: is found also where git is told to write what it lists in another encoding', async () => {
    const before = head();
    for (const agent of ['quality', 'tester'])
      crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf(agent));
    crew.write(join(crew.code, 'evil.js'), 'mine;\n');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'innocent');
    crew.git(crew.code, 'config', 'i18n.logOutputEncoding', 'UTF-16LE');
    expect(await open()).toEqual(['authors']);
    expect((await findings()).join()).toContain(`evil.js in ${head().slice(0, 12)}`);
    crew.git(crew.code, 'config', '--unset', 'i18n.logOutputEncoding');
    back(before);
  });

  test('PROTO-251, PROTO-299: is found also where it is the first of a history, and git is told to hide its files', async () => {
    const before = head();
    for (const agent of ['quality', 'tester'])
      crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf(agent));
    crew.git(crew.code, 'checkout', '-q', '--orphan', 'alien');
    crew.git(crew.code, 'rm', '-q', '-r', '-f', '.');
    crew.write(join(crew.code, 'evil.js'), 'mine;\n');
    crew.git(crew.code, 'add', 'evil.js');
    crew.git(crew.code, 'commit', '-q', '-m', 'alien');
    crew.git(crew.code, 'checkout', '-q', TASK);
    crew.git(crew.code, 'merge', '-q', '--allow-unrelated-histories', '--no-edit', 'alien');
    crew.git(crew.code, 'config', 'log.showRoot', 'false');
    expect(await open()).toEqual(['authors']);
    crew.git(crew.code, 'config', '--unset', 'log.showRoot');
    back(before);
    crew.git(crew.code, 'branch', '-q', '-D', 'alien');
  });

  test('PROTO-251: is found also where its name is no text, and the main branch moved meanwhile', async () => {
    const before = head();
    for (const agent of ['quality', 'tester'])
      crew.git(crew.code, 'merge', '-q', '--no-ff', '--no-edit', branchOf(agent));
    const top = crew.session.repo.top;
    const main = crew.git(top, 'rev-parse', 'main').trim();
    crew.git(top, 'commit', '-q', '--allow-empty', '-m', 'elsewhere');
    writeFileSync(
      Buffer.concat([Buffer.from(`${crew.code}/evil`), Buffer.from([0xe9]), Buffer.from('.js')]),
      '1;\n',
    );
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'innocent');
    expect(await open()).toEqual(['authors']);
    crew.git(top, 'reset', '-q', '--hard', main);
    back(before);
  });
});

describe('a branch of an agent that is moved onto other work', () => {
  test('PROTO-299: what its agent never called complete is not built by it', async () => {
    const [before, own] = [head(), crew.git(crew.code, 'rev-parse', branchOf('tester')).trim()];
    for (const agent of ['quality', 'tester']) await crew.go('task', 'merge', TASK, agent);
    crew.write(join(crew.code, 'evil.js'), 'mine;\n');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'evil\n\n[agent:tester]');
    crew.git(crew.code, 'update-ref', `refs/heads/${branchOf('tester')}`, 'HEAD');
    expect(await open()).toEqual(['authors']);
    expect((await crew.go('task', 'validate', TASK)).code).toBe(3);
    crew.git(crew.code, 'update-ref', `refs/heads/${branchOf('tester')}`, own);
    back(before);
  });
});

describe('work in the tree of the task that is not committed', () => {
  test('PROTO-21: a merge leaves it there, and says so', async () => {
    const [before, notes] = [head(), `${DONE}\nwritten just now\n`];
    crew.write(join(crew.code, 'todo.md'), notes);
    const refused = await crew.go('task', 'merge', TASK, 'quality');
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain('changes that are not committed: todo.md');
    expect(readFileSync(join(crew.code, 'todo.md'), 'utf8')).toBe(notes);
    expect(head()).toBe(before);
    crew.git(crew.code, 'checkout', '-q', 'todo.md');
    expect((await crew.go('task', 'merge', TASK, 'quality')).code).toBe(0);
  });
});

describe('work that its agent called complete', () => {
  test.each([
    ['moved back', (own: string) => crew.git(own, 'reset', '-q', '--hard', 'main')],
    [
      'removed',
      (own: string) => {
        crew.git(crew.code, 'worktree', 'remove', '-f', '-f', own);
        crew.git(crew.code, 'branch', '-D', branchOf('tester'));
      },
    ],
  ])('PROTO-21: is not left out where its branch was %s', async (_, work) => {
    const own = join(crew.tasks, TASK, 'agents', 'tester', 'code');
    const [before, done] = [head(), crew.git(own, 'rev-parse', 'HEAD').trim()];
    expect((await crew.go('task', 'merge', TASK, 'quality')).code).toBe(0);
    work(own);
    expect(await open()).toEqual(['branches-merged']);
    const [{ because, fix } = { because: '', fix: '' }] = (await gateOf(crew, 'validate')).points.filter(
      ({ passed }) => !passed,
    );
    expect([because, fix].join()).toContain(`${done.slice(0, 12)}`);
    // As it is told.
    if (_ === 'removed') crew.git(crew.code, 'branch', '-f', branchOf('tester'), done);
    else crew.git(own, 'reset', '--keep', done);
    expect((await crew.go('task', 'merge', TASK, 'tester')).code).toBe(0);
    expect(await open()).toEqual([]);
    back(before);
  });
});
