import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { reach, TASK } from './walk.ts';

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
    crew = await openCrew();
    await reach(crew, 'INIT');
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

  test('PROTO-275: a call is running until its agent says how it ended, and only that one changes', async () => {
    await reach(crew, 'REQUIREMENTS', 'CLASSIFIED');
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
    const { state_transitions: moves, agent_invocations: calls } = read();
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
