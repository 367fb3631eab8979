import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRow, itemStream } from '../../src/engine/handle.ts';
import { buildProgram, type Ended, inProcess, type Program } from '../terminal.ts';
import { runs } from '../thoroughness.ts';
import { type Crew, openCrew, TODO } from './crew.ts';
import { reach, TASK } from './walk.ts';

// Who holds a task, and the main working tree: real processes, and a person's word where one is needed.
const RACERS = Array.from({ length: 20 }, (_, n) => `race-${n}`);
const TASKS = ['task-a', 'task-b', 'task-c'];
const entry = (name: string) =>
  `\n## ${name}\n\n- **Purpose**: one\n- **Scope**: two\n- **Components**: three\n`;

let program: Program;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

async function crewOf(): Promise<Crew> {
  const crew = await openCrew({ files: { 'todo.md': TODO + TASKS.map(entry).join('') } });
  crew.session.at(new Date(Date.now() - 3_600_000).toISOString());
  return crew;
}

const started = ({ code }: Ended) => code === 0;

describe('races', () => {
  let crew: Crew;
  beforeAll(async () => {
    crew = await crewOf();
  });
  afterAll(() => crew.close());

  const all = (words: (racer: string, n: number) => readonly string[]) =>
    Promise.all(
      RACERS.map((racer, n) =>
        inProcess(program, crew.session, ['--actor', 'lead', '--json', ...words(racer, n)]),
      ),
    );

  test('PROTO-84: of twenty processes at three tasks one gets each; nobody else holds anything, and three worktrees are made', async () => {
    const taskOf = (n: number) => TASKS[n % TASKS.length] ?? '';
    await all((racer, n) => ['task', '--session', racer, 'check', taskOf(n)]);
    const ended = await all((racer, n) => ['task', '--session', racer, 'start', taskOf(n)]);
    for (const [k, task] of TASKS.entries())
      expect(
        ended.filter((e, n) => n % TASKS.length === k && started(e)),
        task,
      ).toHaveLength(1);
    for (const { code, out } of ended.filter((e) => !started(e))) {
      expect(code).not.toBe(1);
      const { hint, message } = (JSON.parse(out) as { error: { hint: string; message: string } }).error;
      expect(hint === '' ? message : hint).toMatch(/countersign|wait|try again/);
    }
    expect(crew.git(crew.session.repo.top, 'worktree', 'list').split('\n').filter(Boolean)).toHaveLength(4);
    const items = (await crew.session.say('', 'list')).data as unknown as { items: readonly unknown[] };
    expect(items.items).toHaveLength(3);
  });

  test('PROTO-72, PROTO-73: of twenty processes one gets the main working tree, nineteen do not', async () => {
    const ended = await all((racer) => ['lease', '--session', racer, 'take', 'main']);
    expect(ended.filter(started)).toHaveLength(1);
    for (const { out } of ended.filter((e) => !started(e)))
      expect((JSON.parse(out) as { error: { message: string } }).error.message).toMatch(
        /^the main worktree is held by session race-/,
      );
    const taken = await crew.session.with(({ ports }) => ports.store.read('lease/main'));
    expect(taken).toHaveLength(1);
  });
});

