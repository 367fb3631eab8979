import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { type Crew, openCrew } from './crew.ts';
import { approved, crewAt, reach, TASK } from './walk.ts';

const read = (crew: Crew, name: string) =>
  JSON.parse(readFileSync(join(crew.tasks, TASK, name), 'utf8')) as { readonly [key: string]: never };

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('PROTO-01: the states are these, and no other is stored', () => {
  expect(Object.keys(BUILT_IN.staged?.states ?? {})).toEqual([
    ...['INIT', 'CLASSIFIED', 'REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION', 'VALIDATION', 'REVIEW'],
    ...['AWAITING_USER_APPROVAL', 'SCOPE_NEGOTIATION', 'COMPLETE', 'CLEANUP', 'CANCELLED'],
  ]);
  expect(Object.keys(BUILT_IN.staged?.states ?? {})).not.toContain('DONE');
});

describe('a task that waits for the user', () => {
  let crew: Crew;
  beforeAll(async () => {
    crew = await openCrew();
    const remote = join(crew.tasks, '../origin.git');
    crew.git(crew.session.repo.top, 'init', '-q', '--bare', remote);
    crew.git(crew.session.repo.top, 'remote', 'add', 'origin', remote);
    await reach(crew, 'AWAITING_USER_APPROVAL');
  });
  afterAll(() => crew.close());

  test('PROTO-25, PROTO-26: state.json has its keys, each of its type', () => {
    const state = read(crew, 'state.json');
    expect(state).toEqual({
      current_state: 'AWAITING_USER_APPROVAL',
      session_id: 's-1',
      task_name: TASK,
      risk_level: 'MEDIUM',
      required_agents: ['architect', 'quality', 'tester'],
      evidence: expect.any(Object),
      transition_log: expect.any(Array),
    });
  });

  test('PROTO-27, PROTO-28, PROTO-29, PROTO-30: its evidence is the reports, the built commits, the green run and the verdicts', async () => {
    const { evidence } = read(crew, 'state.json') as unknown as {
      evidence: {
        REQUIREMENTS: string[];
        IMPLEMENTATION: string[];
        VALIDATION: string[];
        REVIEW: Record<string, string>;
      };
    };
    expect(evidence.REQUIREMENTS).toEqual(
      ['architect', 'quality', 'tester'].map((agent) => `${TASK}-${agent}-requirements.md`),
    );
    expect(evidence.IMPLEMENTATION).toHaveLength(3);
    const kept = await crew.session.with(({ ports }) =>
      Promise.resolve(evidence.IMPLEMENTATION.map((hash) => String(ports.evidence.get(hash)))),
    );
    for (const [n, hash] of evidence.IMPLEMENTATION.entries()) {
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(kept[n]).toContain(`[agent:${['architect', 'quality', 'tester'][n]}]`);
    }
    expect(evidence.VALIDATION).toEqual([expect.stringMatching(ISO)]);
    expect(evidence.REVIEW).toEqual({ architect: 'APPROVED', quality: 'APPROVED', tester: 'APPROVED' });
  });

  test('PROTO-31: each entry of its log has from, to, the time and the evidence', () => {
    const log = read(crew, 'state.json').transition_log as unknown as readonly object[];
    expect(log[0]).toEqual({
      from: 'INIT',
      to: 'CLASSIFIED',
      timestamp: expect.stringMatching(ISO),
      evidence: expect.stringContaining('session: s-1'),
    });
    for (const entry of log) expect(entry).toMatchObject({ evidence: expect.stringMatching(/./) });
  });

  test('PROTO-98, PROTO-100, PROTO-101, PROTO-103: task.json is the lock: session, task, state, time and every transition in order', () => {
    const lock = read(crew, 'task.json');
    expect(lock).toMatchObject({
      session_id: 's-1',
      task_name: TASK,
      state: 'AWAITING_USER_APPROVAL',
      created_at: expect.stringMatching(ISO),
    });
    const log = lock.transition_log as unknown as readonly { from: string; to: string; timestamp: string }[];
    expect(log.map(({ to }) => to)).toEqual([
      ...['CLASSIFIED', 'REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION', 'VALIDATION', 'REVIEW'],
      'AWAITING_USER_APPROVAL',
    ]);
    for (const [n, { from, timestamp }] of log.entries()) {
      expect(from).toBe(n === 0 ? 'INIT' : log[n - 1]?.to);
      expect(timestamp > (log[n - 1]?.timestamp ?? '')).toBe(true);
    }
  });

  test('PROTO-09, PROTO-106, PROTO-107, PROTO-108, PROTO-109: the branch is pushed, and the checkpoint and what is shown name its commit', async () => {
    const head = crew.git(crew.code, 'rev-parse', 'HEAD').trim();
    expect(crew.git(crew.session.repo.top, 'ls-remote', 'origin', TASK)).toContain(head);
    expect(read(crew, 'task.json').checkpoint).toEqual({
      type: 'USER_APPROVAL_POST_REVIEW',
      commit_sha: head,
      presented_at: expect.stringMatching(ISO),
      approved: false,
    });
    const told = await crew.shown();
    for (const part of [`The branch ${TASK}`, 'pushed for review', head, `origin/${TASK}`])
      expect(told).toContain(part);
    const shown = (await crew.go('task', 'gate', TASK)).data as unknown as { to: string };
    expect(shown.to).toBe('COMPLETE');
  });

  test('PROTO-110, PROTO-111: without the user’s word it is not complete, and an agent’s word is none', async () => {
    expect((await crew.say(crew.code, 'lead', 's-1', 'task', 'approve', TASK)).code).not.toBe(0);
    expect((await crew.say(crew.code, 'architect', '', 'task', 'approve', TASK)).code).not.toBe(0);
    writeFileSync(
      join(crew.tasks, TASK, 'task.json'),
      JSON.stringify({ ...read(crew, 'task.json'), checkpoint: { approved: true } }),
    );
    const refused = await crew.go('task', 'complete', TASK);
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused.error)).toContain('checkpoint');
    await approved(crew);
    await crew.go('task', 'show', TASK);
    expect(read(crew, 'task.json').checkpoint).toMatchObject({ approved: true });
  });

  test('PROTO-118: a change that is asked for voids the word on the commit', async () => {
    const back = await crew.go('task', 'request-change', TASK, '--reason', 'the user requested changes');
    expect(back.data.status).toBe('IMPLEMENTATION');
    expect((await crew.go('task', 'complete', TASK)).code).not.toBe(0);
    expect(read(crew, 'task.json').transition_log as unknown as readonly object[]).toContainEqual(
      expect.objectContaining({
        from: 'AWAITING_USER_APPROVAL',
        to: 'IMPLEMENTATION',
        timestamp: expect.stringMatching(ISO),
        reason: 'the user requested changes',
      }),
    );
  });
});

