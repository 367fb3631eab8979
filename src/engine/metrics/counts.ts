import type { Protocol } from '../../kernel/protocol.ts';

/** A number for each combination of labels, in the order in which they came up. */
export type Family = Map<string, { readonly labels: { readonly [label: string]: string }; value: number }>;

/** What took part, counted or not: a figure that can come up is told as zero before it does. */
export interface Seen {
  readonly protocols: Map<string, Protocol>;
  /** Who moved items of a protocol. */
  readonly actors: Map<string, { readonly protocol: string; readonly agent: string }>;
}

/** Everything that is counted; what each family means is documented in docs/metrics.md. */
export interface Counts {
  readonly claims: Family;
  readonly passed: Family;
  readonly refusedClaims: Family;
  readonly inconclusive: Family;
  readonly rejectedAfter: Family;
  readonly misses: Family;
  readonly completions: Family;
  readonly reworkRounds: Family;
  readonly failures: Family;
  readonly refusals: Family;
  readonly independence: Family;
  readonly minutesInState: Family;
  readonly staysInState: Family;
  readonly seen: Seen;
}

export type FamilyName = Exclude<keyof Counts, 'seen'>;

export const noCounts = (): Counts => ({
  claims: new Map(),
  passed: new Map(),
  refusedClaims: new Map(),
  inconclusive: new Map(),
  rejectedAfter: new Map(),
  misses: new Map(),
  completions: new Map(),
  reworkRounds: new Map(),
  failures: new Map(),
  refusals: new Map(),
  independence: new Map(),
  minutesInState: new Map(),
  staysInState: new Map(),
  seen: { protocols: new Map(), actors: new Map() },
});

/** Adds to the number of a combination of labels. */
export function countFor(family: Family, labels: { readonly [label: string]: string }, by: number): void {
  const key = JSON.stringify(labels);
  const known = family.get(key);
  if (known === undefined) family.set(key, { labels, value: by });
  else known.value += by;
}
