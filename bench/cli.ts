import { spawnSync } from 'node:child_process';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { addItems, type Bench, benchRepository, sessionOf } from './scratch/repository.ts';

const ITEMS = 10_000;
const ROUNDS = 31;
const WARM_UP = 3;

interface Program {
  readonly name: string;
  readonly words: (round: number) => readonly string[];
}

/**
 * Whole processes, started in turn so that a slow moment of the machine meets all of them: `next` and `claim` on a
 * repository with 10,000 items, against a Node that does nothing. Ratios are medians of the
 * rounds' own.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  try {
    const session = await sessionOf(bench);
    await addItems(session, ITEMS);
    await session.ports.store.close();
    const programs: readonly Program[] = [
      { name: 'node', words: () => ['-e', '0'] },
      { name: 'next', words: () => [options.bin, 'next'] },
      { name: 'claim', words: (round) => [options.bin, 'claim', `T-${round + 1}`] },
    ];
    const times = new Map(programs.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const { name, words } of programs) {
        const milliseconds = run(bench, words(round));
        if (round >= WARM_UP) times.get(name)?.push(milliseconds);
      }
    }
    const bare = times.get('node') ?? [];
    const rated = (name: string, goal: string) => {
      const own = times.get(name) ?? [];
      const value = median(own);
      const ratio = median(own.map((milliseconds, n) => milliseconds / (bare[n] ?? 0)));
      const unit = `ms a process, ${ITEMS} items`;
      const floor = { name: 'node -e 0', value: value / ratio };
      return figure({ figure: `cli ${name}`, n: ROUNDS, value, unit, floor, goal }, options);
    };
    return [rated('next', 'ratio <= 1.6'), rated('claim', 'ratio <= 2.5')];
  } finally {
    bench.remove();
  }
}

function run({ top, env }: Bench, words: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: top, env, encoding: 'utf8' });
  const milliseconds = performance.now() - began;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return milliseconds;
}
