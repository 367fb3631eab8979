import { has, number, type Told, type Writer } from './writer.ts';

const WIDTH = 80;

/** A title between two bars, as wide as the terminal. */
function bar(title: string): string {
  const side = '='.repeat(Math.floor((WIDTH - title.length - 2) / 2));
  const line = `${side} ${title} ${side}`;
  return `${line}${line.length < WIDTH ? '=' : ''}\n`;
}

const head = (told: string) =>
  `${bar('test session starts')}platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0 -- /usr/bin/python3\nrootdir: /p\n${told}\n\n`;
const collected = (count: number) => `collected ${count} item${count === 1 ? '' : 's'}`;

const words = { passed: 'PASSED', failed: 'FAILED', skipped: 'SKIPPED' } as const;
const idOf = ({ name }: Told) => `tests/test_a.py::TestA::test_p[${name}]`;
const percent = (at: number, of: number) => `[${String(Math.floor((at * 100) / of)).padStart(3)}%]`;

const failures = (counted: readonly Told[]) =>
  has(counted, 'failed')
    ? `${bar('FAILURES')}___ TestA.test_p ___\n\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:7: AssertionError\n`
    : '';

const failureLines = (listed: readonly Told[]) =>
  listed
    .filter(({ outcome }) => outcome === 'failed')
    .map((test) => `FAILED ${idOf(test)} - assert 1 == 2\n`)
    .join('');

function sums(counted: readonly Told[]): string {
  const parts = (['failed', 'passed', 'skipped'] as const).flatMap((outcome) =>
    has(counted, outcome) ? `${number(counted, outcome)} ${outcome}` : [],
  );
  return bar(`${parts.join(', ')} in 0.12s`);
}

const ending = (listed: readonly Told[], counted: readonly Told[]) => {
  const failed = failureLines(listed);
  return `${failures(counted)}${failed === '' ? '' : `${bar('short test summary info')}${failed}`}${sums(counted)}`;
};

const verbose: Writer = (listed, counted) => {
  const lines = listed.map((test, at) => {
    const said = `${idOf(test)} ${words[test.outcome]}${test.outcome === 'skipped' ? ' (not here)' : ''}`;
    return `${said.padEnd(WIDTH - 7)}${percent(at + 1, counted.length)}\n`;
  });
  return `${head(`collecting ... ${collected(counted.length)}`)}${lines.join('')}\n${ending(listed, counted)}`;
};

const spread: Writer = (listed, counted) => {
  const lines = listed.map(
    (test, at) =>
      `${idOf(test)} \n[gw${at % 2}] ${percent(at + 1, counted.length)} ${words[test.outcome]} ${idOf(test)} \n`,
  );
  const told = `created: 2/2 workers\n2 workers [${counted.length} item${counted.length === 1 ? '' : 's'}]\n\nscheduling tests via LoadScheduling`;
  return `${head(told)}${lines.join('')}\n${ending(listed, counted)}`;
};

const summary: Writer = (listed, counted) => {
  const skipped = number(listed, 'skipped');
  const lines = [
    ...listed.filter(({ outcome }) => outcome === 'passed').map((test) => `PASSED ${idOf(test)}\n`),
    ...(skipped > 0 ? [`SKIPPED [${skipped}] tests/test_a.py:7: not here\n`] : []),
    failureLines(listed),
  ];
  const dots = listed.map(({ outcome }) => ({ passed: '.', failed: 'F', skipped: 's' })[outcome]).join('');
  return `${head(collected(counted.length))}tests/test_a.py ${dots} [100%]\n\n${failures(counted)}${bar('PASSES')}${bar('short test summary info')}${lines.join('')}${sums(counted)}`;
};

/** `pytest -v`, the same with xdist, and `pytest -rA`. */
export const pytestWriters: readonly Writer[] = [verbose, spread, summary];
