import type { CheckFinding } from './ports.ts';

/** How much the checks of a verdict say about the work, weakest first. */
export const STRENGTHS = ['none', 'self-test', 'red-green', 'acceptance'] as const;

const MUTATION = ' + mutation';

/**
 * The grade of a verdict, from what its passed checks show: tests of the builder's own making, tests that failed on
 * the base, or examples that the builder did not write; with ' + mutation' where the tests notice a changed program.
 */
export function strengthOf(
  checks: readonly Pick<CheckFinding, 'outcome' | 'shows'>[],
  acceptanceCounts: boolean,
): string {
  const shown = new Set(checks.filter((c) => c.outcome === 'pass').flatMap((c) => c.shows));
  const grade = gradeOf(shown, acceptanceCounts);
  return grade !== 'none' && shown.has('mutation') ? `${grade}${MUTATION}` : grade;
}

function gradeOf(shown: ReadonlySet<string>, acceptanceCounts: boolean): (typeof STRENGTHS)[number] {
  if (shown.has('acceptance') && acceptanceCounts) return 'acceptance';
  if (shown.has('red-green')) return 'red-green';
  return shown.has('tests') || shown.has('canary') ? 'self-test' : 'none';
}

/** A grade as properties of a signed summary: SELF_TEST, RED_GREEN, …, and MUTATION beside it. */
export function strengthProperties(strength: string): readonly string[] {
  const [grade = 'none'] = strength.split(MUTATION);
  const names = [grade, ...(strength.endsWith(MUTATION) ? ['mutation'] : [])];
  return names.map((name) => `COUNTERSIGN_STRENGTH_${name.toUpperCase().replaceAll('-', '_')}`);
}
