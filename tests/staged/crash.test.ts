import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ports } from '../../src/engine/ports.ts';
import { dyingProcess } from '../dying-process.ts';
import { someOf } from '../thoroughness.ts';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { answered, commits, reach, TASK } from './walk.ts';

// R2 for tasks in stages: a process that dies before or after any write of store, git or files leaves a state that is
// explained, and the same words, said again, finish the work. From the fault on every call fails, as of a dead process.
const CHANGES = [
  ...[
    'addWorktree',
    'removeWorktree',
    'deleteBranch',
    'merge',
    'commitTree',
    'forward',
    'push',
    'writeFile',
    'removeFile',
  ],
] as const;

const { fault, watched, watching } = dyingProcess();

function wrap(ports: Ports): Ports {
  const { store, workspace } = ports;
  return {
    ...ports,
    store: Object.assign(store, { commit: watched('commit', store.commit.bind(store)) }),
    workspace: watching(workspace, CHANGES),
  };
}

interface Operation {
  readonly name: string;
  /** The state to stand in first. */
  readonly from: string;
  readonly words: readonly string[];
  /** Said again, it is done: what has to be true then. */
  readonly isDone: (crew: Crew) => boolean | Promise<boolean>;
  /** Back to where it was not done. */
  readonly undo: (crew: Crew) => Promise<void> | void;
  /** How many of its points are tried on each side. */
  readonly some: number;
  readonly prepare?: (crew: Crew) => Promise<void> | void;
  /** Where it is asked from, and before it a look that is needed first. */
  readonly atTop?: boolean;
}

