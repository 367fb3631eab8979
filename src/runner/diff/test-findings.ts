import { assertionsOf } from './assertion.ts';
import { type AssertionCount, assertingIn, countIn } from './assertion-count.ts';
import type { ChangedText } from './changed-text.ts';
import { type Finding, namesOf } from './finding.ts';
import { languageOf } from './language.ts';
import { testPairs } from './moved-tests.ts';
import type { TestDeclaration } from './read-tests.ts';
import { skipFindings } from './skip-findings.ts';
import { isSnapshot, snapshotFindings } from './snapshots.ts';
import { type Followed, follow, readSides, type TestPair, type TestSides } from './test-sides.ts';

/**
 * What a change took away from the tests: tests that are gone or do not run, and assertions that are fewer, vaguer or
 * cannot fail. Told from the text alone, so it misses much and is a first sieve: what the tests do is for other checks.
 */
export function testFindings(texts: readonly ChangedText[], patterns: readonly string[]): readonly Finding[] {
  const pairs = testPairs(texts, patterns);
  const sides = pairs.filter(({ path }) => !isSnapshot(path)).map(readSides);
  const followed = follow(sides);
  return [
    ...removedFiles(sides, followed),
    ...removedTests(sides, followed),
    ...skipFindings(sides, followed),
    ...weakenedTests(sides, followed),
    ...emptyAssertions(sides),
    ...snapshotFindings(texts, pairs),
  ];
}

const finding = (reason: Finding['reason'], side: TestSides, what: string): Finding => ({
  reason,
  path: side.text.path,
  message: `${JSON.stringify(side.text.path)} ${what}`,
  signable: true,
});

/** A file that is gone: data and helpers may go, tests may not; of a language that cannot be read any program counts. */
function removedFiles(sides: readonly TestSides[], { lost }: Followed): readonly Finding[] {
  return sides
    .filter(({ text }) => text.status === 'deleted')
    .filter((side) => {
      const { language, source, tests } = side.before;
      if (tests.length > 0) return lost.some((one) => one.side === side);
      const unread =
        language === 'c' || (language === 'shell' && /\.(rb|pl|exs?|sh|bats)$/.test(side.text.path));
      return unread || (namedTest.test(side.text.path) && assertionsOf(language, source).length > 0);
    })
    .map((side) => finding('test-removed', side, 'held tests and is gone'));
}

const namedTest =
  /(^|\/)(test|tests|test_[^/]*|[^/]*[._-](test|spec))\.[^/]*$|(^|\/)(tests?|spec|__tests__)\//;

/** Fewer tests than before in a file, not counting those that stand in another one now. */
function removedTests(sides: readonly TestSides[], { lost, arrived }: Followed): readonly Finding[] {
  return sides.flatMap((side) => {
    if (side.text.status === 'deleted') return [];
    const gone = lost.filter((one) => one.side === side).map(({ test }) => test);
    const added = weight(side.fresh.filter((test) => !arrived.has(test)));
    const fewer = weight(gone) - added;
    if (fewer > 0)
      return [
        finding('test-removed', side, `has ${fewer} tests less: ${namesOf(gone.map(({ name }) => name))}`),
      ];
    return tableFindings(side, added);
  });
}

/** A table of tests that lost rows and stands there under its name. */
function tableFindings(side: TestSides, added: number): readonly Finding[] {
  const shorter = follow([side]).pairs.filter(({ before, after }) => after.weight < before.weight);
  const lost = shorter.reduce((sum, { before, after }) => sum + before.weight - after.weight, 0);
  if (lost <= added) return [];
  return [finding('test-removed', side, `has ${lost} rows less in tables of tests`)];
}

const weight = (tests: readonly TestDeclaration[]) => tests.reduce((sum, test) => sum + test.weight, 0);

/** Tests of one name that assert less, or less exactly; and the same over all that were renamed in a file. */
function weakenedTests(sides: readonly TestSides[], { pairs, lost }: Followed): readonly Finding[] {
  const helpers = {
    before: assertingIn(sides.map(({ before }) => before)),
    after: assertingIn(sides.map(({ after }) => after)),
  };
  const count = (side: TestSides, test: TestDeclaration, when: 'before' | 'after') =>
    countIn(side[when].language, test, helpers[when]);
  const weaker = pairs.filter(({ side, before, after }) =>
    isWeaker(count(side, before, 'before'), count(side, after, 'after')),
  );
  const renamed = sides.filter((side) => {
    const gone = lost.filter((one) => one.side === side);
    const was = sum(gone.map(({ test }) => count(side, test, 'before')));
    return side.fresh.length > 0 && isWeaker(was, sum(side.fresh.map((test) => count(side, test, 'after'))));
  });
  return [
    ...groups(weaker).map(([side, names]) =>
      finding('test-weakened', side, `asserts less than it did: ${namesOf(names)}`),
    ),
    ...renamed.map((side) => finding('test-weakened', side, 'has tests under new names that assert less')),
  ];
}

const isWeaker = (was: AssertionCount, is: AssertionCount) =>
  is.total < was.total ||
  is.specific < was.specific ||
  (was.total > 0 && is.loose > was.loose && is.specific <= was.specific);

function sum(counts: readonly AssertionCount[]): AssertionCount {
  const of = (key: keyof AssertionCount) => counts.reduce((total, one) => total + one[key], 0);
  return { total: of('total'), specific: of('specific'), loose: 0 };
}

function groups(pairs: readonly TestPair[]): readonly [TestSides, readonly string[]][] {
  const sides = [...new Set(pairs.map(({ side }) => side))];
  return sides.map((side) => [
    side,
    pairs.filter((one) => one.side === side).map(({ before }) => before.name),
  ]);
}

/** New lines that assert a written truth, and new or changed tests that assert nothing but what cannot fail. */
function emptyAssertions(sides: readonly TestSides[]): readonly Finding[] {
  return sides.flatMap((side) => {
    const { text, after } = side;
    const language = languageOf(text.path);
    const { added } = text.diff();
    const isNew = (at: number) => added.has(after.source.bare.slice(0, at).split('\n').length - 1);
    const found = assertionsOf(language, after.source).filter(
      ({ at, strength }) => strength === 'empty' && isNew(at),
    );
    const alone = (at: number) => {
      const test = after.tests.findLast(({ start, bare }) => at >= start && at < start + bare.length);
      return test === undefined || assertionsOf(language, test).every(({ strength }) => strength === 'empty');
    };
    const bad = found.filter(({ at, literal }) => literal || alone(at));
    if (bad.length === 0) return [];
    const line = after.source.bare.slice(0, bad[0]?.at ?? 0).split('\n').length;
    return [
      finding(
        'test-weakened',
        side,
        `has ${bad.length} new assertions that cannot fail, first in line ${line}`,
      ),
    ];
  });
}
