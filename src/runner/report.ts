/** One test that a report names. `id` is unique within the report and free of the checkout's place. */
export interface TestCase {
  readonly id: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'todo';
  /** Why it failed, at most 2,000 characters without terminal colours; absent where the report does not tell. */
  readonly message?: string;
  /** The file of the test as the report names it; absent where it names none. */
  readonly file?: string;
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

const LONGEST_MESSAGE = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour
const COLOURS = /\u001b\[[\d;]*m/g;

/** A test with what its report tells besides the outcome. Empty texts are left out; only failures have a message. */
export function described(test: TestCase, message: string, file: string): TestCase {
  const told = test.outcome === 'failed' ? message.slice(0, 4 * LONGEST_MESSAGE).replace(COLOURS, '') : '';
  return {
    ...test,
    ...(told === '' ? {} : { message: told.slice(0, LONGEST_MESSAGE) }),
    ...(file === '' ? {} : { file }),
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
