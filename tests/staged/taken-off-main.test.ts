import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { gateOf } from './gates.ts';
import { libraryOf } from './library.ts';
import { answered, commits, crewAt, DONE, reach, TASK } from './walk.ts';

// What was on the main branch and was taken off it there: whose it is, and whether it lands.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const git = (...words: string[]) => crew.git(top(), ...words).trim();
const treeOf = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
const lacking = async () =>
  (await gateOf(crew, 'validate')).points.filter(({ passed }) => !passed).map(({ because }) => because);
const next = async () =>
  ((await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[]).map(({ run }) => run);
const says = (agent: string) => crew.say(treeOf(agent), agent, '', 'task', 'status', TASK, 'COMPLETE');

/** Whoever holds the main branch does something there. */
async function onMain(work: () => void): Promise<void> {
  await crew.say(top(), 'lead', 's-9', 'lease', 'take', 'main');
  work();
  await crew.say(top(), 'lead', 's-9', 'lease', 'release', 'main');
}

const somebodyElses = (path: string, text = '1;\n') =>
  onMain(() => {
    crew.write(join(top(), path), text);
    git('add', path);
    git('commit', '-q', '-m', 'of somebody else');
  });
const resetTo = (commit: string) => onMain(() => git('reset', '-q', '--hard', commit));

const LICENCE = '// SPDX-License-Identifier: Apache-2.0\n';

/** An agent is done with what lies in its tree, and is brought in. */
async function brought(agent: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  if (Object.keys(files).length > 0) commits(crew, agent, files);
  await answered(crew, agent);
  expect((await crew.go('task', 'merge', TASK, agent)).code).toBe(0);
}
const BUILT = {
  architect: { 'work.txt': 'done\n', 'todo.md': DONE },
  quality: { 'quality.js': '1;\n' },
  tester: { 'tester.js': '1;\n' },
};
async function othersBuild(agents: readonly (keyof typeof BUILT)[]): Promise<void> {
  for (const agent of agents) await brought(agent, BUILT[agent]);
}

/** Landing is refused for the file that would come back, the main branch stays where it was, and the way on is told. */
async function landsNothing(main: string): Promise<void> {
  const refused = await crew.go('task', 'land', TASK);
  expect([refused.code, refused.error.message]).toEqual([
    2,
    expect.stringContaining('unapproved.js would come back with it'),
  ]);
  expect(git('rev-parse', 'main')).toBe(main);
  expect((await next())[0]).toContain(`request-change ${TASK}`);
}

/** Merged straight to the main branch by somebody, and taken back there. */
function straightAndBack(agent: string, between: () => void = () => undefined): void {
  git('merge', '-q', '--no-ff', '--no-edit', `task-${TASK}-agent-${agent}`);
  between();
  git('revert', '--no-edit', '-m', '1', 'HEAD');
}

describe('what a person takes off the main branch', () => {
  test('does not come back with a task that began on it', async () => {
    crew = await openCrew();
    const before = git('rev-parse', 'main');
    await somebodyElses('unapproved.js');
    await reach(crew, 'COMPLETE');
    await resetTo(before);
    await landsNothing(before);
    await crew.go('task', 'request-change', TASK, '--reason', 'it was taken off');
    // As it is told: an agent takes it back.
    const own = treeOf('quality');
    crew.git(
      own,
      'revert',
      '--no-edit',
      crew.git(own, 'log', '-1', '--format=%H', '--', 'unapproved.js').trim(),
    );
    for (const agent of AGENTS) await brought(agent);
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'CLEANUP', 'REVIEW');
    expect(git('ls-files')).toContain('quality.js');
    expect(git('ls-files')).not.toContain('unapproved.js');
  });

  test('nor where an agent went on writing in it, as long as a line of it is left', async () => {
    crew = await openCrew();
    const before = git('rev-parse', 'main');
    await somebodyElses('unapproved.js', `${LICENCE}export const one = 1;\nexport const two = 2;\n`);
    await reach(crew, 'IMPLEMENTATION');
    await brought('quality', { 'unapproved.js': `${LICENCE}export const one = 1;\nexport const two = 3;\n` });
    await othersBuild(['architect', 'tester']);
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'COMPLETE', 'REVIEW');
    await resetTo(before);
    await landsNothing(before);
    await crew.go('task', 'request-change', TASK, '--reason', 'it was taken off');
    // What is written anew, in the same file and with the same head, is the agent's own.
    crew.git(treeOf('quality'), 'rm', '-q', 'unapproved.js');
    crew.git(treeOf('quality'), 'commit', '-q', '-m', 'taken back');
    await brought('quality', { 'unapproved.js': `${LICENCE}export const three = 3;\n` });
    for (const agent of ['architect', 'tester']) await brought(agent);
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'CLEANUP', 'REVIEW');
    expect(git('show', 'main:unapproved.js')).toBe(`${LICENCE}export const three = 3;`);
  });

  test.each(['an agent', 'the coordinator, and an agent from there,'])(
    'nor where %s brought it in, and it was gone before the agent said that it is complete',
    async (who) => {
      crew = await crewAt('IMPLEMENTATION');
      const before = git('rev-parse', 'main');
      await somebodyElses('unapproved.js');
      if (who !== 'an agent') await crew.go('task', 'merge', TASK, 'main');
      const from = who === 'an agent' ? 'main' : TASK;
      crew.git(treeOf('quality'), 'merge', '-q', '--no-ff', '--no-edit', from);
      await resetTo(before);
      await othersBuild(['architect', 'quality', 'tester']);
      expect(await lacking()).toEqual([expect.stringContaining('unapproved.js would come back with it')]);
    },
  );

  test('nor with one that brought it in meanwhile, also where that is after the approval', async () => {
    crew = await crewAt('IMPLEMENTATION');
    const before = git('rev-parse', 'main');
    await somebodyElses('unapproved.js');
    await crew.go('task', 'merge', TASK, 'main');
    await othersBuild(['architect', 'quality', 'tester']);
    await crew.go('task', 'validate', TASK);
    await reach(crew, 'COMPLETE', 'REVIEW');
    await resetTo(before);
    await landsNothing(before);
  });

  test('nor with one whose agent brought it in, and it lands once its agent has taken it back', async () => {
    crew = await crewAt('IMPLEMENTATION');
    const before = git('rev-parse', 'main');
    await somebodyElses('unapproved.js');
    const own = treeOf('quality');
    crew.git(own, 'merge', '-q', '--no-ff', '--no-edit', 'main');
    await othersBuild(['architect', 'quality', 'tester']);
    const unapproved = git('rev-parse', 'main');
    await resetTo(before);
    expect(await lacking()).toEqual([expect.stringContaining('unapproved.js would come back with it')]);
    await resetTo(unapproved);
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'COMPLETE', 'REVIEW');
    await resetTo(before);
    await landsNothing(before);
    await crew.go('task', 'request-change', TASK, '--reason', 'it was taken off');
    crew.git(own, 'revert', '--no-edit', unapproved);
    for (const agent of AGENTS) await brought(agent);
    expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
    await reach(crew, 'CLEANUP', 'REVIEW');
    expect(git('ls-files')).toContain('quality.js');
    expect(git('ls-files')).not.toContain('unapproved.js');
  });

  test.each(['an agent', 'the coordinator'])(
    'what was only written anew there is none of it, also where %s had brought it in',
    async (who) => {
      crew = await crewAt('IMPLEMENTATION');
      await somebodyElses('elsewhere.js');
      if (who === 'an agent') crew.git(treeOf('quality'), 'merge', '-q', '--no-ff', '--no-edit', 'main');
      else await crew.go('task', 'merge', TASK, 'main');
      await othersBuild(['architect', 'quality', 'tester']);
      await onMain(() => git('commit', '-q', '--amend', '-m', 'the same in other words'));
      expect(await lacking()).toEqual([]);
      expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
      await reach(crew, 'CLEANUP', 'REVIEW');
      expect(git('ls-files')).toContain('elsewhere.js');
    },
  );

  test('what the task itself had landed there is none of it, also where an agent had brought that in', async () => {
    crew = await crewAt('COMPLETE');
    const before = git('rev-parse', 'main');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    crew.git(treeOf('quality'), 'merge', '-q', '--no-ff', '--no-edit', 'main');
    await resetTo(before);
    await crew.go('task', 'request-change', TASK, '--reason', 'it was taken off');
    for (const agent of AGENTS) await brought(agent);
    expect(await lacking()).toEqual([]);
  });

  test('what was only written anew there is none of it', async () => {
    crew = await openCrew();
    await somebodyElses('elsewhere.js');
    await reach(crew, 'COMPLETE');
    await onMain(() => git('commit', '-q', '--amend', '-m', 'the same in other words'));
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(git('ls-files')).toContain('elsewhere.js');
  });
});

