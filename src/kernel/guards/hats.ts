import type { Context } from '../context.ts';
import { judged, type Verdict } from '../verdict.ts';

/**
 * Which hats may not be worn by one actor on one item. A hat is a mark: whoever is marked as reviewer wears that hat.
 * The pairs are pinned when the item is opened (setting `hats`, 'builder-tester reviewer-tester'); unless they are, the
 * ones of the guard hold. With `relaxed`, pairs that the guard names there do not count (GOAL-33, CG-03).
 */
export interface Hats {
  readonly guard: 'hats';
  /** The hat that taking the row puts on. */
  readonly wearing: string;
  /** Pairs as 'one-other', where the item pins none. */
  readonly pairs: readonly string[];
  readonly relaxed: readonly string[];
}

export const hats = (wearing: string, pairs: readonly string[], relaxed: readonly string[] = []): Hats => ({
  guard: 'hats',
  wearing,
  pairs,
  relaxed,
});

export function checkHats({ guard, wearing, pairs, relaxed }: Hats, { item, command }: Context): Verdict {
  const pinned = item.settings.hats;
  const all = typeof pinned === 'string' ? pinned.split(' ').filter((pair) => pair !== '') : pairs;
  const rules = all.filter((pair) => !relaxed.includes(pair));
  const worn = rules.flatMap((rule) => {
    const [one = '', other = ''] = rule.split('-');
    const clash = one === wearing ? other : other === wearing ? one : '';
    return clash !== '' && (item.marks[clash] ?? []).includes(command.actor.id) ? [{ rule, clash }] : [];
  });
  const [first] = worn;
  const because =
    first === undefined
      ? `no hat of ${command.actor.id} here clashes with ${wearing}`
      : `${command.actor.id} wears the hat ${first.clash} on this item, and the rule ${first.rule} forbids ${wearing} beside it`;
  return judged(guard, first === undefined, because, `somebody who is not its ${first?.clash ?? wearing}`);
}
