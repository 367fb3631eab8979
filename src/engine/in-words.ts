import { CATEGORIES } from '../kernel/protocol.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Handle } from './handle.ts';

/** Kinds of evidence whose name in the table is no noun of its own. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['quality', 'quality verdict'],
  ['inconclusive', 'inconclusive run'],
]);

/**
 * What a guard says, as people say it: categories as the states of the item's protocol that are of them, and kinds of
 * evidence as nouns.
 */
export function inWords({ protocol }: Pick<Handle, 'protocol'>, text: string): string {
  const states = (category: string) =>
    Object.entries(protocol.states)
      .filter(([, state]) => state.category === category)
      .map(([name]) => name)
      .join(' or ');
  return text
    .replace(/=([A-Z]+)\b/g, (whole, category: string) => states(category) || inWord(category, whole))
    .replace(
      /\b(an?|no|the|this) (quality|inconclusive)(?= (?:saying|says|asked|was|is|on|cannot)\b| \(|[;,]|$)/g,
      (_, article: string, kind: string) => `${article} ${SPOKEN.get(kind) ?? kind}`,
    );
}

/** A category of which this protocol has no state: members of other protocols may have one. */
const inWord = (category: string, whole: string): string =>
  (CATEGORIES as readonly string[]).includes(category) ? category.toLowerCase() : whole;

/** The same for verdicts of guards, in what they say and in what would help. */
export const verdictsInWords = (
  handle: Pick<Handle, 'protocol'>,
  verdicts: readonly Verdict[],
): readonly Verdict[] =>
  verdicts.map((v) => ({ ...v, because: inWords(handle, v.because), fix: inWords(handle, v.fix) }));