describe('work that was merged straight to the main branch, and reverted there', () => {
  test('is missed also where the main branch has something else in the same file, and main was brought in', async () => {
    const lib = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    crew = await crewAt('IMPLEMENTATION', { files: { 'lib.js': lib } });
    await brought('quality', { 'lib.js': lib.replace('a\n', 'A\n') });
    await onMain(() => {
      crew.write(join(top(), 'lib.js'), lib.replace('h\n', 'H\n'));
      git('commit', '-q', '-am', 'of somebody else');
    });
    git('merge', '-q', '--no-ff', '--no-edit', `task-${TASK}-agent-quality`);
    expect((await lacking()).join()).toContain('was merged straight to the default branch');
    git('revert', '--no-edit', '-m', '1', 'HEAD');
    await othersBuild(['architect', 'tester']);
    await crew.go('task', 'merge', TASK, 'main');
    expect(await lacking()).toEqual([expect.stringContaining('lib.js would not land as it was built')]);
  });

  test('is missed also where several agents worked on the same file', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await brought('quality', { 'shared.js': '1;\n' });
    crew.git(treeOf('architect'), 'merge', '-q', TASK);
    await brought('architect', { 'shared.js': '1;\n2;\n' });
    straightAndBack('architect');
    await brought('tester', { 'work.txt': 'done\n', 'todo.md': DONE });
    await crew.go('task', 'merge', TASK, 'main');
    expect(await lacking()).toEqual([expect.stringContaining('shared.js would not land as it was built')]);
  });

  test('counts as taken back also where it was the mode of a file, or nothing at all', async () => {
    crew = await crewAt('IMPLEMENTATION', { files: { 'run.sh': '#!/bin/sh\n' } });
    chmodSync(join(treeOf('quality'), 'run.sh'), 0o755);
    crew.git(treeOf('quality'), 'commit', '-qam', 'it runs');
    crew.git(treeOf('quality'), 'commit', '-q', '--allow-empty', '-m', 'once more');
    await brought('quality');
    await othersBuild(['architect', 'tester']);
    git('merge', '-q', '--no-ff', '--no-edit', `task-${TASK}-agent-quality`);
    expect((await lacking()).join()).toContain('was merged straight to the default branch');
    git('revert', '--no-edit', '-m', '1', 'HEAD');
    expect(await lacking()).toEqual([expect.stringContaining('run.sh would not land as it was built')]);
  });

  test('counts as taken back also where it was the commit of a submodule', async () => {
    crew = await openCrew();
    const newer = withSubmodule();
    await reach(crew, 'IMPLEMENTATION');
    const own = join(treeOf('quality'), 'vendor/lib');
    crew.git(own, 'fetch', '-q', 'origin');
    crew.git(own, 'checkout', '-q', newer);
    crew.git(treeOf('quality'), 'commit', '-qam', 'the newer one');
    await brought('quality');
    await othersBuild(['architect', 'tester']);
    straightAndBack('quality');
    expect(await lacking()).toEqual([expect.stringContaining('vendor/lib would not land as it was built')]);
    crew.git(treeOf('quality'), 'merge', '-q', '--no-ff', '--no-edit', 'main');
    crew.git(treeOf('quality'), 'revert', '--no-edit', 'main');
    expect((await says('quality')).code).toBe(0);
    await crew.go('task', 'merge', TASK, 'quality');
    expect(await lacking()).toEqual([]);
  });
});

/** A library of its own in the repository as the submodule `vendor/lib`, and a newer commit of it. */
function withSubmodule(): string {
  const { lib, commit } = libraryOf(crew, 'lib');
  commit('1;\n');
  const from = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '--name', 'lib'];
  git(...from, pathToFileURL(lib).href, 'vendor/lib');
  git('commit', '-q', '-m', 'a submodule');
  return commit('2;\n');
}
