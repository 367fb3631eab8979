/** A test as a report is to tell it. */
export interface Told {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

/**
 * Writes a report that lists `listed` and counts `counted`: the same tests in an honest one. Each writer follows what
 * its program prints, by hand, so that a parser is not measured against itself.
 */
export type Writer = (listed: readonly Told[], counted: readonly Told[]) => string;

/** How many of the tests have this outcome. */
export const number = (tests: readonly Told[], outcome: Told['outcome']): number =>
  tests.filter((test) => test.outcome === outcome).length;

/** Whether one of the tests has this outcome. */
export const has = (tests: readonly Told[], outcome: Told['outcome']): boolean => number(tests, outcome) > 0;