const top = (crew: Crew) => crew.session.repo.top;
const git = (crew: Crew, ...args: string[]) => crew.git(top(crew), ...args);
const agentCode = (crew: Crew, agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
let landed = '';
let merged = '';

const OPERATIONS: readonly Operation[] = [
  {
    name: 'start',
    some: 6,
    from: '',
    words: ['task', 'start', TASK],
    atTop: true,
    prepare: async (crew) => {
      await crew.say(top(crew), 'lead', 's-1', 'task', 'check', TASK);
    },
    isDone: async (crew) =>
      existsSync(crew.code) &&
      (await crew.say(top(crew), 'lead', 's-1', 'task', 'show', TASK)).data.state === 'INIT',
    undo: async (crew) => {
      await crew.say(top(crew), 'lead', 's-1', 'lease', 'release', TASK);
      git(crew, 'worktree', 'remove', '-f', '-f', crew.code);
      git(crew, 'branch', '-D', '-q', TASK);
      rmSync(join(crew.tasks, TASK), { recursive: true, force: true });
      await crew.say(top(crew), 'lead', 's-1', 'task', 'check', TASK);
    },
  },
  {
    name: 'worktrees',
    some: 6,
    from: 'CLASSIFIED',
    words: ['task', 'worktrees', TASK],
    prepare: async (crew) => {
      const given = ['--risk', 'MEDIUM', '--agents', AGENTS.join(','), '--reason', 'r'];
      await crew.go('task', 'assess', TASK, ...given);
    },
    isDone: (crew) => AGENTS.every((agent) => existsSync(agentCode(crew, agent))),
    undo: (crew) => {
      for (const agent of AGENTS) {
        git(crew, 'worktree', 'remove', '-f', '-f', agentCode(crew, agent));
        git(crew, 'branch', '-D', '-q', `task-${TASK}-agent-${agent}`);
      }
    },
  },
  {
    name: 'merge',
    some: 4,
    from: 'IMPLEMENTATION',
    words: ['task', 'merge', TASK, 'architect'],
    prepare: async (crew) => {
      commits(crew, 'architect', { 'work.txt': 'done\n' });
      await answered(crew, 'architect');
      merged = crew.git(crew.code, 'rev-parse', 'HEAD').trim();
    },
    isDone: (crew) => existsSync(join(crew.code, 'work.txt')),
    undo: (crew) => void crew.git(crew.code, 'reset', '-q', '--hard', merged),
  },
  {
    name: 'land',
    some: 6,
    from: 'COMPLETE',
    words: ['task', 'land', TASK],
    prepare: (crew) => {
      landed = git(crew, 'rev-parse', 'main').trim();
    },
    isDone: async (crew) =>
      git(crew, 'rev-list', '--count', `${landed}..main`).trim() === '1' &&
      (await crew.say(top(crew), 'lead', '', 'lease', 'show', 'main')).data.holder === null,
    undo: (crew) => void git(crew, 'reset', '-q', '--hard', landed),
  },
];

describe.each(OPERATIONS)('a process that dies in task $name', (operation) => {
  let crew: Crew;
  beforeAll(async () => {
    Object.assign(fault, { at: 0, dead: false });
    crew = await openCrew({ wrap });
    if (operation.from !== '') await reach(crew, operation.from);
    await operation.prepare?.(crew);
  });
  afterAll(() => crew.close());

  const say = () =>
    operation.atTop === true
      ? crew.say(top(crew), 'lead', 's-1', ...operation.words)
      : crew.go(...operation.words);

  test('R2: leaves what is explained, and is finished by the same words', async () => {
    fault.calls = 0;
    expect((await say()).code).toBe(0);
    const calls = fault.calls;
    expect(calls).toBeGreaterThan(1);
    expect(await operation.isDone(crew)).toBe(true);
    let points = 0;
    for (const side of ['before', 'after'] as const)
      for (const at of someOf(
        Array.from({ length: calls }, (_, n) => n + 1),
        operation.some,
      )) {
        await operation.undo(crew);
        Object.assign(fault, { at, side, calls: 0, dead: false });
        const died = await say().catch(() => undefined);
        const point = `${side} call ${at} of ${calls}`;
        const hit = fault.dead;
        Object.assign(fault, { at: 0, dead: false });
        // A file that is as it should be is not written again: then there are fewer calls than at first.
        if (!hit) {
          expect(died?.code, point).toBe(0);
          continue;
        }
        points += 1;
        expect(died?.code, point).not.toBe(0);
        const shown = await crew.say(top(crew), 'lead', 's-1', 'task', 'check', TASK);
        expect(shown.data.selection, point).toMatch(/^(RESUME|PROCEED_WITH_INIT|ERROR)$/);
        const again = await say();
        expect(again.code, `${point}: ${again.out}`).toBe(0);
        expect(await operation.isDone(crew), point).toBe(true);
      }
    expect(points).toBeGreaterThanOrEqual(2);
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  });
});

test('R2: tidying up that died at any point is finished by the same words, and loses no paper', async () => {
  Object.assign(fault, { at: 0, dead: false });
  const crew = await openCrew({ wrap });
  try {
    await reach(crew, 'CLEANUP');
    const words = ['task', 'tidy', TASK] as const;
    const tidy = () => crew.say(top(crew), 'lead', 's-1', ...words);
    const kept = crew.session.repo.keep();
    try {
      Object.assign(fault, { at: 0, calls: 0, dead: false });
      expect((await tidy()).code).toBe(0);
      const calls = Array.from({ length: fault.calls }, (_, n) => n + 1);
      expect(calls.length).toBeGreaterThan(10);
      for (const side of ['before', 'after'] as const)
        for (const at of someOf(calls, 8)) {
          kept.restore();
          Object.assign(fault, { at, side, calls: 0, dead: false });
          const said = await tidy().catch(() => undefined);
          expect([side, at, fault.dead, said?.code === 0]).toEqual([side, at, true, false]);
          Object.assign(fault, { at: 0, dead: false });
          expect((await tidy()).code, `${side} call ${at}`).toBe(0);
          expect(existsSync(join(crew.tasks, TASK)), `${side} call ${at}`).toBe(false);
        }
    } finally {
      kept.remove();
    }
    expect((await tidy()).code).toBe(0);
    expect(git(crew, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(crew.tasks, TASK))).toBe(false);
    const archive = join(crew.tasks, '.archive', `${TASK}-s-1`);
    for (const name of [
      'audit-trail.json',
      'task.json',
      'task.md',
      ...AGENTS.map((a) => `${TASK}-${a}-requirements.md`),
    ])
      expect(existsSync(join(archive, name)), name).toBe(true);
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  } finally {
    crew.close();
  }
});
