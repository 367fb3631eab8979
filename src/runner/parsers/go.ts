import { guarded, numbered, type TestCase } from '../report.ts';
import { asMapping, asText, type Json } from './json.ts';

const outcomes: Readonly<Record<string, TestCase['outcome']>> = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

// Far more than a program prints past its events; each costs an exception.
const MOST_STRANGE = 1_000;

/**
 * `go test -json`. A test that has subtests is none itself unless it alone fails; a package that fails without a
 * failed test counts as one. Whatever started and never ended, or a line that is no event: incomplete.
 */
export const parse = guarded((text) => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const events: Json[] = [];
  let strange = 0;
  for (const line of lines) {
    const event = eventOf(line);
    if (event !== undefined) events.push(event);
    else if (++strange > MOST_STRANGE) return undefined;
  }
  if (events.length === 0) return undefined;
  const ended = new Map<string, TestCase>();
  const started = new Set<string>();
  for (const event of events) note(event, started, ended);
  const named = [...ended.values()].filter(({ name }) => name !== '');
  const parents = new Set(named.flatMap(({ id }) => ancestors(id)));
  const failedBelow = new Set(
    named.filter(({ outcome }) => outcome === 'failed').flatMap(({ id }) => ancestors(id)),
  );
  const tests = [...ended.values()].filter(({ id, name, outcome }) =>
    outcome === 'failed' ? !failedBelow.has(id) : name !== '' && !parents.has(id),
  );
  const complete = events.length === lines.length && [...started].every((id) => ended.has(id));
  return {
    tests: numbered(tests.map((test) => ({ ...test, name: test.name || `${test.id} (package)` }))),
    complete,
  };
});

function eventOf(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const event = asMapping(JSON.parse(line));
    return asText(event?.Action) === undefined ? undefined : event;
  } catch {
    return undefined;
  }
}

function note(event: Json, started: Set<string>, ended: Map<string, TestCase>): void {
  const name = asText(event.Test) ?? '';
  const where = asText(event.Package) ?? '';
  if (where === '') return;
  const id = name === '' ? where : `${where} > ${name}`;
  const outcome = Object.hasOwn(outcomes, String(event.Action)) ? outcomes[String(event.Action)] : undefined;
  started.add(id);
  started.add(where);
  // A failure that was told once stays: code under test can print later events.
  if (outcome !== undefined && ended.get(id)?.outcome !== 'failed') ended.set(id, { id, name, outcome });
}

// No test is part of so many others; each costs the length of its name.
const DEEPEST = 100;

/** The ids that a test's failure explains: its package and the tests it is part of. Throws beyond the deepest. */
function ancestors(id: string): readonly string[] {
  const [where = '', name = ''] = id.split(' > ');
  const steps = name.split('/');
  if (steps.length > DEEPEST) throw new RangeError('a name with too many parts');
  return [where, ...steps.slice(1).map((_, index) => `${where} > ${steps.slice(0, index + 1).join('/')}`)];
}
