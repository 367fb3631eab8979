import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { commits, reach, TASK } from './walk.ts';

let crew: Crew;

const gate = (command: string) => gateOf(crew, command);

describe('who builds', () => {
  beforeAll(async () => {
    crew = await openCrew();
    await reach(crew, 'IMPLEMENTATION');
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
