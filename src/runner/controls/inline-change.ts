import { inlineTests, mayHoldTests, withTestsOf } from '../inline-tests.ts';
import type { Work } from './work.ts';

/** A source that holds tests of its own, which the work changed. */
export interface InlineChange {
  readonly path: string;
  /** Base's and the work's text; '' where a side has no such file. */
  readonly before: string;
  readonly after: string;
}

/** Sources outside of the test files whose own tests read differently on head. */
export async function inlineChanges({
  change,
  freshTests,
  touchedTests,
}: Work): Promise<readonly InlineChange[]> {
  const found: InlineChange[] = [];
  for (const file of change.files) {
    if (!mayHoldTests(file.path) || freshTests.includes(file) || touchedTests.includes(file)) continue;
    const before = (await change.before(file.path))?.toString('utf8') ?? '';
    const after = (await change.after(file.path))?.toString('utf8') ?? '';
    if (inlineTests(file.path, before) !== inlineTests(file.path, after))
      found.push({ path: file.path, before, after });
  }
  return found;
}

/** Those whose tests are new or changed on head, and not only gone. */
export const withFreshTests = (changes: readonly InlineChange[]): readonly InlineChange[] =>
  changes.filter(({ path, after }) => inlineTests(path, after) !== '');

/** Base's program with the work's tests, for sources that base has. */
export const onBaseProgram = ({ before, after }: InlineChange): string => withTestsOf(before, after);

/** The work's program with base's tests. */
export const withBaseTests = ({ before, after }: InlineChange): string => withTestsOf(after, before);
