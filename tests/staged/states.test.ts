import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { AGENTS, type Crew } from './crew.ts';
import { gateOf } from './gates.ts';
import { answered, commits, crewAt, PLANNED, reach, TASK } from './walk.ts';

let crew: Crew;
const top = () => crew.session.repo.top;
const state = async () => (await crew.go('task', 'show', TASK)).data.state;

/** Every state that a row of the table leads to from this one, whoever takes it. */
const targets = (from: string): readonly string[] => {
  const protocol = BUILT_IN.staged;
  const named = (list: readonly string[]) => list.flatMap((name) => protocol?.sets?.[name] ?? [name]);
  const to = (protocol?.rows ?? []).filter((row) => named(row.from).includes(from)).map((row) => row.to);
  return [...new Set(to)].filter((name) => name !== '@same').toSorted();
};

describe('where each state leads', () => {
  test.each([
    ['PROTO-02', 'INIT', ['CLASSIFIED']],
    ['PROTO-03', 'CLASSIFIED', ['REQUIREMENTS']],
    ['PROTO-04', 'REQUIREMENTS', ['CLASSIFIED', 'SYNTHESIS']],
    ['PROTO-05', 'SYNTHESIS', ['CLASSIFIED', 'IMPLEMENTATION', 'REQUIREMENTS']],
    ['PROTO-14', 'IMPLEMENTATION', ['SCOPE_NEGOTIATION', 'VALIDATION']],
    ['PROTO-07', 'VALIDATION', ['IMPLEMENTATION', 'REQUIREMENTS', 'REVIEW', 'SCOPE_NEGOTIATION']],
    ['PROTO-08', 'REVIEW', ['AWAITING_USER_APPROVAL', 'IMPLEMENTATION', 'REQUIREMENTS', 'SCOPE_NEGOTIATION']],
    ['PROTO-09', 'AWAITING_USER_APPROVAL', ['COMPLETE', 'IMPLEMENTATION']],
    ['PROTO-10', 'SCOPE_NEGOTIATION', ['IMPLEMENTATION', 'REVIEW', 'SYNTHESIS']],
    // Back to building only where it does not land (decision 0046).
    ['PROTO-11', 'COMPLETE', ['CLEANUP', 'IMPLEMENTATION']],
    ['PROTO-12', 'CLEANUP', []],
  ])('%s: %s leads to %j, and a person may stop it while it lives', (_, from, wanted) => {
    const stop = from === 'CLEANUP' ? [] : ['CANCELLED'];
    expect(targets(from)).toEqual([...wanted, ...stop].toSorted());
  });
});

describe('the scope', () => {
  beforeAll(async () => {
    crew = await crewAt('IMPLEMENTATION');
  });
  afterAll(() => crew.close());

  test('PROTO-10: it is negotiated with a reason, and only a person decides', async () => {
    expect((await crew.go('task', 'negotiate', TASK)).code).not.toBe(0);
    expect((await crew.go('task', 'negotiate', TASK, '--reason', 'it needs a calendar')).code).toBe(0);
    expect(await state()).toBe('SCOPE_NEGOTIATION');
    for (const command of ['change-scope', 'keep-scope', 'defer', 'cancel'])
      expect((await crew.go('task', command, TASK, '--reason', 'mine')).code, command).toBe(7);
    expect(await state()).toBe('SCOPE_NEGOTIATION');
  });

  test('PROTO-10: a scope that is kept leads on to building, one that changes to a new plan with a new approval', async () => {
    expect((await crew.decides('keep-scope', 'no calendar')).kind).toBe('done');
    expect(await state()).toBe('IMPLEMENTATION');
    await crew.go('task', 'negotiate', TASK, '--reason', 'again');
    expect((await crew.decides('change-scope', 'with a calendar')).kind).toBe('done');
    expect(await state()).toBe('SYNTHESIS');
    const refused = await crew.go('task', 'implement', TASK);
    expect(JSON.stringify(refused.error.missing)).toContain('plan-approval');
  });

  test('a task that a person stops is merged nowhere, and its branches with work are left', async () => {
    commits(crew, 'architect', { 'work.txt': 'half\n' });
    const before = crew.git(top(), 'rev-parse', 'main');
    expect((await crew.decides('cancel', 'not any more')).kind).toBe('done');
    const tidied = await crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
    expect(tidied.code).toBe(0);
    expect(tidied.data.left).toEqual([`task-${TASK}-agent-architect`]);
    expect(crew.git(top(), 'rev-parse', 'main')).toBe(before);
    const archive = join(crew.tasks, '.archive', `${TASK}-s-1`, 'task.json');
    expect(JSON.parse(readFileSync(archive, 'utf8'))).toMatchObject({
      state: 'CLEANUP',
      outcome: 'cancelled',
    });
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  });
});

