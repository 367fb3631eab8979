import type { ReportFormat } from '../../src/runner/parsers/index.ts';
import type { ParseReport, Report } from '../../src/runner/report.ts';
import { garbage, mutations } from './mutations.ts';
import { type Numbers, numbersFrom, oneOf } from './random.ts';
import type { Told, Writer } from './writer.ts';
import { writers } from './writers.ts';

/** What a parser did wrong, and with which text. */
export interface Fault {
  readonly kind: 'threw' | 'slow' | 'accepted' | 'malformed';
  readonly family: Family;
  readonly text: string;
}

export interface Fuzzed {
  readonly inputs: number;
  readonly faults: readonly Fault[];
  readonly slowestMs: number;
}

const families = ['cut', 'lost', 'mutated', 'piled', 'garbage'] as const;
type Family = (typeof families)[number];
const SLOW_MS = 1_000;

/**
 * Feeds a parser with `inputs` texts that follow from the seed. Accepted means: whole, with passed tests and without
 * a failed one. Accepted on error is
 * - cut: the start of a whole report, accepted with other tests than the whole report has;
 * - lost: a report without some or all of its failed tests, whose counts, plan or package still tell of them;
 * - mutated: a failing report after one change. TAP is left out: it says a failure in one word and sums up nothing;
 * - garbage: text of which no program is the author.
 * After many changes (piled) a text may be any report: it only has to be read without harm. At all times ids are
 * unique, outcomes are known, messages short, and no text takes longer than a second or throws.
 */
export function fuzz(format: ReportFormat, parse: ParseReport, inputs: number, seed: number): Fuzzed {
  const numbers = numbersFrom(seed);
  const faults: Fault[] = [];
  let slowestMs = 0;
  for (let n = 0; n < inputs; n++) {
    const family = families[n % families.length] ?? 'garbage';
    const { text, allowed } = inputOf(family, format, parse, numbers);
    const start = performance.now();
    try {
      const report = parse(text);
      const took = performance.now() - start;
      slowestMs = Math.max(slowestMs, took);
      if (took > SLOW_MS) faults.push({ kind: 'slow', family, text });
      if (report !== undefined && !isSound(report)) faults.push({ kind: 'malformed', family, text });
      if (accepted(report) && !allowed(report)) faults.push({ kind: 'accepted', family, text });
    } catch {
      faults.push({ kind: 'threw', family, text });
    }
  }
  return { inputs, faults, slowestMs };
}

interface Input {
  readonly text: string;
  /** Whether the report may be accepted all the same. */
  readonly allowed: (report: Report) => boolean;
}

const never = () => false;
const always = () => true;

function inputOf(family: Family, format: ReportFormat, parse: ParseReport, numbers: Numbers): Input {
  const write = oneOf(numbers, writers[format]);
  const mutate = (text: string) => oneOf(numbers, mutations)(text, numbers);
  if (family === 'garbage') return { text: garbage(numbers), allowed: never };
  if (family === 'cut') return cut(write(...twice(tests(numbers, numbers(2) === 0))), parse, numbers);
  if (family === 'lost') return { text: lost(write, numbers), allowed: never };
  if (family === 'mutated')
    return {
      text: mutate(write(...twice(tests(numbers, true)))),
      allowed: format === 'tap' ? always : never,
    };
  let text = write(...twice(tests(numbers, numbers(2) === 0)));
  for (let n = 2 + numbers(6); n > 0; n--) text = mutate(text);
  return { text: numbers(8) === 0 ? text + write(...twice(tests(numbers, false))) : text, allowed: always };
}

const twice = (list: readonly Told[]) => [list, list] as const;

/** Up to nine tests, at least one passed; one or more failed if so asked. */
function tests(numbers: Numbers, failing: boolean): readonly Told[] {
  const others = Array.from({ length: numbers(7) }, (_, n): Told => {
    const outcome = oneOf(
      numbers,
      failing ? (['passed', 'failed', 'skipped'] as const) : (['passed', 'skipped'] as const),
    );
    return { name: `reads ${n} of ${numbers(100)}`, outcome };
  });
  const sure: readonly Told[] = [
    { name: 'is there', outcome: 'passed' },
    ...(failing ? [{ name: 'adds up', outcome: 'failed' } as const] : []),
  ];
  return numbers(2) === 0 ? [...sure, ...others] : [...others, ...sure];
}

function cut(whole: string, parse: ParseReport, numbers: Numbers): Input {
  const shown = (report: Report | undefined) =>
    JSON.stringify(report?.tests.map(({ id, outcome }) => [id, outcome]));
  return {
    text: whole.slice(0, numbers(whole.length)),
    allowed: (report) => shown(report) === shown(parse(whole)),
  };
}

function lost(write: Writer, numbers: Numbers): string {
  const all = tests(numbers, true);
  return write(
    all.filter(({ outcome }) => outcome !== 'failed'),
    all,
  );
}

const accepted = (report: Report | undefined): report is Report =>
  report?.complete === true &&
  report.tests.some(({ outcome }) => outcome === 'passed') &&
  report.tests.every(({ outcome }) => outcome !== 'failed');

function isSound({ tests, complete }: Report): boolean {
  const known = (outcome: string) => ['passed', 'failed', 'skipped', 'todo'].includes(outcome);
  return (
    typeof complete === 'boolean' &&
    new Set(tests.map(({ id }) => id)).size === tests.length &&
    tests.every(
      ({ outcome, name, message = '' }) =>
        known(outcome) && typeof name === 'string' && message.length <= 2_000,
    )
  );
}
