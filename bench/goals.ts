import { spawnSync } from 'node:child_process';
import { touch } from '../src/engine/draft.ts';
import type { Handle } from '../src/engine/handle.ts';
import { NEW_ITEM } from '../src/engine/new-item.ts';
import { noteOf } from '../src/engine/note-of.ts';
import { openItems } from '../src/engine/open.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { type Bench, type BenchSession, benchRepository, sessionOf } from './scratch/repository.ts';

const GOALS = 10_000;
const TASKS = 10;
const ROUNDS = 31;
const WARM_UP = 3;
const AT_ONCE = 50;

/**
 * Whole processes on a store with 10,000 goals of ten tasks each, all of them past the allowance of their state:
 * `goal status`, `next` and `list --stuck`, against the same program that only says its version. The value is what the
 * question costs beyond that start, as the median of the rounds' own differences.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository({
    '.countersign/config.yaml': 'allowances: {goal-task: {pending: 60}}\n',
  });
  try {
    const began = Date.now() - 86_400_000;
    const session = await sessionOf(bench, { clock: () => new Date(began) });
    for (let made = 0; made < GOALS; made += AT_ONCE) await addGoals(session, AT_ONCE);
    await session.ports.store.close();
    const programs: readonly (readonly [string, readonly string[]])[] = [
      ['start', ['--version']],
      ['goal status', ['goal', 'status', 'GOAL-2201']],
      ['next', ['next']],
      ['list --stuck', ['list', '--stuck']],
    ];
    const times = new Map(programs.map(([name]) => [name, [] as number[]]));
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const [name, words] of programs) {
        const milliseconds = run(bench, [options.bin, ...words]);
        if (round >= WARM_UP) times.get(name)?.push(milliseconds);
      }
    }
    const bare = times.get('start') ?? [];
    return programs.slice(1).map(([name]) => {
      const value = median((times.get(name) ?? []).map((milliseconds, n) => milliseconds - (bare[n] ?? 0)));
      const unit = `ms beyond its start, ${GOALS} goals of ${TASKS} tasks`;
      return figure({ figure: `goals ${name}`, n: ROUNDS, value, unit, goal: 'value < 20' }, options);
    });
  } finally {
    bench.remove();
  }
}

/** Goals with their tasks, each linked as the command `link` would: both sides say so, in one write. */
async function addGoals({ ports, caller }: BenchSession, count: number): Promise<void> {
  const wanted = (protocol: string, title: string) => ({ ...NEW_ITEM, protocol, title });
  const items = Array.from({ length: count }, (_, n) => [
    wanted('goal', `Goal ${n}`),
    ...Array.from({ length: TASKS }, (__, t) => wanted('goal-task', `Task ${t}`)),
  ]);
  await openItems(ports, caller, items.flat(), (write, opened) => {
    const at = write.at;
    for (let first = 0; first < opened.length; first += TASKS + 1) {
      const [goal, ...tasks] = opened.slice(first, first + TASKS + 1) as [Handle, ...Handle[]];
      for (const task of tasks) {
        const policy = task.protocol.policies.find(({ tell }) => tell === 'goal');
        if (policy === undefined) throw new Error('a task tells its goal nothing');
        touch(write, task, [{ type: 'linked', at, by: caller.actor.id, kind: 'goal', to: goal.id }]);
        touch(write, goal, [noteOf(task, { ...policy, moves: [] }, at)]);
      }
    }
  });
}

function run({ top, env }: Bench, words: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: top, env, encoding: 'utf8' });
  const milliseconds = performance.now() - began;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return milliseconds;
}
