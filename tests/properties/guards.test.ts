import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { guardMutantsOf } from '../guard-mutants.ts';
import { breachesIn, GAMES, type Game, type Played, playsOf, TABLES, TASK_ALONE } from './game.ts';
import { GOAL_CASES, TASK_CASES } from './guard-cases.ts';

// Every guard of every row, taken out: the games notice, because the ledger or an invariant says otherwise; where it takes
// too long to come there, a story. The guards of two-phase have their cases in tests/protocol-mutants.test.ts.
const SEED = 20_251_026;
const MOST = 600;

type Cases = typeof TASK_CASES;
const gameOf = (name: string) => GAMES.find((game) => game.name === name) as Game;
const SUBJECTS: readonly { readonly table: string; readonly game: Game; readonly cases: Cases }[] = [
  { table: 'lifecycle', game: gameOf('lifecycle'), cases: {} },
  { table: 'goal', game: gameOf('goals'), cases: GOAL_CASES },
  { table: 'goal-task', game: TASK_ALONE, cases: TASK_CASES },
];

/** The first thing that is found to be wrong with a table of the game; '' when nothing is. */
function wrongWith(game: Game, plays: readonly Played[], mutant: Protocol): string {
  for (const played of plays) {
    const [first] = breachesIn(game, { ...TABLES, [mutant.name]: mutant }, played, () => true);
    if (first !== undefined) return `${first.rule}: ${first.what}`;
  }
  return '';
}

describe.each(SUBJECTS)('$table with one guard less', ({ table, game, cases }) => {
  const protocol = TABLES[table] as Protocol;
  const mutants = guardMutantsOf(protocol);
  const plays = fc.sample(playsOf(game.length), { seed: SEED, numRuns: MOST });
  const told = mutants.filter(({ name }) => cases[name] !== undefined);
  const played = mutants.filter(({ name }) => cases[name] === undefined);

  it('has a case for none but its own guards', () => {
    expect(told.map(({ name }) => name).sort()).toEqual(Object.keys(cases).sort());
    expect(played.length).toBeGreaterThan(10);
  });

  it.each(played)('is found out in play: $name', ({ protocol: mutant }) => {
    expect(wrongWith(game, plays, mutant)).not.toBe('');
  });

  if (told.length > 0)
    it.each(told)('one story tells the two apart: $name', ({ name, protocol: mutant }) => {
      expect(cases[name]?.(protocol)).toMatchObject({ kind: 'refused', code: 'gate-closed' });
      expect(cases[name]?.(mutant)).toMatchObject({ kind: 'accepted' });
    });
});
