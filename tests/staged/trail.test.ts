import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, type Program } from '../terminal.ts';
import { AGENTS, type Crew } from './crew.ts';
import { type HooksOfCrew, hooksOf } from './hooked.ts';
import { crewAt, reach, TASK } from './walk.ts';

let crew: Crew;
const top = () => crew.session.repo.top;

describe('the audit trail', () => {
  interface Trail {
    readonly task_name: string;
    readonly session_id: string;
    readonly started_at: string;
    readonly state_transitions: readonly {
      from_state: string;
      to_state: string;
      verification_passed: boolean;
    }[];
    readonly agent_invocations: readonly { agent_name: string; agent_mode: string; status: string }[];
    readonly tool_usage: readonly object[];
    readonly commits: readonly {
      sha: string;
      agent: string;
      message: string;
      files_created: readonly string[];
    }[];
    readonly build_verifications: readonly { result: string }[];
  }
  const read = (): Trail =>
    JSON.parse(readFileSync(join(crew.tasks, TASK, 'audit-trail.json'), 'utf8')) as Trail;
  beforeAll(async () => {
    crew = await crewAt('INIT');
  });
  afterAll(() => crew.close());

  test('PROTO-263, PROTO-264: it is there from INIT on, with all its parts', () => {
    expect(read()).toEqual({
      task_name: TASK,
      session_id: 's-1',
      started_at: expect.stringMatching(/Z$/),
      state_transitions: [],
      agent_invocations: [],
      tool_usage: [],
      commits: [],
      build_verifications: [],
    });
  });

  test('PROTO-265: a transition that was refused is there as well, and did not pass', async () => {
    await reach(crew, 'REQUIREMENTS', 'CLASSIFIED');
    const before = read().state_transitions;
    expect((await crew.go('task', 'synthesize', TASK)).code).toBe(3);
    expect(read().state_transitions).toEqual([
      ...before,
      {
        from_state: 'REQUIREMENTS',
        to_state: 'SYNTHESIS',
        timestamp: expect.stringMatching(/Z$/),
        verification_passed: false,
      },
    ]);
  });

  test('PROTO-265: so is one that left a stage out; what leads nowhere is none', async () => {
    const before = read().state_transitions;
    expect((await crew.go('task', 'validate', TASK)).code).toBe(6);
    expect((await crew.go('task', 'rework', TASK, '--reason', 'x')).code).toBe(6);
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'style')).code).toBe(3);
    const added = read().state_transitions.slice(before.length);
    expect(
      added.map(({ from_state, to_state, verification_passed }) => [
        from_state,
        to_state,
        verification_passed,
      ]),
    ).toEqual([
      ['REQUIREMENTS', 'VALIDATION', false],
      ['REQUIREMENTS', 'IMPLEMENTATION', false],
    ]);
  });

  test('PROTO-275: a call is running until its agent says how it ended, and only that one changes', async () => {
    for (const agent of ['architect', 'quality']) await crew.go('task', 'invoke', TASK, '--agent', agent);
    expect(read().agent_invocations.map(({ status }) => status)).toEqual(['running', 'running']);
    await crew.reports('quality');
    expect(read().agent_invocations).toEqual([
      expect.objectContaining({ agent_name: 'architect', status: 'running', completion_timestamp: '' }),
      {
        agent_name: 'quality',
        agent_mode: 'requirements',
        working_dir: join(crew.tasks, TASK, 'agents/quality/code'),
        invocation_timestamp: expect.stringMatching(/Z$/),
        completion_timestamp: expect.stringMatching(/Z$/),
        report_location: join(crew.tasks, TASK, `${TASK}-quality-requirements.md`),
        status: 'completed',
      },
    ]);
    await crew.reports('architect');
    await crew.go('task', 'invoke', TASK, '--agent', 'tester');
    await crew.reports('tester');
    await crew.go('task', 'synthesize', TASK);
  });

  test('PROTO-265, PROTO-266, PROTO-270, PROTO-271: every transition and every call, each once and with its end', async () => {
    await reach(crew, 'COMPLETE', 'IMPLEMENTATION');
    const { state_transitions: all, agent_invocations: calls } = read();
    const moves = all.filter(({ verification_passed: passed }) => passed);
    expect(moves).toHaveLength(8);
    for (const move of moves)
      expect(move).toEqual({
        from_state: expect.any(String),
        to_state: expect.any(String),
        timestamp: expect.stringMatching(/Z$/),
        verification_passed: true,
      });
    expect(calls.map(({ agent_mode: mode }) => mode)).toEqual(
      ['requirements', 'implementation', 'review'].flatMap((mode) => AGENTS.map(() => mode)),
    );
    expect(calls.every(({ status }) => status === 'completed')).toBe(true);
  });

  test('PROTO-268, PROTO-273: its commits are those of git, each with the agent that made it', () => {
    const made = read().commits;
    expect(made.map(({ agent }) => agent)).toEqual([...AGENTS]);
    for (const { sha, message, files_created: created } of made) {
      expect(crew.git(top(), 'log', '-1', '--format=%B', sha).trim()).toBe(message);
      for (const path of created)
        expect(crew.git(top(), 'show', '--name-status', '--format=', sha)).toContain(`A\t${path}`);
    }
  });

  test('PROTO-269, PROTO-274: every run of the checks, with its result and its counts', () => {
    expect(read().build_verifications).toEqual([
      {
        timestamp: expect.stringMatching(/Z$/),
        command: 'countersign verify',
        result: 'SUCCESS',
        tests_run: expect.any(Number),
        tests_passed: expect.any(Number),
        tests_failed: 0,
      },
    ]);
  });
});

