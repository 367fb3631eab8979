import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Crew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { answered, commits, crewAt, TASK } from './walk.ts';

let crew: Crew;

const gate = (command: string) => gateOf(crew, command);

describe('who builds', () => {
  beforeAll(async () => {
    crew = await crewAt('IMPLEMENTATION');
  });
  afterAll(() => crew.close());

  test('PROTO-14, PROTO-257: while an agent still works there is no validation, and another round may begin', async () => {
    for (const agent of AGENTS.slice(0, 2)) {
      await crew.go('task', 'invoke', TASK, '--agent', agent);
      await crew.say(crew.code, agent, '', 'task', 'status', TASK, 'COMPLETE');
    }
    expect(failing(await gate('validate'))).toContain('implementation');
    const again = await crew.go('task', 'next-round', TASK, '--reason', 'tester has work left');
    expect(again.code).toBe(0);
    expect((await gate('validate')).points.find(({ name }) => name === 'implementation')).toMatchObject({
      passed: false,
    });
  });

  test('PROTO-251, PROTO-252, PROTO-253, PROTO-254, PROTO-255, PROTO-256: what the coordinator commits itself is found at the gate, whatever the path', async () => {
    for (const [agent, files] of [
      ['architect', { 'work.txt': 'done\n', 'todo.md': '# Todo\n' }],
      ['quality', { 'quality.js': '1;\n' }],
      ['tester', { 'tester.js': '1;\n' }],
    ] as const) {
      await crew.go('task', 'invoke', TASK, '--agent', agent);
      commits(crew, agent, files);
      await crew.say(crew.code, agent, '', 'task', 'status', TASK, 'COMPLETE');
      await crew.go('task', 'merge', TASK, agent);
    }
    expect(failing(await gate('validate'))).toEqual([]);
    for (const path of [
      'src/main/java/A.java',
      'src/test/java/T.java',
      'pom.xml',
      'module-info.java',
      'fix.js',
    ]) {
      crew.write(join(crew.code, path), 'by hand\n');
      crew.git(crew.code, 'add', '-A');
      crew.git(crew.code, 'commit', '-q', '-m', 'a quick fix');
      const found = await gate('validate');
      expect(failing(found), path).toContain('authors');
      expect(found.points.find(({ name }) => name === 'authors')?.because).toContain(path);
      crew.git(crew.code, 'reset', '-q', '--hard', 'HEAD^');
    }
    expect(failing(await gate('validate'))).toEqual([]);
  });

  test('PROTO-250: the coordinator calls, merges and decides', async () => {
    crew.write(join(crew.code, 'todo.md'), '# Todo\n\nNothing.\n');
    crew.git(crew.code, 'commit', '-qam', 'todo.md');
    expect(failing(await gate('validate'))).toEqual([]);
    expect((await crew.go('task', 'validate', TASK)).data.status).toBe('VALIDATION');
  });
});

