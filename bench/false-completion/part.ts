import type { Story } from './process/story.ts';
import { FAMILIES, type Scenario } from './scenario.ts';

/** What is told: scenarios, stories, and whether the overhead. */
export interface Part {
  readonly scenarios: readonly Scenario[];
  readonly stories: readonly Story[];
  readonly overhead: boolean;
}

/**
 * The part that words name: `S4,endless,overhead` are families, stories, and parts. With a family come the honest ones of its
 * kind, so that it is known what it costs: false accepts without false blocks say nothing. Throws where nothing is so named.
 */
export function partOf(words: string | undefined, all: Part, given: readonly Scenario[] = []): Part {
  if (words === undefined || words === '') return all;
  const named = words.split(',');
  const families = FAMILIES.filter((family) => family !== 'H' && named.includes(family));
  const isNamed = (one: Scenario | Story, more: readonly string[]) =>
    named.some((word) => [one.id, one.family, ...more].includes(word));
  const withHonest = <T extends Scenario | Story>(
    every: readonly T[],
    more: (one: T) => readonly string[],
  ) => {
    const asked = every.some(({ family }) => families.includes(family));
    return every.filter((one) => isNamed(one, more(one)) || (asked && one.family === 'H'));
  };
  const scenarios = withHonest(all.scenarios, (one) => (given.includes(one) ? ['given'] : []));
  const stories = withHonest(all.stories, () => ['stories']);
  if (scenarios.length + stories.length === 0 && !named.includes('overhead'))
    throw new Error(`nothing is named ${words}`);
  return { scenarios, stories, overhead: named.includes('overhead') };
}