describe('the tools that were used', () => {
  interface Used {
    readonly tool: string;
    readonly agent_name?: string;
    readonly file_path?: string;
    readonly working_dir?: string;
    readonly note?: string;
  }
  let program: Program;
  let h: HooksOfCrew;
  beforeAll(async () => {
    program = buildProgram();
    crew = await crewAt('IMPLEMENTATION');
    h = hooksOf(program, crew);
  });
  afterAll(() => {
    crew.close();
    program.remove();
  });
  const OF_HOOKS = new Set(['Task', 'Edit', 'Write', 'Bash']);
  /** Without their times. The files of a task are brought up to date by whatever asks about it. */
  const used = async (): Promise<readonly Used[]> => {
    await crew.go('task', 'show', TASK);
    const { tool_usage: all } = JSON.parse(
      readFileSync(join(crew.tasks, TASK, 'audit-trail.json'), 'utf8'),
    ) as { tool_usage: readonly (Used & { timestamp: string })[] };
    return all
      .filter(({ tool }) => OF_HOOKS.has(tool))
      .map(({ timestamp, ...rest }) => {
        expect(timestamp).toMatch(/Z$/);
        return rest;
      });
  };
  const own = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
  const sub = (agent_type: string) => ({ fields: { agent_id: 'a1', agent_type } });

  test('PROTO-267, PROTO-272: a call of an agent, the coordinator’s edits and those of agents are told apart', async () => {
    expect(h.uses('Task', { subagent_type: 'architect', prompt: 'build' })).toBe('');
    expect(h.uses('Edit', { file_path: join(crew.code, 'todo.md') })).toBe('');
    expect(h.uses('Write', { file_path: join(crew.tasks, TASK, 'task.md'), content: 'x' })).toBe('');
    const code = join(own('architect'), 'src/dates.js');
    expect(h.uses('Write', { file_path: code, content: 'x' }, sub('architect'))).toBe('');
    expect(h.uses('Edit', { file_path: code }, { session: 's-7', actor: 'architect' })).toBe('');
    expect(h.uses('Bash', { command: 'echo x > a.js' }, { cwd: own('architect'), ...sub('helper') })).toBe(
      '',
    );
    const coordination = 'coordination (non-implementation)';
    const work = { agent_name: 'architect', working_dir: own('architect'), note: 'implementation' };
    expect(await used()).toEqual([
      { tool: 'Task', agent_name: 'architect', working_dir: own('architect') },
      { tool: 'Edit', file_path: 'todo.md', working_dir: crew.code, note: coordination },
      { tool: 'Write', file_path: 'task.md', working_dir: join(crew.tasks, TASK), note: coordination },
      { tool: 'Write', file_path: 'src/dates.js', ...work },
      { tool: 'Edit', file_path: 'src/dates.js', ...work },
      { tool: 'Bash', file_path: 'a.js', ...work },
    ]);
  });

  test('PROTO-272: what the coordinator tried to implement stands there as refused, and looking around is not noted', async () => {
    const before = await used();
    expect(h.uses('Edit', { file_path: join(crew.code, 'src/dates.js') })).not.toBe('');
    for (const command of ['git status', 'ls -l', 'cat todo.md'])
      expect(h.uses('Bash', { command }, { cwd: crew.code })).toBe('');
    expect(h.uses('Write', { file_path: join(crew.session.repo.root, 'elsewhere.txt'), content: '' })).toBe(
      '',
    );
    expect((await used()).slice(before.length)).toEqual([
      { tool: 'Edit', file_path: 'src/dates.js', working_dir: crew.code, note: 'implementation; refused' },
    ]);
  });

  test('PROTO-79: git on main is in the log of tools, wherever it is run, and the audit knows who held it', async () => {
    const lines = async () =>
      (await crew.text(crew.code, 'lead', 's-1', 'task', 'audit', TASK)).out
        .split('\n')
        .filter((line) => line.includes('without-lease'));
    const top = crew.session.repo.top;
    expect(await lines()).toEqual([]);
    const moves = ['git branch -f main HEAD', 'git push . HEAD:main', 'git update-ref refs/heads/main HEAD'];
    for (const command of [...moves, 'git push origin +HEAD:refs/heads/main', `git -C '${top}' merge other`])
      expect(h.uses('Bash', { command }, { cwd: crew.code }), command).toContain('nobody holds it');
    for (const command of [
      'git merge main',
      'git fetch origin main',
      'git branch -f other',
      'git push origin',
    ])
      expect(h.uses('Bash', { command }, { cwd: crew.code }), command).toBe('');
    expect(await lines()).toEqual(
      ['branch', 'push', 'update-ref', 'push', 'merge'].map((command) =>
        expect.stringMatching(
          new RegExp(
            `^warning {2}git-without-lease: git ${command} on main by session s-1 .* nobody held it: it was refused`,
          ),
        ),
      ),
    );
    expect((await used()).at(-1)).toEqual({
      ...{ tool: 'Bash', working_dir: top, note: 'git merge; main working tree; refused' },
    });
    // Whoever holds it is in the log as well, and does nothing wrong.
    const before = (await lines()).length;
    await crew.say(top, 'lead', 's-1', 'lease', 'take', 'main');
    expect(h.uses('Bash', { command: 'git merge other' })).toBe('');
    expect(h.uses('Edit', { file_path: join(top, 'README.md') })).toBe('');
    await crew.say(top, 'lead', 's-1', 'lease', 'release', 'main');
    expect((await used()).slice(-2).map(({ note }) => note)).toEqual([
      'git merge; main working tree',
      'main working tree',
    ]);
    expect(await lines()).toHaveLength(before);
    // Of a session that holds no task it is known as well.
    expect(h.uses('Bash', { command: 'git reset --hard HEAD^' }, { session: 's-8' })).not.toBe('');
    expect((await lines()).at(-1)).toContain('git reset on main by session s-8');
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  });
});
