import { Parser } from 'tap-parser';
import { described, guarded, numbered, type Report, type TestCase } from '../report.ts';
import { asMapping, type Json } from './json.ts';
import { leanTap } from './lean-tap.ts';

/**
 * TAP 13 and 14. Only leaves count as tests, named by the way that leads to them; a parent that fails although its
 * children passed counts too. A plan that is missing or not kept, at any level, or a bail-out: incomplete.
 */
export const parse = guarded((text) => {
  // The library makes up an empty plan for a text that says nothing at all.
  if (!/^(TAP version|\d+\.\.\d+|(not )?ok\b)/m.test(text)) return undefined;
  const log: unknown = Parser.parse(leanTap(text));
  if (!Array.isArray(log)) return undefined;
  const { tests, complete } = level(log);
  return { tests: numbered(tests), complete: complete && !isCutOff(text) };
});

/** A test point without the end of its line may have lost its name, or the word that says that it was skipped. */
const isCutOff = (text: string) => /^[ \t]*(not )?ok\b[^\n]*$/.test(text.slice(text.lastIndexOf('\n') + 1));

interface Level {
  readonly tests: TestCase[];
  /** Children that wait for the test point that closes them. */
  open: readonly TestCase[];
  complete: boolean;
  sound: boolean;
}

function level(log: readonly unknown[]): Report {
  const at: Level = { tests: [], open: [], complete: false, sound: true };
  for (const entry of log) {
    const [event, data]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    if (event === 'child' && Array.isArray(data)) descend(at, level(data));
    else if (event === 'assert') point(at, asMapping(data) ?? {});
    else if (event === 'complete') at.complete = isComplete(asMapping(data) ?? {});
    else if (event === 'bailout') at.sound = false;
  }
  return { tests: [...at.tests, ...at.open], complete: at.complete && at.sound };
}

function descend(at: Level, child: Report): void {
  at.tests.push(...at.open);
  at.open = child.tests;
  at.sound &&= child.complete;
}

function point(at: Level, result: Json): void {
  const closes = result.closingTestPoint === true;
  at.tests.push(...(closes ? closed(result, at.open) : [...at.open, leaf(result)]));
  at.open = [];
}

function closed(parent: Json, children: readonly TestCase[]): readonly TestCase[] {
  const own = leaf(parent);
  if (children.length === 0) return [own];
  const named = children.map((child) => ({
    ...child,
    id: `${own.id} > ${child.id}`,
    name: `${own.name} > ${child.name}`,
  }));
  const unexplained = own.outcome === 'failed' && !children.some(({ outcome }) => outcome === 'failed');
  return unexplained ? [...named, own] : named;
}

function leaf(result: Json): TestCase {
  const name = String(result.name ?? '').trim() || `(test ${String(result.id)})`;
  return described(
    { id: name, name, outcome: outcomeOf(result) },
    diagnosis(asMapping(result.diag) ?? {}),
    '',
  );
}

/** What the producers write below a failed test: node an error, tape the values, others a message. */
const diagnosis = (diag: Json): string =>
  ['message', 'error', 'expected', 'actual', 'found', 'wanted']
    .flatMap((key) => (isPlain(diag[key]) ? [`${key}: ${String(diag[key])}`] : []))
    .join('\n');

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function outcomeOf(result: Json): TestCase['outcome'] {
  if (result.todo !== false && result.todo !== undefined) return 'todo';
  if (result.ok !== true) return 'failed';
  return result.skip === false ? 'passed' : 'skipped';
}

/** The parser notes every broken rule as a failure that is no test. */
function isComplete(results: Json): boolean {
  const failures = Array.isArray(results.failures) ? results.failures : [];
  const plan = asMapping(results.plan);
  const planned = typeof plan?.end === 'number';
  return planned && results.bailout === false && failures.every((failure) => !asMapping(failure)?.tapError);
}
