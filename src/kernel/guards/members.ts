import type { Context } from '../context.ts';
import { judged, type Verdict } from '../verdict.ts';
import type { Share } from './votes.ts';

/**
 * How many members of a group are in one of the states. A name starting with '=' is a category
 * ('=CONFIRMED'), so that items of different protocols can be counted together.
 */
export interface Members {
  readonly guard: 'members';
  readonly group: string;
  readonly in: readonly string[];
  readonly share: Share;
  /** The group must have this many members at all (for 'some': this many must match). */
  readonly atLeast: number;
  /** Subject that the member must have been asked about; '' = any. A late answer to an old question is none. */
  readonly on: string;
}

export const members = (
  group: string,
  states: readonly string[],
  share: Share,
  atLeast = 0,
  on = '',
): Members => ({
  guard: 'members',
  group,
  in: states,
  share,
  atLeast,
  on,
});

export function checkMembers(guard: Members, { item, world }: Context): Verdict {
  const group = Object.entries({ ...world.groups[guard.group], ...item.members[guard.group] });
  const wanted = guard.on === '' ? undefined : (item.subjects[guard.on]?.digest ?? '');
  const matches = group.filter(
    ([, m]) =>
      (guard.in.includes(m.state) || guard.in.includes(`=${m.category}`)) &&
      (wanted === undefined || m.asked === wanted),
  );
  const n = matches.length;
  const holds = enough(guard, n, group.length);
  const named = (guard.share === 'none' ? matches : group.filter((entry) => !matches.includes(entry))).map(
    ([id]) => id,
  );
  const states = `${n === 1 ? 'is' : 'are'} ${guard.in.join(' or ')}`;
  const because =
    guard.share === 'none'
      ? `${n} in the ${guard.group} ${states}, and none may be`
      : `${n} of ${group.length} ${guard.group} ${states}, ${guard.share} expected`;
  return judged(
    'members',
    holds,
    holds ? because : `${because}: ${named.join(', ')}`,
    `look at ${named.join(', ') || guard.group}`,
  );
}

function enough({ share, atLeast }: Members, matching: number, all: number): boolean {
  if (share === 'some') return matching >= Math.max(1, atLeast);
  if (all < atLeast) return false;
  if (share === 'none') return matching === 0;
  return share === 'all' ? matching === all : matching * 2 > all;
}