describe('steps and their place in the order', () => {
  let crew: Crew;
  afterEach(() => crew.close());

  test('PROTO-96, PROTO-97: nothing moves a task that nobody holds, or somebody else, and no file is made for it', async () => {
    crew = await crewAt('CLASSIFIED');
    const words = ['task', 'assess', TASK, '--risk', 'LOW', '--agents', 'architect', '--reason', 'r'];
    const foreign = await crew.say(crew.code, 'lead', 's-2', ...words);
    expect(JSON.stringify(foreign.error)).toContain('held by session s-1');
    await crew.say(crew.code, 'lead', 's-1', 'lease', 'release', TASK);
    rmSync(join(crew.tasks, TASK, 'task.json'));
    const free = await crew.go(...words);
    expect(free.code).not.toBe(0);
    expect(JSON.stringify(free.error)).toContain('nobody holds the task');
    expect((await crew.session.events('T-1')).at(-1)).toMatchObject({ to: 'CLASSIFIED' });
  });

  test('PROTO-22, PROTO-102, PROTO-104: no stage is skipped', async () => {
    crew = await crewAt('CLASSIFIED');
    for (const command of ['synthesize', 'implement', 'validate', 'present', 'complete', 'clean']) {
      const refused = await crew.go('task', command, TASK);
      expect(refused.code, command).not.toBe(0);
    }
    expect(JSON.stringify((await crew.go('task', 'synthesize', TASK)).error)).toContain(
      'gather the requirements',
    );
    expect((await crew.session.events('T-1')).at(-1)).toMatchObject({ to: 'CLASSIFIED' });
  });

  test('PROTO-99, PROTO-105: what a reader sees of a task is whole at any moment', async () => {
    crew = await crewAt('CLASSIFIED');
    const seen = new Set<string>();
    const words = ['task', 'assess', TASK, '--risk', 'LOW', '--agents', 'architect', '--reason', 'again'];
    const writing = (async () => {
      for (let n = 0; n < 15; n++) await crew.go(...words);
    })();
    let isOver = false;
    void writing.then(() => {
      isOver = true;
    });
    while (!isOver) {
      seen.add(String(read(crew, 'task.json').state));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    expect([...seen]).toEqual(['CLASSIFIED']);
  });
});