describe('who validates, and when', () => {
  const findings = async () =>
    ((await crew.go('task', 'audit', TASK)).data.findings as unknown as { rule: string; what: string }[]).map(
      ({ rule, what }) => `${rule}: ${what}`,
    );
  const headOf = (branch: string) => crew.git(crew.code, 'rev-parse', branch).trim();
  const merge = (agent: string) => crew.go('task', 'merge', TASK, agent);
  const says = (agent: string, word = 'COMPLETE') =>
    crew.say(crew.code, agent, '', 'task', 'status', TASK, word);
  const OWN = `task-${TASK}-agent-architect`;
  beforeAll(async () => {
    crew = await crewAt('IMPLEMENTATION');
    await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    commits(crew, 'architect', { 'a.js': '1;\n' });
  });
  afterAll(() => crew.close());

  test('PROTO-299: what its agent has not called complete is not merged, and neither is what it committed after that', async () => {
    const before = headOf(TASK);
    const refused = await merge('architect');
    expect(refused.code).not.toBe(0);
    expect(refused.error.message).toContain(`architect has not said that ${headOf(OWN).slice(0, 12)}`);
    expect(refused.error.hint).toContain(`countersign task status ${TASK} COMPLETE`);
    await says('architect', 'WORKING');
    expect((await merge('architect')).code).not.toBe(0);
    // The word of another agent is on its own branch.
    await crew.go('task', 'invoke', TASK, '--agent', 'quality');
    await says('quality');
    expect((await merge('architect')).code).not.toBe(0);
    await says('architect');
    commits(crew, 'architect', { 'b.js': '1;\n' });
    expect((await merge('architect')).code).not.toBe(0);
    expect(headOf(TASK)).toBe(before);
    expect(await findings()).toEqual([]);
    await says('architect');
    expect((await merge('architect')).code).toBe(0);
    expect(await findings()).toEqual([]);
    // There is nothing left to merge, and that is no fault.
    expect((await merge('architect')).code).toBe(0);
    expect((await merge('tester')).code).toBe(0);
  });

  test('PROTO-299: a merge by git before its agent validated it is found, also when the word comes later', async () => {
    const before = headOf(TASK);
    for (const how of [['--no-ff', '--no-edit'], ['--ff']]) {
      commits(crew, 'architect', { [`${how[0]}.js`]: '1;\n' });
      crew.git(crew.code, 'merge', '-q', ...how, OWN);
      const sha = headOf(OWN).slice(0, 12);
      const early = `merge-without-validation: ${TASK} holds ${sha} of ${OWN}: architect had not called it complete`;
      expect((await findings()).join()).toContain(early);
      await says('architect');
      expect((await findings()).join()).toContain(early);
      // Taken back, and merged as it should be.
      crew.git(crew.code, 'reset', '-q', '--hard', before);
      await says('architect');
      expect((await merge('architect')).code).toBe(0);
      expect(await findings()).toEqual([]);
      crew.git(crew.code, 'reset', '-q', '--hard', before);
    }
  });

  test('PROTO-299: a commit on files for agents that came from no agent’s worktree is found, and the coordinator’s own is none', async () => {
    await merge('architect');
    for (const [path, wrong] of [
      ['src/fix.js', true],
      ['todo.md', false],
    ] as const) {
      crew.write(join(crew.code, path), 'by hand\n');
      crew.git(crew.code, 'add', '-A');
      crew.git(crew.code, 'commit', '-q', '-m', 'by hand\n\n[agent:architect]');
      expect(
        (await findings())
          .join()
          .includes(`commit-outside-worktree: not from the worktree of an agent: ${path}`),
      ).toBe(wrong);
      if (wrong) crew.git(crew.code, 'reset', '-q', '--hard', 'HEAD^');
    }
    // It comes to an agent that brings its branch up to date, and is not its work by that.
    crew.git(join(crew.tasks, TASK, 'agents/architect/code'), 'merge', '-q', '--no-edit', TASK);
    expect(await findings()).toEqual([]);
  });
});

test('PROTO-23, PROTO-299: whoever committed after its word is asked to say it once more, before the merge is named', async () => {
  crew = await crewAt('IMPLEMENTATION');
  for (const agent of AGENTS) await answered(crew, agent);
  const next = async () => {
    const { data } = await crew.go('task', 'show', TASK);
    return (data as unknown as { next: readonly { by: string; run: string }[] }).next[0];
  };
  commits(crew, 'architect', { 'a.js': '1;\n' });
  expect(await next()).toMatchObject({
    by: 'architect',
    run: expect.stringContaining(`task status ${TASK} COMPLETE`),
  });
  await crew.say(crew.code, 'architect', '', 'task', 'status', TASK, 'COMPLETE');
  expect(await next()).toMatchObject({
    by: 'you',
    run: expect.stringContaining(`merge ${TASK} architect`),
  });
  crew.close();
});
