import { INDEPENDENCE } from './actor.ts';
import { GUARD_NAMES, type Guard } from './guards/index.ts';
import { fields, integer, listOf, nonEmpty, object, oneOf, type Shape, setting, string } from './shape.ts';

const states = listOf(nonEmpty);
const share = oneOf('none', 'some', 'majority', 'all');
const bond = oneOf('identity', 'lineage');
const guard = string;
/** How many, or the mark of those who have a voice. */
const voters: Shape = (value, at) => (typeof value === 'string' ? nonEmpty(value, at) : integer(value, at));

const SHAPES: { readonly [K in Guard['guard']]: Shape } = {
  apart: fields({ guard, from: nonEmpty }, { bond }),
  same: fields({ guard, as: nonEmpty }, {}),
  evidence: fields({ guard, kind: nonEmpty, outcome: nonEmpty }, { apart: string }),
  absent: fields({ guard, kind: nonEmpty }, {}),
  votes: fields(
    { guard, kind: nonEmpty, outcome: nonEmpty, share: oneOf('some', 'majority', 'all'), of: voters },
    {},
  ),
  members: fields({ guard, group: nonEmpty, in: states, share }, { atLeast: integer, on: string }),
  reaches: fields({ guard, counter: nonEmpty, limit: integer }, {}),
  count: fields({ guard, counter: nonEmpty, atLeast: integer }, {}),
  previous: fields({ guard, in: states }, {}),
  probe: fields({ guard, name: nonEmpty }, {}),
  team: fields(
    { guard, atLeast: integer },
    { role: string, apart: string, bond, kind: oneOf('any', 'agent'), among: states },
  ),
  setting: fields({ guard, name: nonEmpty, is: setting }, {}),
  independent: fields({ guard, kind: nonEmpty }, { atLeast: oneOf(...INDEPENDENCE, '@pinned') }),
  hats: fields({ guard, wearing: nonEmpty, pairs: listOf(nonEmpty) }, { relaxed: listOf(nonEmpty) }),
  not: (value, at) => fields({ guard, of: guardShape }, {})(value, at),
  any: (value, at) => fields({ guard, of: listOf(guardShape) }, {})(value, at),
  when: (value, at) => fields({ guard, if: guardShape, require: guardShape }, {})(value, at),
};

/** The written form of a guard; what may be left out is filled in by `completeGuard`. */
export const guardShape: Shape = (value, at) => {
  const wrong = object(value, at);
  if (wrong.length > 0) return wrong;
  const name = String((value as { readonly guard?: unknown }).guard);
  const shape = GUARD_NAMES.find((known) => known === name);
  if (shape !== undefined) return SHAPES[shape](value, at);
  return [`${at}: unknown guard ${name}; the guards are ${GUARD_NAMES.join(', ')}`];
};

/** A written guard with what was left out. */
export function completeGuard(guard: Guard): Guard {
  switch (guard.guard) {
    case 'apart':
      return { ...guard, bond: guard.bond ?? 'lineage' };
    case 'evidence':
      return { ...guard, apart: guard.apart ?? '' };
    case 'members':
      return { ...guard, atLeast: guard.atLeast ?? 0, on: guard.on ?? '' };
    case 'team':
      return {
        ...guard,
        role: guard.role ?? '',
        apart: guard.apart ?? '',
        bond: guard.bond ?? 'lineage',
        kind: guard.kind ?? 'any',
      };
    case 'independent':
      return { ...guard, atLeast: guard.atLeast ?? '@pinned' };
    case 'hats':
      return { ...guard, relaxed: guard.relaxed ?? [] };
    case 'not':
      return { ...guard, of: completeGuard(guard.of) };
    case 'any':
      return { ...guard, of: guard.of.map(completeGuard) };
    case 'when':
      return { ...guard, if: completeGuard(guard.if), require: completeGuard(guard.require) };
    default:
      return guard;
  }
}
