import { described, guarded, numbered, type Report, type TestCase } from '../report.ts';
import { type Line, linesOf, messagesOf } from './pytest-lines.ts';
import { type Collected, collectedIn, type Sums, sumsIn } from './pytest-sums.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour
const COLOURS = /\u001b\[[\d;]*m/g;

/**
 * The text of `pytest -v`, of `pytest -rA`, and of both with xdist. The last line must sum up exactly the tests that are
 * named, and there must be as many as were collected; what it counts besides (subtests, reruns) or a session that was
 * stopped makes it incomplete. Undefined for output that names no tests, and for that of `-q`, which leaves out how many
 * were collected. A test that passes although it is expected to fail is `todo`, no pass.
 */
export const parse = guarded((text) => {
  const lines = text.replace(COLOURS, '').split(/\r?\n/);
  const collected = collectedIn(lines);
  if (collected === undefined) return undefined;
  const sums = sumsIn(lines);
  const named = linesOf(lines.slice(collected.line + 1));
  const tests = [...casesOf(named.lines, messagesOf(lines)), ...outside(lines, named.lines, sums)];
  if (tests.length === 0 && collected.count > 0) return undefined;
  const complete = sums !== undefined && agrees(named, collected, sums);
  return { tests: numbered(tests), complete };
});

const outcomes: Readonly<Record<Line['word'], TestCase['outcome']>> = {
  PASSED: 'passed',
  FAILED: 'failed',
  ERROR: 'failed',
  SKIPPED: 'skipped',
  XFAIL: 'todo',
  XPASS: 'todo',
};

/** A test whose tear-down fails has two lines, and has failed. */
function casesOf(lines: readonly Line[], messages: ReadonlyMap<string, string>): Report['tests'] {
  const broken = new Set(lines.flatMap(({ word, id }) => (word === 'ERROR' ? id : [])));
  const told = new Set(lines.flatMap(({ word, id }) => (word === 'ERROR' ? [] : id)));
  return lines.flatMap(({ word, id }) => {
    if (word === 'ERROR' && told.has(id)) return [];
    const start = id.indexOf('::');
    const [file, name] = start < 0 ? ['', id] : [id.slice(0, start), id.slice(start + 2)];
    const outcome = broken.has(id) ? 'failed' : outcomes[word];
    return described({ id, name, outcome }, messages.get(id) ?? '', file);
  });
}

/** Errors that are no test's: of files that could not be collected. */
function outside(lines: readonly string[], named: readonly Line[], sums: Sums | undefined): Report['tests'] {
  const files = lines.flatMap((line) => /^_+ ERROR collecting (\S.*) _+$/.exec(line)?.[1] ?? []);
  const surplus = sums === undefined ? files.length : sums.errors - countOf(named, 'ERROR');
  if (surplus <= 0) return [];
  const names = files.length === surplus ? files : ['(outside of the tests)'];
  return names.map((name) => ({ id: name, name, outcome: 'failed' }));
}

const countOf = (lines: readonly Line[], word: Line['word']) =>
  lines.filter((line) => line.word === word).length;

function agrees({ lines, inSummary }: ReturnType<typeof linesOf>, collected: Collected, sums: Sums): boolean {
  const told = new Set(lines.flatMap(({ word, id }) => (word === 'ERROR' ? [] : id)));
  const items = lines.filter(({ word, id }) => word !== 'ERROR' || !told.has(id)).length;
  // Files that skip themselves are in the summary and are no tests that were collected.
  const skippedFiles = sums.skipped - countOf(lines, 'SKIPPED');
  const files = inSummary ? skippedFiles === 0 : skippedFiles === (collected.skipped ?? skippedFiles);
  return (
    items === collected.count + (inSummary ? (collected.skipped ?? 0) : 0) &&
    files &&
    skippedFiles >= 0 &&
    sums.passed === countOf(lines, 'PASSED') &&
    sums.failed === countOf(lines, 'FAILED') &&
    sums.errors >= countOf(lines, 'ERROR') &&
    sums.xfailed === countOf(lines, 'XFAIL') &&
    sums.xpassed === countOf(lines, 'XPASS')
  );
}
