import { beforeAll, describe, expect, it } from 'vitest';
import { AT_THE_END, INVARIANTS } from '../../bench/simulation/invariants/index.ts';
import { MUTANTS, seedsUntilTold } from '../../bench/simulation/mutants.ts';
import { play, type Result } from '../../bench/simulation/run.ts';
import { scheduleOf } from '../../bench/simulation/schedule.ts';
import { shrunk, toldOf } from '../../bench/simulation/shrink.ts';
import { runs } from '../thoroughness.ts';

// R4: the real engine and its store, in a world that fails. The full size is `npm run bench -- simulate`.
const SCHEDULES = runs(200, 1_000);
const MOST_FOR_A_MUTANT = 120;

/** What has to have happened in so many schedules, else they show little. */
const REACHED = [
  ...['two-phase verified', 'two-phase completed', 'two-phase blocked', 'lifecycle approved'],
  ...['lifecycle cto_intervention', 'goal-task verified', 'goal pending_verify'],
  ...['staged COMPLETE', 'staged CLEANUP', 'phase APPROVED', 'phase REJECTED', 'reviewer dead'],
];

describe(`${SCHEDULES} seeded schedules`, () => {
  const results: Result[] = [];
  beforeAll(async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) results.push(await play(scheduleOf(seed)));
  });

  it('R4: every invariant holds after every step', async () => {
    const [first] = results.filter(({ broken }) => broken !== undefined);
    if (first !== undefined) {
      const { seed } = first.schedule;
      expect.fail(toldOf(seed, await shrunk(scheduleOf(seed))));
    }
    expect(results).toHaveLength(SCHEDULES);
  });

  it('come to the ends of every protocol, by requests that are taken, refused and disturbed', () => {
    const reached = new Set(results.flatMap((result) => result.reached));
    expect(REACHED.filter((state) => !reached.has(state))).toEqual([]);
    for (const how of ['done', 'refused', 'failed'] as const)
      expect(results.reduce((sum, { answers }) => sum + answers[how], 0)).toBeGreaterThan(200);
    const story = results.flatMap((result) => result.story).join('\n');
    for (const fault of [
      'lost answer',
      'not written',
      'busy',
      'conflict',
      'is killed',
      'the process died at',
    ])
      expect(story).toContain(fault);
  });

  it('happen the same way once more', async () => {
    for (const { schedule, story } of results.slice(0, 10))
      expect((await play(schedule)).story).toEqual(story);
  });
});

describe('the invariants', () => {
  it('each have a mutant', () => {
    const told = new Set(MUTANTS.map(({ invariant }) => invariant));
    expect([...told].sort()).toEqual([...Object.keys(INVARIANTS), ...Object.keys(AT_THE_END)].sort());
  });

  it.each(MUTANTS)('$invariant tells of $name', async (mutant) => {
    expect(await seedsUntilTold(mutant, MOST_FOR_A_MUTANT)).toBeGreaterThan(0);
  });
});

it('a schedule that goes wrong is told with fewer steps, and with the command that plays it again', async () => {
  const mutant = MUTANTS.find(({ name }) => name === 'boards that count another failure');
  const schedule = scheduleOf(6);
  const short = await shrunk(schedule, mutant?.meddling);
  expect(short.broken?.invariant).toBe('viewsAreTheFold');
  expect(short.schedule.steps.length).toBeLessThan(schedule.steps.length / 5);
  expect(toldOf(6, short)).toContain('COUNTERSIGN_SEED=6 npm run bench -- simulate');
});
