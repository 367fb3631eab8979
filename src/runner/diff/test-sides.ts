import type { ChangedText } from './changed-text.ts';
import { readTests, type TestDeclaration, type TestText } from './read-tests.ts';

/** A changed test file, read on both sides. */
export interface TestSides {
  readonly text: ChangedText;
  readonly before: TestText;
  readonly after: TestText;
  /** Tests of base whose name is gone here, and those of the work whose name is new here. */
  readonly gone: readonly TestDeclaration[];
  readonly fresh: readonly TestDeclaration[];
}

export function readSides(text: ChangedText): TestSides {
  const [before, after] = [readTests(text.path, text.before), readTests(text.path, text.after)];
  return {
    text,
    before,
    after,
    gone: withoutNames(before.tests, after.tests),
    fresh: withoutNames(after.tests, before.tests),
  };
}

/** What is left when each name of the one side takes away one of the other. */
function withoutNames(
  tests: readonly TestDeclaration[],
  others: readonly TestDeclaration[],
): readonly TestDeclaration[] {
  const names = new Map<string, number>();
  for (const { name } of others) names.set(name, (names.get(name) ?? 0) + 1);
  return tests.filter(({ name }) => {
    const count = names.get(name) ?? 0;
    names.set(name, count - 1);
    return count <= 0;
  });
}

/** Two readings of one test: what it was and what it is. */
export interface TestPair {
  readonly side: TestSides;
  readonly before: TestDeclaration;
  readonly after: TestDeclaration;
}

/** What became of the tests of base. */
export interface Followed {
  /** Tests that stand on both sides under one name, in this file or in another changed one. */
  readonly pairs: readonly TestPair[];
  /** Tests whose name stands in no changed test file any more. */
  readonly lost: readonly { readonly side: TestSides; readonly test: TestDeclaration }[];
  /** Tests that came from another file: they make up for none that is lost here. */
  readonly arrived: ReadonlySet<TestDeclaration>;
}

/** Finds every test of base again: under its name in its file, then under its name among what is new elsewhere. */
export function follow(sides: readonly TestSides[]): Followed {
  const elsewhere = new Map<string, TestDeclaration[]>();
  for (const { fresh } of sides)
    for (const test of fresh) elsewhere.set(test.name, [...(elsewhere.get(test.name) ?? []), test]);
  const pairs: TestPair[] = [];
  const lost: { side: TestSides; test: TestDeclaration }[] = [];
  const arrived = new Set<TestDeclaration>();
  for (const side of sides) {
    pairs.push(...sameNames(side));
    for (const test of side.gone) {
      const moved = elsewhere.get(test.name)?.shift();
      if (moved === undefined) lost.push({ side, test });
      else {
        pairs.push({ side, before: test, after: moved });
        arrived.add(moved);
      }
    }
  }
  return { pairs, lost, arrived };
}

function sameNames(side: TestSides): readonly TestPair[] {
  const now = new Map<string, TestDeclaration[]>();
  for (const test of side.after.tests) now.set(test.name, [...(now.get(test.name) ?? []), test]);
  return side.before.tests.flatMap((before) => {
    const after = now.get(before.name)?.shift();
    return after === undefined ? [] : [{ side, before, after }];
  });
}
