import { isAbsolute } from 'node:path';
import { guarded } from '../report.ts';
import { readTap, type TestPoint } from './tap.ts';

/**
 * `node --test --test-reporter=tap`. A file that declared no test shows up as a passed test named after its path: it
 * is none. The summary at the end must be there, and its counts must be those of the test points that were read.
 */
export const parse = guarded((text) => {
  const read = readTap(text.replace(NUMBER, '$1 -'));
  if (read === undefined) return undefined;
  const tests = read.report.tests.filter(({ name, outcome }) => outcome !== 'passed' || !isFile(name));
  return { tests, complete: read.report.complete && agrees(text, read.points) };
});

/** Node gives a file that declared no test its own number, which a test may have as well. The summary counts for it. */
const NUMBER = /^((?:not )?ok) \d+ -/gm;

const isFile = (name: string) => isAbsolute(name) || /^\S*\.[cm]?[jt]sx?$/.test(name);

/** Suites are counted by themselves; a test that has subtests counts as one more. */
function agrees(text: string, points: readonly TestPoint[]): boolean {
  const tests = points.filter(({ isSuite }) => !isSuite);
  const count = (outcome: TestPoint['outcome']) => tests.filter((test) => test.outcome === outcome).length;
  const told = (word: string) => summary(text, word) ?? Number.NaN;
  return (
    told('tests') === tests.length &&
    told('suites') === points.length - tests.length &&
    told('pass') === count('passed') &&
    told('fail') + told('cancelled') === count('failed') &&
    told('skipped') === count('skipped') &&
    told('todo') === count('todo')
  );
}

function summary(text: string, word: string): number | undefined {
  // The last one counts: a test may print a line that looks alike, the runner speaks last.
  const found = [...text.matchAll(new RegExp(`^# ${word} (\\d+)$`, 'gm'))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
