import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../thoroughness.ts';
import { breachesIn, GAMES, playsOf, TABLES } from './game.ts';

const SEED = 20_251_024;
const ROWS: { readonly [game: string]: string } = { lifecycle: 'LIFE-92, LIFE-93: ' };

describe.each(GAMES)('random play of $name', (game) => {
  it(`${ROWS[game.name] ?? ''}keeps to the ledger and to the invariants, whoever tries whatever`, () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(playsOf(game.length), (played) => {
        const found = breachesIn(game, TABLES, played, undefined, ({ event, piece }) => {
          if (event.type === 'moved') reached.add(`${piece.table.name} ${event.to}`);
        });
        expect(found).toEqual([]);
      }),
      { seed: SEED, numRuns: runs(80, 250) },
    );
    const states = [...new Set(Object.values(game.items))].flatMap((name) =>
      Object.keys(TABLES[name]?.states ?? {})
        .filter((state) => state !== TABLES[name]?.initial)
        .map((state) => `${name} ${state}`),
    );
    expect([...reached]).toEqual(expect.arrayContaining(states));
  });
});
