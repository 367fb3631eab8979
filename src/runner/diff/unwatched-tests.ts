import type { Change } from '../change.ts';
import { testSupport } from '../controls/test-support.ts';
import { inlineTests } from '../inline-tests.ts';
import { isTestFile } from '../test-files.ts';
import { type ChangedText, textOf } from './changed-text.ts';
import { onlyGrows } from './only-grows.ts';
import type { RunCommand, Started } from './started/started-files.ts';

const because = 'no check holds the work to the tests of base';

/**
 * The changed tests of base, and what supports them, where no command of the criteria is held to base's tests: a suite
 * that is known by its exit code alone does not tell that a test asks for something else now. Nothing where one is.
 */
export async function unwatchedTests(
  change: Change,
  texts: readonly ChangedText[],
  commands: readonly RunCommand[],
  patterns: readonly string[],
): Promise<ReadonlyMap<string, Started>> {
  const touched = texts.filter(({ status }) => status !== 'added');
  if (touched.length === 0 || commands.some(({ watched }) => watched)) return new Map();
  const support = await testSupport(change, patterns, commands);
  return new Map(
    touched.flatMap((text): [string, Started][] => {
      if (isTestFile(text.path, patterns) || support.has(text.path))
        return [[text.path, { because, mayGrow: true }]];
      return losesInside(text) ? [[text.path, { because: `${because} inside of it`, mayGrow: false }]] : [];
    }),
  );
}

/** Whether the tests that stand in a source did more than grow. */
function losesInside({ path, status, before, after }: ChangedText): boolean {
  const [was, is] = [inlineTests(path, before), inlineTests(path, after)];
  return was !== is && was !== '' && !onlyGrows(textOf({ path, status }, was, is));
}
