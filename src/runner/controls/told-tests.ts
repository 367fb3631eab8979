import { languageOf } from '../diff/language.ts';
import type { TestCase } from '../report.ts';
import type { ChangedTests, Declared } from './changed-tests.ts';
import { FILLED, isExactly, isWithin, nearestTo, testOf } from './test-chain.ts';

/** What a test of head is: beyond doubt one that is new or reads differently, or one of several that may be it. */
export type Word = 'own' | 'twin' | undefined;

/**
 * Tells of each test that passed on head whether it asks anew. What base has is taken for a changed one only where a test
 * of base is gone that was told so, and a new or changed one of the work may be told so by now. Where nothing else can
 * be meant it is that one; where others are called alike, or a program makes the names, it has to be asked by a name of
 * its own. What another test explains that reads as on base is that one, under whatever name it is reported.
 */
export function wordsOn(
  { declared, kept, moved, gone, around }: ChangedTests,
  onBase: readonly TestCase[],
  onHead: readonly TestCase[],
): (test: TestCase, isNew: boolean, isTwin: boolean) => Word {
  const known = new Set(onBase.map(({ id }) => id));
  const [then, now] = [placesIn(onBase), placesIn(onHead)];
  const explaining = (test: TestCase) => kept.filter((one) => now(one).exact.has(test.id));
  // Where nothing else on base could have been meant, nothing else can be now.
  const changedOf = (test: TestCase): Word => {
    const before = gone.filter((one) => then(one).ids.has(test.id));
    if (before.length === 0) return undefined;
    const others = explaining(test);
    if (others.length > 0) return isAnyAsGood(test, before, then, others) ? 'twin' : undefined;
    const isIt = (one: Declared) => one.isUnnamed || isOnly(then(one), one, test);
    return before.some(isIt) ? 'own' : 'twin';
  };
  const movedOf = (test: TestCase, ones: readonly Declared[]): Word => {
    const others = explaining(test);
    return others.length === 0 ? 'own' : isAnyAsGood(test, ones, now, others) ? 'twin' : undefined;
  };
  /** One that merely stands elsewhere, whatever a loop of the work may make. */
  const isMoved = ({ id }: TestCase, others: readonly Declared[]) =>
    others.length > 0 && others.every((one) => moved.has(one) && testOf(id, one.path, false) === id);
  /** A twin that nothing else explains is another row of a table or loop, whose text is the same. */
  const newOf = (test: TestCase, isTwin: boolean, ones: readonly Declared[]): Word => {
    const others = explaining(test).filter(isPlain);
    if (isTwin) return others.length > 0 && ones.length === 0 && mayUse(test, around) ? undefined : 'twin';
    if (!isMoved(test, others)) return 'own';
    // Another one of the work may be called just so.
    return ones.some((one) => isPlain(one) && now(one).exact.has(test.id)) ? 'twin' : undefined;
  };
  return (test, isNew, isTwin) => {
    const ones = declared.filter((one) => now(one).ids.has(test.id));
    if (isNew) return newOf(test, isTwin, ones);
    if (ones.length === 0) return undefined;
    if (isTwin) return 'twin';
    return known.has(test.id) ? changedOf(test) : movedOf(test, ones);
  };
}

/** Tests of a report that may be a declared one. */
interface Places {
  readonly ids: ReadonlySet<string>;
  /** Those among them that are called and stand as it does, and no more than that. */
  readonly exact: ReadonlySet<string>;
  /** How many tests these are, whatever rows they have. */
  readonly count: number;
  /** They are told by all that the declared one stands in, and not by a part of their name alone. */
  readonly isSure: boolean;
}

/** Where a report names files, all tests of one are known that may have made several names. */
const isOnly = ({ count, isSure }: Places, { name }: Declared, { file }: TestCase) =>
  isSure && (count === 1 || (file !== undefined && saysSomething(name)));

const saysSomething = (name: string): boolean =>
  !name.startsWith('(') && name.split(FILLED).some((part) => /\w/.test(part));

/** By what it is called and stands in; where no test is told so, by its name alone, since a program may put it together. */
function placesIn(tests: readonly TestCase[]): (one: Declared) => Places {
  const known = new Map<Declared, Places>();
  return (one) => {
    const places = known.get(one) ?? placesOf(tests, one);
    known.set(one, places);
    return places;
  };
}

function placesOf(tests: readonly TestCase[], one: Declared): Places {
  const { path, name, chain, isUnnamed, isLone } = one;
  const there = tests.filter((test) => isIn(test, path));
  const isMeant = (test: TestCase) => isPlain(one) || isNamedAlike(test.id, name);
  const exact = nearestTo(
    path,
    there.filter((test) => isExactly(test, path, chain) && isMeant(test)),
  );
  // A function of a script may be called in several groups.
  const isFixed = exact.length > 0 && languageOf(path) !== 'js';
  const within = isFixed ? exact : there.filter((test) => isWithin(test, path, chain) && isMeant(test));
  const isSure = isUnnamed || within.length > 0;
  const found = isUnnamed ? there : isSure ? within : there.filter((test) => isNamedAlike(test.id, name));
  return {
    ids: new Set(found.map(({ id }) => id)),
    exact: new Set(exact.map(({ id }) => id)),
    count: new Set(found.map(({ id }) => testOf(id, path, isLone))).size,
    isSure,
  };
}

/** Whether a test may stand in a file: reports need not say. */
export const isIn = ({ file }: TestCase, path: string): boolean => file === undefined || file === path;

/** Whether a test stands where something beside the tests reads differently, or where any test may use that. */
export const mayUse = (test: TestCase, around: ChangedTests['around']): boolean =>
  around.some(({ path, isShared }) => isShared || isIn(test, path));

const isPlain = ({ chain }: Declared): boolean => chain.at(-1) !== undefined;

/** Whether some of these explain a test as well as the others do: a name that is put together explains it less well. */
const isAnyAsGood = (
  { id }: TestCase,
  some: readonly Declared[],
  places: (one: Declared) => Places,
  others: readonly Declared[],
): boolean => !others.some(isPlain) || some.some((one) => isPlain(one) && places(one).exact.has(id));

/** Whether the name of a declared test stands in an id, and not as a part of a longer word. */
export function isNamed(id: string, name: string): boolean {
  const at = name === '' ? -1 : id.lastIndexOf(name);
  const isPart = (inside: string, beside: string) => /\w/.test(inside) && /\w/.test(beside);
  const [first, last] = [name.charAt(0), name.charAt(name.length - 1)];
  return at >= 0 && !isPart(first, id.charAt(at - 1)) && !isPart(last, id.charAt(at + name.length));
}

/** The same for names that are put together, or have escapes: all their parts stand in the id. One that is no text may be any. */
export function isNamedAlike(id: string, name: string): boolean {
  if (name.startsWith('(')) return true;
  const parts = name.split(PUT_TOGETHER);
  return parts.length > 1 ? parts.every((part) => id.includes(part)) : isNamed(id, name);
}

const PUT_TOGETHER = new RegExp(`${FILLED.source}|\\\\(?:u\\{[^}]*\\}|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|.)`);
