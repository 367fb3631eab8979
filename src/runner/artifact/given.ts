import type { CheckContext } from '../checks/check.ts';
import { type Example, parseAcceptance, type Unchanged } from './examples.ts';

/** Where examples come from. What came with the item is not for the builder's eyes: results show no values of it. */
export type Origin = 'base' | 'item';

export interface GivenExample {
  readonly example: Example;
  readonly origin: Origin;
  /** Whether nobody of the builder's lineage has written it: only then a pass shows acceptance. */
  readonly independent: boolean;
}

export interface Given {
  readonly examples: readonly GivenExample[];
  readonly unchanged: readonly { readonly input: Unchanged; readonly origin: Origin }[];
}

/**
 * All examples: those of a file of base ('' where the criteria name none), and those
 * that came with the item. A text says why they cannot be told.
 */
export async function givenExamples(
  path: string,
  context: Pick<CheckContext, 'change' | 'acceptance' | 'acceptanceIndependent'>,
): Promise<Given | string> {
  const sources: { readonly origin: Origin; readonly bytes: Buffer; readonly name: string }[] = [];
  if (path !== '') {
    if (context.change === undefined) return `without a base commit there is no ${path} to go by`;
    const bytes = await context.change.before(path);
    if (bytes === undefined) return `base has no ${path}`;
    sources.push({ origin: 'base', bytes, name: path });
  }
  if (context.acceptance !== undefined)
    sources.push({ origin: 'item', bytes: context.acceptance, name: "the item's examples" });
  const [examples, unchanged]: [Given['examples'][number][], Given['unchanged'][number][]] = [[], []];
  for (const { origin, bytes, name } of sources) {
    const read = await parseAcceptance(bytes);
    if ('problems' in read) return `${name} cannot be used: ${read.problems.slice(0, 50).join('; ')}`;
    const independent = origin === 'base' || context.acceptanceIndependent;
    examples.push(...read.examples.map((example) => ({ example, origin, independent })));
    unchanged.push(...read.unchanged.map((input) => ({ input, origin })));
  }
  return { examples, unchanged };
}
