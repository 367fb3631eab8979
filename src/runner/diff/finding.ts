/** Why a change does not pass, the gravest first. */
export const findingReasons = [
  'empty-diff',
  'no-source-change',
  'out-of-scope',
  'protected-path',
  'test-not-run',
  'test-removed',
  'test-skipped',
  'test-weakened',
  'forbidden-pattern',
] as const;

/** One thing that a change may not do, or not without a sign-off. */
export interface Finding {
  readonly reason: (typeof findingReasons)[number];
  /** '' for what is about the change as a whole. */
  readonly path: string;
  /** One line for people; it names the path. */
  readonly message: string;
  /** Whether somebody outside the lineage can let it pass. */
  readonly signable: boolean;
}

/** Sorted by gravity, then as they were found. */
export const byGravity = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => findingReasons.indexOf(a.reason) - findingReasons.indexOf(b.reason));

/** At most five names, and how many more there are. */
export function namesOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => JSON.stringify(path));
  return `${shown.join(', ')}${paths.length > 5 ? `, and ${paths.length - 5} more` : ''}`;
}
