import { describe, expect, it } from 'vitest';
import { partOf } from '../bench/false-completion/part.ts';
import { STORIES } from '../bench/false-completion/process/index.ts';
import { SCENARIOS } from '../bench/false-completion/scenarios/index.ts';

const ALL = { scenarios: SCENARIOS, stories: STORIES, overhead: true };
const familiesIn = (all: readonly { readonly family: string }[]) =>
  [...new Set(all.map(({ family }) => family))].sort();

describe('a part of the bench of false completions', () => {
  it('has the honest ones of its kind, so that false blocks are counted wherever false accepts are', () => {
    const work = partOf('S4', ALL);
    expect([familiesIn(work.scenarios), familiesIn(work.stories)]).toEqual([['H', 'S4'], []]);
    const words = partOf('S5,S6', ALL);
    expect([familiesIn(words.scenarios), familiesIn(words.stories)]).toEqual([[], ['H', 'S5', 'S6']]);
  });

  it('is no more than the stories that are named by themselves', () => {
    expect(partOf('endless', ALL)).toMatchObject({
      scenarios: [{ id: 'endless' }],
      stories: [],
      overhead: false,
    });
    expect(partOf('overhead', ALL)).toEqual({ scenarios: [], stories: [], overhead: true });
    expect(partOf('', ALL)).toEqual(ALL);
    expect(() => partOf('nobody', ALL)).toThrow('nothing is named nobody');
  });
});
