/** A copy of a test that asks for something that nothing is: it has to fail. */
export interface TurnedTest {
  /** What the report calls it. */
  readonly name: string;
  /** What the test is called of which it is a copy. */
  readonly original: string;
  /** Goes in here. */
  readonly at: number;
  readonly text: string;
}

/** The same copy with the test's own expectation: it passes unless the test cannot be run twice. */
export const plainCopy = (text: string): string =>
  text.replaceAll('}; return t(x);', '}; return x;').replaceAll('(lambda t, x: t(t, x))', '(lambda t, x: x)');
