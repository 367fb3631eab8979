import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Crew, openCrew } from './crew.ts';
import { gateOf } from './gates.ts';
import { answered, commits, crewAt, reach, TASK } from './walk.ts';

// What agents were seen to do against such a protocol: each is refused, or found by the next command and by the audit,
// and honest work goes on.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const lock = () => join(crew.tasks, TASK, 'task.json');
const drift = () =>
  crew.session.with(async ({ ports }) =>
    (await ports.store.read('drift')).map((e) =>
      String((JSON.parse(e.body) as { data: { path: string } }).data.path),
    ),
  );
const points = async (command: string) =>
  (await gateOf(crew, command)).points.filter(({ passed }) => !passed);

async function clean(): Promise<void> {
  const told = await crew.session.text('', 'audit', 'verify');
  expect(told.out).toContain('clean');
}

describe('by hand at the files', () => {
  test('a task.json that says IMPLEMENTATION begins nothing (2025-10-31)', async () => {
    crew = await openCrew();
    mkdirSync(join(crew.tasks, TASK), { recursive: true });
    writeFileSync(lock(), JSON.stringify({ session_id: 's-9', task_name: TASK, state: 'IMPLEMENTATION' }));
    expect((await crew.say(top(), 'lead', 's-9', 'task', 'validate', TASK)).code).toBe(5);
    expect((await crew.say(top(), 'lead', 's-9', 'task', 'check', TASK)).data.selection).toBe(
      'PROCEED_WITH_INIT',
    );
    await reach(crew, 'INIT');
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({ session_id: 's-1', state: 'INIT' });
    expect(await drift()).toContain(lock());
  });

  test('a state that is edited, or a session that writes its own name into the lock, changes nothing and is on record (2025-12-03, 2025-12-29)', async () => {
    crew = await crewAt('CLASSIFIED');
    const was = JSON.parse(readFileSync(lock(), 'utf8')) as object;
    writeFileSync(lock(), JSON.stringify({ ...was, session_id: 's-2', state: 'REVIEW' }));
    const taken = await crew.say(crew.code, 'lead', 's-2', 'task', 'gather', TASK);
    expect(JSON.stringify(taken.error)).toContain('held by session s-1');
    expect(await drift()).toContain(lock());
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({
      session_id: 's-1',
      state: 'CLASSIFIED',
    });
    await reach(crew, 'REQUIREMENTS', 'REQUIREMENTS');
    await clean();
  });

  test('an audit trail that is emptied is written anew, and what was done to it is kept (suppressing the log)', async () => {
    crew = await crewAt('REQUIREMENTS');
    const trail = join(crew.tasks, TASK, 'audit-trail.json');
    const before = readFileSync(trail, 'utf8');
    writeFileSync(trail, '{"state_transitions": []}\n');
    const told = await crew.text(crew.code, 'lead', 's-1', 'task', 'show', TASK);
    expect(told.err + told.out).toContain('was changed outside of Countersign');
    expect(readFileSync(trail, 'utf8')).toBe(before);
    rmSync(trail);
    await crew.go('task', 'show', TASK);
    expect(readFileSync(trail, 'utf8')).toBe(before);
    await clean();
  });
});

describe('by git', () => {
  test.each([
    [
      'merged straight to main (2025-11-01)',
      (branch: string) => crew.git(top(), 'merge', '-q', '--no-edit', branch),
    ],
    [
      'put under main with git branch -f (2025-12-11)',
      (branch: string) => {
        crew.git(top(), 'checkout', '-q', '-b', 'aside');
        crew.git(top(), 'branch', '-q', '-f', 'main', branch);
        crew.git(top(), 'checkout', '-q', 'main');
      },
    ],
  ])(
    'an agent’s branch that is %s is found at the gates, and work goes on when it is taken back',
    async (_, bypass) => {
      crew = await crewAt('IMPLEMENTATION');
      const before = crew.git(top(), 'rev-parse', 'main').trim();
      for (const [agent, files] of [
        ['architect', { 'work.txt': 'done\n', 'todo.md': '# Todo\n' }],
        ['quality', { 'quality.js': '1;\n' }],
        ['tester', { 'tester.js': '1;\n' }],
      ] as const) {
        commits(crew, agent, files);
        await answered(crew, agent);
        await crew.go('task', 'merge', TASK, agent);
      }
      bypass(`task-${TASK}-agent-architect`);
      const found = await points('validate');
      expect(found.map(({ because }) => because).join()).toContain(
        `task-${TASK}-agent-architect was merged straight to the default branch`,
      );
      expect((await crew.go('task', 'validate', TASK)).code).not.toBe(0);
      crew.git(top(), 'reset', '-q', '--hard', before);
      expect(await points('validate')).toEqual([]);
      expect((await crew.go('task', 'validate', TASK)).data.status).toBe('VALIDATION');
      await clean();
    },
  );

  test('writing by the shell where an edit would be refused: it is found at the merge gate (cat >, sed -i)', async () => {
    crew = await crewAt('IMPLEMENTATION');
    crew.write(join(crew.code, 'src/dates.js'), 'by the shell\n');
    expect((await points('validate')).map(({ name }) => name)).toContain('clean-tree');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'x');
    expect((await points('validate')).find(({ name }) => name === 'authors')?.because).toContain(
      'src/dates.js',
    );
  });
});

describe('at another session’s task', () => {
  test('a task whose folder somebody deleted is still its holder’s, and nobody’s to begin anew', async () => {
    crew = await crewAt('REQUIREMENTS');
    rmSync(join(crew.tasks, TASK), { recursive: true, force: true });
    expect((await crew.say(top(), 'lead', 's-2', 'task', 'check', TASK)).data.selection).toBe(
      'SELECT_ALTERNATIVE',
    );
    expect((await crew.say(top(), 'lead', 's-2', 'task', 'start', TASK)).code).not.toBe(0);
    const shown = await crew.say(top(), 'lead', 's-1', 'task', 'show', TASK);
    expect(shown.data.broken).toContain(crew.code);
    expect(crew.git(top(), 'branch', '--list', TASK)).toContain(TASK);
    expect(existsSync(crew.code)).toBe(false);
  });

  test('tidying up what another session holds is refused', async () => {
    crew = await crewAt('CLEANUP');
    const refused = await crew.say(top(), 'lead', 's-2', 'task', 'tidy', TASK);
    expect(refused.code).not.toBe(0);
    expect(refused.error.message).toContain('held by session s-1');
    expect(existsSync(crew.code)).toBe(true);
  });

  test('calling an agent before the plan is approved builds nothing (2025-11-01)', async () => {
    crew = await crewAt('INIT');
    const refused = await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    expect(refused.code).not.toBe(0);
    await reach(crew, 'SYNTHESIS', 'CLASSIFIED');
    await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    expect((await crew.go('task', 'validate', TASK)).code).not.toBe(0);
  });
});
