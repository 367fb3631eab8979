/** Who acts. An agent, a person, or a part of the engine. */
export interface Actor {
  readonly id: string;
  readonly kind: 'agent' | 'human' | 'system';
  readonly roles: readonly string[];
  /** Every agent above this one, nearest first. People and the engine are nobody's lineage. */
  readonly ancestors: readonly string[];
}

/** The engine itself: what it records and moves is asked for by nobody. */
export const ENGINE: Actor = { id: 'engine', kind: 'system', roles: ['engine'], ancestors: [] };

/** What policies send to other items, in the write of the move that set them off. */
export const POLICY: Actor = { id: 'policy', kind: 'system', roles: ['policy'], ancestors: [] };

/** One pair of eyes: an actor, its ancestors and its descendants. Siblings are two pairs. */
export function related(a: Actor, b: Actor): boolean {
  return a.id === b.id || a.ancestors.includes(b.id) || b.ancestors.includes(a.id);
}

/** How far a verdict stands from the work, weakest first. */
export const INDEPENDENCE = ['automated', 'sibling', 'other-lineage', 'human'] as const;
export type Independence = (typeof INDEPENDENCE)[number];

/** True when `level` is at least `minimum`. */
export function atLeast(level: Independence, minimum: Independence): boolean {
  return INDEPENDENCE.indexOf(level) >= INDEPENDENCE.indexOf(minimum);
}

/** The level that an item's setting demands: none demands the weakest, an unknown one the strictest. */
export function demandedLevel(setting: unknown): Independence {
  if (setting === undefined) return 'automated';
  return INDEPENDENCE.find((level) => level === setting) ?? 'human';
}

/**
 * The level of a verdict that `asker` asked for over the work of `builders`.
 * A person counts as one only with a proof from the human channel; without it nothing shows
 * that it was not the builder who typed, so the request adds no independence.
 */
export function independence(asker: Actor, builders: readonly Actor[], proven: boolean): Independence {
  if (asker.kind === 'human') return proven ? 'human' : 'automated';
  if (asker.kind === 'system') return 'automated';
  if (builders.some((builder) => related(asker, builder))) return 'automated';
  const shares = (builder: Actor) => builder.ancestors.some((id) => asker.ancestors.includes(id));
  return builders.some(shares) ? 'sibling' : 'other-lineage';
}

/**
 * Distinct pairs of eyes among the actors that hold `role` ('' = any): the most of them that are all unrelated.
 * Siblings are two pairs even where their parent holds the role as well, so the youngest are counted.
 */
export function pairsOfEyes(actors: readonly Actor[], role: string): number {
  const holders = actors.filter(
    (a) => a.kind !== 'system' && (role === '' ? a.roles.length > 0 : a.roles.includes(role)),
  );
  return holders.filter((a) => !holders.some((b) => b.id !== a.id && b.ancestors.includes(a.id))).length;
}