describe('risk and agents', () => {
  beforeAll(async () => {
    crew = await crewAt('SYNTHESIS');
  });
  afterAll(() => crew.close());

  test('PROTO-18: the risk of paths goes by the rules, and the rule that counts is named', async () => {
    const risk = async (...paths: readonly string[]) =>
      (await crew.go('task', 'risk', ...paths)).data as unknown as {
        risk: string;
        reasons: readonly string[];
      };
    expect(await risk('src/auth/login.js', 'README.md')).toMatchObject({
      risk: 'HIGH',
      reasons: [
        expect.stringContaining('src/auth/login.js matches'),
        expect.stringContaining('README.md matches'),
      ],
    });
    expect((await risk('test/dates.test.js')).risk).toBe('MEDIUM');
    expect((await risk('docs/a.md')).risk).toBe('LOW');
  });

  test('PROTO-87: each chosen agent has its tree and branch in git', () => {
    const listed = crew.git(top(), 'worktree', 'list');
    for (const agent of AGENTS) {
      expect(listed).toContain(join(crew.tasks, TASK, 'agents', agent, 'code'));
      expect(listed).toContain(`[task-${TASK}-agent-${agent}]`);
    }
  });

  test('PROTO-20: an agent is called in the mode of the state', async () => {
    const trail = () =>
      (
        JSON.parse(readFileSync(join(crew.tasks, TASK, 'audit-trail.json'), 'utf8')) as {
          agent_invocations: readonly { agent_mode: string }[];
        }
      ).agent_invocations.at(-1)?.agent_mode;
    expect(trail()).toBe('requirements');
    await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    expect(trail()).toBe('synthesis');
    await crew.say(crew.code, 'architect', '', 'task', 'status', TASK, 'COMPLETE');
  });

  test('PROTO-279, PROTO-241: an agent without a place among the reports, or without its report, keeps the building from beginning', async () => {
    const gate = async () => JSON.stringify(await gateOf(crew, 'implement'));
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED(['architect', 'quality']));
    expect(await gate()).toContain('task.md holds nothing of tester');
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    expect(await gate()).not.toContain('holds nothing of');
    const report = join(crew.tasks, TASK, `${TASK}-tester-requirements.md`);
    const was = readFileSync(report, 'utf8');
    crew.write(report, '');
    expect(await gate()).toContain(`${TASK}-tester-requirements.md`);
    crew.write(report, was);
    expect(await gate()).not.toContain('requirements report');
  });

  test('PROTO-21: the branch of the task is named after it, and holds what each agent committed', async () => {
    await reach(crew, 'IMPLEMENTATION', 'IMPLEMENTATION');
    for (const agent of AGENTS) {
      commits(crew, agent, { [`${agent}.js`]: '1;\n' });
      await answered(crew, agent);
    }
    expect(JSON.stringify(await gateOf(crew, 'validate'))).toContain(
      `not merged: task-${TASK}-agent-architect`,
    );
    for (const agent of AGENTS) await crew.go('task', 'merge', TASK, agent);
    for (const agent of AGENTS)
      expect(crew.git(top(), 'branch', '--contains', `task-${TASK}-agent-${agent}`)).toContain(TASK);
    expect(crew.git(crew.code, 'branch', '--show-current').trim()).toBe(TASK);
  });
});

describe('a change that the user asks for', () => {
  beforeAll(async () => {
    crew = await crewAt('AWAITING_USER_APPROVAL');
  });
  afterAll(() => crew.close());

  test('PROTO-112: it leads back at once, and the log says why', async () => {
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'architect')).code).not.toBe(0);
    const said = await crew.go(
      'task',
      'request-change',
      TASK,
      '--reason',
      'the user requested changes: leap years',
    );
    expect(said.data.status).toBe('IMPLEMENTATION');
    const log = JSON.parse(readFileSync(join(crew.tasks, TASK, 'task.json'), 'utf8')).transition_log;
    expect(log.at(-1)).toMatchObject({
      from: 'AWAITING_USER_APPROVAL',
      to: 'IMPLEMENTATION',
      timestamp: crew.session.now(),
      reason: 'the user requested changes: leap years',
    });
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'architect')).code).toBe(0);
  });
});
