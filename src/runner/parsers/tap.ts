import { Parser } from 'tap-parser';
import { described, guarded, numbered, type Report, type TestCase } from '../report.ts';
import { asMapping, type Json } from './json.ts';
import { leanTap } from './lean-tap.ts';
import { partPlainDiagnoses, withDiagnosis } from './plain-diagnosis.ts';
import { breaksOff } from './tap-shape.ts';

/**
 * TAP 13 and 14. Only leaves count as tests, named by the way that leads to them; a parent that fails although its
 * children passed counts too. A plan that is missing, told twice or not kept, at any level, braces that nobody closes,
 * another version or a bail-out: incomplete.
 */
export const parse = guarded((text) => readTap(text)?.report);

/** A test point of any level. */
export interface TestPoint {
  readonly outcome: TestCase['outcome'];
  /** Whether its diagnosis calls it a suite, as node's do. */
  readonly isSuite: boolean;
}

/** The report together with all its test points, parents as well. Undefined for what is no TAP; it may throw. */
export function readTap(
  text: string,
): { readonly report: Report; readonly points: readonly TestPoint[] } | undefined {
  // The library makes up an empty plan for a text that says nothing at all.
  if (!/^(TAP version|\d+\.\.\d+|(not )?ok\b)/m.test(text)) return undefined;
  const parted = partPlainDiagnoses(leanTap(text));
  const log: unknown = Parser.parse(parted.text);
  if (!Array.isArray(log)) return undefined;
  const { tests, open, points, complete, sound } = levelOf(log, parted.diagnoses);
  const whole = complete && sound && !breaksOff(text);
  return { report: { tests: numbered([...tests, ...open]), complete: whole }, points };
}

interface Level {
  readonly tests: TestCase[];
  readonly points: TestPoint[];
  /** Children that wait for the test point that closes them. */
  open: readonly TestCase[];
  /** Whether these children have a plan of their own. */
  openPlanned: boolean;
  planned: boolean;
  complete: boolean;
  sound: boolean;
}

function levelOf(log: readonly unknown[], diagnoses: readonly Json[]): Level {
  const at: Level = {
    tests: [],
    points: [],
    open: [],
    openPlanned: false,
    planned: false,
    complete: false,
    sound: true,
  };
  for (const entry of log) {
    const [event, data]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    note(at, event, data, diagnoses);
  }
  return at;
}

function note(at: Level, event: unknown, data: unknown, diagnoses: readonly Json[]): void {
  if (event === 'child' && Array.isArray(data)) descend(at, levelOf(data, diagnoses));
  else if (event === 'assert') point(at, withDiagnosis(asMapping(data) ?? {}, diagnoses));
  else if (event === 'plan') at.planned = true;
  else if (event === 'complete') at.complete = isComplete(asMapping(data) ?? {});
  else if (event === 'bailout' || isOutOfPlace(event, data)) at.sound = false;
}

/** What the library passes over: a version that is unknown, and results or plans where none can stand. */
const isOutOfPlace = (event: unknown, data: unknown) =>
  event === 'version' ? data !== 13 && data !== 14 : event === 'extra' && SAYS_SOMETHING.test(String(data));

const SAYS_SOMETHING = /^[ \t]*(TAP version \d|\d+\.\.\d|(not )?ok( .*)?$|bail out!)/im;

function descend(at: Level, child: Level): void {
  at.tests.push(...at.open);
  for (const one of child.points) at.points.push(one);
  at.open = [...child.tests, ...child.open];
  at.openPlanned = child.planned;
  at.sound &&= child.complete && child.sound;
}

function point(at: Level, result: Json): void {
  const closes = result.closingTestPoint === true;
  const isSuite = asMapping(result.diag)?.type === 'suite';
  at.points.push({ outcome: outcomeOf(result), isSuite });
  if (closes && result.buffered === true && !at.openPlanned) at.sound = false;
  const own = closes ? closed(result, at.open) : [...at.open, leaf(result)];
  // A suite with nothing in it is no test.
  const empty = isSuite && own.length === 1 && at.open.length === 0 && own[0]?.outcome === 'passed';
  if (!empty) at.tests.push(...own);
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
  const { start, end } = plan ?? {};
  const kept = typeof end === 'number' && results.count === (end === 0 ? 0 : end - Number(start) + 1);
  return kept && results.bailout === false && failures.every((failure) => !asMapping(failure)?.tapError);
}
