import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardMutantsOf } from '../guard-mutants.ts';
import { breachesIn, GAMES, type Game, type Played, playsOf, TABLES } from './game.ts';

// Every guard of every row, taken out: the games notice, because the ledger or an invariant says otherwise. The guards of
// two-phase have their cases in tests/protocol-mutants.test.ts.
const SEED = 20_251_026;
const MOST = 1_500;

const subjects = GAMES.filter(({ name }) => name !== 'two-phase').flatMap((game) => {
  const plays = fc.sample(playsOf(game.length), { seed: SEED, numRuns: MOST });
  return [...new Set(Object.values(game.items))].map((table) => ({ game, table, plays }));
});

/** The first thing that is found to be wrong with a table of the game; '' when nothing is. */
function wrongWith(
  game: Game,
  plays: readonly Played[],
  table: string,
  mutant: (typeof TABLES)[string],
): string {
  for (const played of plays) {
    const [first] = breachesIn(game, { ...TABLES, [table]: mutant }, played, () => true);
    if (first !== undefined) return `${first.rule}: ${first.what}`;
  }
  return '';
}

describe.each(subjects)('$table with one guard less', ({ game, table, plays }) => {
  const protocol = TABLES[table];
  const mutants = protocol === undefined ? [] : guardMutantsOf(protocol);

  it('has guards at all', () => {
    expect(mutants.length).toBeGreaterThan(10);
  });

  it.each(mutants)('is found out: $name', ({ protocol: mutant }) => {
    expect(wrongWith(game, plays, table, mutant)).not.toBe('');
  });
});
