/** One test that a report names. `id` is unique within the report and free of the checkout's place. */
export interface TestCase {
  readonly id: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'todo';
}

/** What a test program reported. `complete` is false when the report contradicts itself or ends early. */
export interface Report {
  readonly tests: readonly TestCase[];
  readonly complete: boolean;
}

/** Undefined for a text that is no report of the format. Never throws. */
export type ParseReport = (text: string) => Report | undefined;

/** A report is hostile input: whatever a parser stumbles over makes it unreadable, never an exception. */
export function guarded(parse: ParseReport): ParseReport {
  return (text) => {
    try {
      return parse(text);
    } catch {
      return undefined;
    }
  };
}

/** Makes ids unique: the second test of one id becomes `id#2`. */
export function numbered(tests: readonly TestCase[]): readonly TestCase[] {
  const seen = new Map<string, number>();
  return tests.map((test) => {
    const count = (seen.get(test.id) ?? 0) + 1;
    seen.set(test.id, count);
    return count === 1 ? test : { ...test, id: `${test.id}#${count}` };
  });
}

/** How many tests have this outcome. */
export const countOf = (tests: readonly TestCase[], outcome: TestCase['outcome']): number =>
  tests.filter((test) => test.outcome === outcome).length;
