import { type Figure, figure, type MeasureOptions } from './figure.ts';
import { playSeeds } from './simulation/crowd.ts';
import { MUTANTS, seedsUntilTold } from './simulation/mutants.ts';
import { scheduleOf } from './simulation/schedule.ts';
import { againWith, shrunk, toldOf } from './simulation/shrink.ts';

const SCHEDULES = 20_000;
const MOST_FOR_A_MUTANT = 200;
const SHOWN = 5;

/**
 * Seeded schedules over the real engine and its store, in a world that fails (docs/simulation.md): how many broke an
 * invariant, and how many mutants each invariant tells. `COUNTERSIGN_SEED=N` plays one seed again and tells all of it,
 * `COUNTERSIGN_SCHEDULES=N` another number of them.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const seed = Number(process.env.COUNTERSIGN_SEED ?? 0);
  if (seed > 0) return [await again(seed, options)];
  const count = Number(process.env.COUNTERSIGN_SCHEDULES ?? SCHEDULES);
  const began = Date.now();
  const played = await playSeeds(options.root, 1, count);
  const seconds = (Date.now() - began) / 1_000;
  const broken = played.filter(({ broken }) => broken !== '');
  for (const { seed, broken: because } of broken)
    console.error(`seed ${seed}: ${because}\n  ${againWith(seed)}`);
  for (const { seed } of broken.slice(0, SHOWN)) console.error(toldOf(seed, await shrunk(scheduleOf(seed))));
  const sum = (of: 'events' | 'requests' | 'steps') => played.reduce((all, one) => all + one[of], 0);
  const told = await mutantsTold();
  return [
    ['simulate, schedules', count, broken.length, 'broken', 'value = 0'],
    ['simulate, requests', count, sum('requests'), 'requests', null],
    ['simulate, steps', count, sum('steps'), 'steps', null],
    [
      'simulate, states reached',
      count,
      new Set(played.flatMap(({ reached }) => reached)).size,
      'states',
      null,
    ],
    ['simulate, rate', count, count / seconds, 'schedules/s', null],
    ['simulate, mutants', MUTANTS.length, told, 'told', `value = ${MUTANTS.length}`],
  ].map(([name, n, value, unit, goal]) =>
    figure(
      {
        figure: String(name),
        n: Number(n),
        value: Number(value),
        unit: String(unit),
        goal: goal as string | null,
      },
      options,
    ),
  );
}

async function mutantsTold(): Promise<number> {
  let told = 0;
  for (const mutant of MUTANTS) {
    const seeds = await seedsUntilTold(mutant, MOST_FOR_A_MUTANT);
    if (seeds > 0) told += 1;
    else console.error(`not told in ${MOST_FOR_A_MUTANT} schedules: ${mutant.name} (${mutant.invariant})`);
  }
  return told;
}

async function again(seed: number, options: MeasureOptions): Promise<Figure> {
  const result = await shrunk(scheduleOf(seed));
  console.error(toldOf(seed, result));
  if (result.broken === undefined) console.error(result.story.map((line) => `  ${line}`).join('\n'));
  const value = result.broken === undefined ? 0 : 1;
  return figure(
    { figure: `simulate, seed ${seed}`, n: 1, value, unit: 'broken', goal: 'value = 0' },
    options,
  );
}
