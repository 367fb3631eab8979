import { isTestFile } from '../test-files.ts';
import type { ChangedText } from './changed-text.ts';
import type { Finding } from './finding.ts';
import { readTests } from './read-tests.ts';

/**
 * Changed and new files with tests that lie where no check of the criteria looks for its tests: whatever they say, nobody
 * hears it. `tried`: the patterns of each check that runs tests; nothing where there is none, or where a command may run
 * them that tells no tests apart.
 */
export function untriedTests(
  texts: readonly ChangedText[],
  patterns: readonly string[],
  tried: readonly (readonly string[])[],
): readonly Finding[] {
  if (tried.length === 0) return [];
  return texts
    .filter(({ path, status }) => status !== 'deleted' && isTestFile(path, patterns))
    .filter(({ path }) => !tried.some((own) => isTestFile(path, own)))
    .filter(({ path, after }) => readTests(path, after).tests.length > 0)
    .map(({ path }) => ({
      reason: 'test-not-run',
      path,
      message: `${JSON.stringify(path)} holds tests that no check runs: the criteria need a check for them (countersign criteria amend)`,
      signable: true,
    }));
}
