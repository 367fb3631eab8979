import { join } from 'node:path';
import { type Floor, floorDatabase } from './commits/floor.ts';
import { commitMove, MOVES, readItems, transition } from './commits/pair.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { addItems, type BenchSession, benchRepository, sessionOf } from './scratch/repository.ts';

const ROUNDS = 15;
/** Items of a block; each is moved out and back. */
const ITEMS = 100;

interface Round {
  readonly raw: number;
  readonly commits: number;
  readonly transitions: number;
}

/**
 * Durable transitions a second. `commits` is the store's share (head, kernel, append, view), `transitions` the whole
 * walk of the engine. The floor writes the same rows with the bare library, equally durable. The three take turns,
 * and each ratio is the median of the rounds' own ratios.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  const floor = floorDatabase(join(bench.repository.root, 'floor.db'));
  try {
    const session = await sessionOf(bench);
    const rounds: Round[] = [];
    // The first round warms up: code, statements, logs.
    for (let n = 0; n <= ROUNDS; n++) {
      const round = await oneRound(session, floor);
      if (n > 0) rounds.push(round);
    }
    await session.ports.store.close();
    return [
      rated(
        'commits',
        rounds.map(({ commits, raw }) => ({ own: commits, raw })),
        options,
        'ratio >= 0.8',
      ),
      rated(
        'transitions',
        rounds.map(({ transitions, raw }) => ({ own: transitions, raw })),
        options,
        null,
      ),
    ];
  } finally {
    floor.close();
    bench.remove();
  }
}

/** The three take every step in turn, so that a slow moment of the disk meets all of them. */
async function oneRound(session: BenchSession, floor: Floor): Promise<Round> {
  const block = await readItems(session, await addItems(session, ITEMS));
  const walked = await addItems(session, ITEMS);
  const spent = { commits: 0, raw: 0, transitions: 0 };
  const timed = async <T>(name: keyof typeof spent, step: () => Promise<T> | T): Promise<T> => {
    const began = performance.now();
    const value = await step();
    spent[name] += performance.now() - began;
    return value;
  };
  for (const move of MOVES) {
    for (let n = 0; n < ITEMS; n++) {
      const rows = await timed('commits', () => commitMove(session, block, n, move));
      await timed('raw', () => floor.write(rows));
      await timed('transitions', () => transition(session, walked[n] ?? '', move));
    }
  }
  const rate = (milliseconds: number) => (MOVES.length * ITEMS * 1_000) / milliseconds;
  return { commits: rate(spent.commits), raw: rate(spent.raw), transitions: rate(spent.transitions) };
}

/** The floor is stated so that value / floor is the median of the ratios within each round. */
function rated(
  name: string,
  rounds: readonly { readonly own: number; readonly raw: number }[],
  options: MeasureOptions,
  goal: string | null,
): Figure {
  const value = median(rounds.map(({ own }) => own));
  const ratio = median(rounds.map(({ own, raw }) => own / raw));
  const floor = { name: 'bare better-sqlite3', value: value / ratio };
  const n = rounds.length * ITEMS * MOVES.length;
  return figure({ figure: name, n, value, unit: 'durable transitions/s', floor, goal }, options);
}
