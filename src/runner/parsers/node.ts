import { isAbsolute } from 'node:path';
import { guarded } from '../report.ts';
import { parse as parseTap } from './tap.ts';

/**
 * `node --test --test-reporter=tap`. A file that declared no test shows up as a passed test named after its path: it
 * is none. The summary at the end must be there and agree.
 */
export const parse = guarded((text) => {
  const report = parseTap(text);
  if (report === undefined) return undefined;
  const tests = report.tests.filter(({ name, outcome }) => outcome !== 'passed' || !isFile(name));
  const failed = tests.some(({ outcome }) => outcome === 'failed');
  const told = (summary(text, 'fail') ?? 0) + (summary(text, 'cancelled') ?? 0);
  const summarised = ['tests', 'pass', 'fail', 'cancelled'].every(
    (word) => summary(text, word) !== undefined,
  );
  return { tests, complete: report.complete && summarised && told > 0 === failed };
});

const isFile = (name: string) => isAbsolute(name) || /^\S*\.[cm]?[jt]sx?$/.test(name);

function summary(text: string, word: string): number | undefined {
  // The last one counts: a test may print a line that looks alike, the runner speaks last.
  const found = [...text.matchAll(new RegExp(`^# ${word} (\\d+)$`, 'gm'))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