describe('the lease of the main working tree', () => {
  let crew: Crew;
  beforeAll(async () => {
    crew = await crewOf();
  });
  afterAll(() => crew.close());
  const lease = (id: string, ...words: readonly string[]) =>
    crew.say(crew.session.repo.top, 'lead', id, 'lease', ...words);

  test('PROTO-71: it says who holds it, for what and since when', async () => {
    expect((await lease('s-1', 'take', 'main', '--operation', 'holiday')).code).toBe(2);
    const { data } = await lease('s-1', 'take', 'main', '--operation', 'git-operation');
    expect(data).toMatchObject({
      kind: 'taken',
      holder: { session: 's-1', operation: 'git-operation', since: crew.session.now() },
    });
    expect(JSON.parse(readFileSync(join(crew.tasks, 'main/task.json'), 'utf8'))).toEqual({
      session_id: 's-1',
      task_name: 'main-worktree-operation',
      operation_type: 'git-operation',
      state: 'IN_PROGRESS',
      created_at: crew.session.now(),
    });
  });

  test('PROTO-74: whoever has it goes on; whoever has not learns who does, and waits', async () => {
    expect((await lease('s-1', 'take', 'main')).data).toMatchObject({ kind: 'own' });
    const other = await lease('s-2', 'take', 'main');
    expect(other.code).not.toBe(0);
    expect(other.error).toMatchObject({
      message: expect.stringContaining('held by session s-1 (lead'),
      hint: expect.stringContaining('wait for it, or take other work'),
    });
  });

  test('PROTO-75, PROTO-76: a stranger gives nothing back, the holder does', async () => {
    const refused = await lease('s-2', 'release', 'main');
    expect(refused.code).not.toBe(0);
    expect(refused.error.message).toContain('held by session s-1');
    expect((await lease('s-2', 'show', 'main')).data).toMatchObject({ holder: { session: 's-1' } });
    expect((await lease('s-1', 'release', 'main')).code).toBe(0);
    expect(existsSync(join(crew.tasks, 'main/task.json'))).toBe(false);
    expect((await lease('s-2', 'show', 'main')).data).toMatchObject({ holder: null });
    expect((await lease('s-2', 'release', 'main')).code).toBe(5);
  });

  test('a heartbeat is shown, and ends nothing by itself', async () => {
    await lease('s-1', 'take', 'main');
    expect((await lease('s-2', 'beat', 'main')).code).not.toBe(0);
    await lease('s-1', 'beat', 'main');
    const seen = crew.session.now();
    crew.session.at('2031-01-01T00:00:00Z');
    expect((await lease('s-2', 'show', 'main')).data).toMatchObject({
      holder: { session: 's-1', beat: seen },
    });
    expect((await lease('s-2', 'take', 'main')).code).not.toBe(0);
  });

  test('a person takes it away with their word on this very holder, which is used up', async () => {
    const held = await crew.shownForce('main', 'crashed');
    expect((await lease('s-1', 'release', 'main')).code).toBe(0);
    await lease('s-3', 'take', 'main');
    await expect(held()).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
    const again = await crew.shownForce('main', 'crashed');
    await again();
    expect((await lease('s-2', 'show', 'main')).data).toMatchObject({ holder: null });
    const told = await crew.session.text('', 'audit', 'verify');
    expect(told.out).toContain('clean');
  });
});

describe('a holder that was stopped', () => {
  const ROUNDS = runs(12, 200);

  test('R9: a task that changes hands between the look and the write: the write is refused', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const crew = await openCrew({
      wrap: (ports) => {
        const commit = ports.store.commit.bind(ports.store);
        const waits: typeof commit = async (asked) => {
          const first = meanwhile;
          meanwhile = undefined;
          await first?.();
          return commit(asked);
        };
        return { ...ports, store: Object.assign(ports.store, { commit: waits }) };
      },
    });
    try {
      await reach(crew, 'CLASSIFIED');
      const take = await crew.shownForce(TASK, 'it does not answer');
      meanwhile = async () => {
        await take();
        await crew.resumes('s-2');
      };
      const before = (await crew.session.events('T-1')).length;
      const late = await crew.go(
        'task',
        'assess',
        TASK,
        '--risk',
        'LOW',
        '--agents',
        'architect',
        '--reason',
        'r',
      );
      expect(late.code).not.toBe(0);
      expect(JSON.stringify(late.error)).toContain('held by session s-2');
      expect(await crew.session.events('T-1')).toHaveLength(before);
    } finally {
      crew.close();
    }
  });

  test('R9: one that goes on after its task was given to another writes nothing of it', async () => {
    const crew = await crewOf();
    try {
      await reach(crew, 'CLASSIFIED');
      const item = await crew.session.with(async ({ ports }) => itemStream((await findRow(ports, 'T-1')).id));
      let stale = 0;
      for (let round = 0; stale < ROUNDS; round++) {
        expect(round).toBeLessThan(4 * ROUNDS);
        const words = ['--actor', 'lead', '--json', 'task', '--session', 's-1', 'assess', TASK];
        const given = ['--risk', 'LOW', '--agents', 'architect', '--reason', `round ${round}`];
        const child = spawn(process.execPath, [program.path, ...words, ...given], {
          cwd: crew.code,
          env: crew.session.env,
          stdio: 'ignore',
        });
        const gone = new Promise<number | null>((resolve) => child.on('close', resolve));
        await pause((round * 17) % 150);
        child.kill('SIGSTOP');
        const isFree = await crew
          .shownForce(TASK, 'it does not answer')
          .then((take) => take())
          .then(
            () => true,
            (error: { readonly code: string }) => {
              if (error.code !== 'BUSY') throw error;
              return false;
            },
          );
        if (!isFree) {
          // Stopped in the middle of its write, it holds up every other: nothing is decided until it goes on.
          child.kill('SIGCONT');
          await gone;
          continue;
        }
        await crew.resumes('s-2');
        const since = (await crew.session.with(({ ports }) => ports.store.read(`lease/task/${TASK}`))).at(-1);
        child.kill('SIGCONT');
        const code = await gone;
        const late = (await crew.session.with(({ ports }) => ports.store.read(item))).filter(
          (e) => e.position > (since?.position ?? 0),
        );
        expect(late).toEqual([]);
        if (code !== 0) stale += 1;
        await (await crew.shownForce(TASK, 'back'))();
        await crew.resumes('s-1');
      }
      expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
    } finally {
      crew.close();
    }
  });
});
