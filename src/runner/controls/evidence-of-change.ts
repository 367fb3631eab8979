import type { Shown } from '../checks/check.ts';
import type { Report, TestCase } from '../report.ts';
import { isTestFile } from '../test-files.ts';
import { failedIn, named } from './census.ts';
import { type Asking, askingAnew, type FreshTests, freshTestsOf } from './fresh-tests.ts';
import { namedApart } from './named-apart.ts';
import { noticing } from './noticing.ts';
import { type RedGreen, redOnBase, repaired } from './red-on-base.ts';
import { redWithFiles } from './red-with-files.ts';
import { looseModules } from './stray-files.ts';
import { against, boundedBy, isProblem, type Problem, type Suite } from './suite.ts';
import { hasStructure } from './work.ts';

/** The run of the work as it was claimed. */
interface Head {
  readonly report: Report;
  readonly durationMs: number;
}

/**
 * Whether the tests show the change: red on base and green on head. Tests that could not even be loaded on base, and
 * tests that are the whole change, have to notice a change of the code instead: anything is red where it cannot run.
 * Only tests that ask for something which base's did not can show it, and those that failed there as base has them.
 */
export async function evidenceOfChange(
  suite: Suite,
  onBase: Report,
  head: Head,
  notes: string[],
  shows: Shown[],
  red?: Promise<Report | Problem>,
): Promise<Problem | undefined> {
  const onHead = head.report;
  const bounded = boundedBy(suite, head.durationMs);
  const fresh = await freshTestsOf(suite, onBase, onHead);
  const asking = await askingAnew(suite, fresh, onBase, onHead);
  if (suite.context.item.kind === 'tests') return ofTestsAlone(bounded, fresh, asking, notes);
  const isShowing = showing(asking, onBase);
  const found = await redAndGreen(suite, fresh, { onBase, onHead, red }, isShowing);
  if (isProblem(found)) return found;
  const failed = found.failed.filter(isShowing);
  notes.push(
    `red on base, green on head: ${failed.length} tests, and ${found.absent.length} that base could not load`,
  );
  notes.push(...(await loosely(suite)));
  if (failed.length === 0) {
    const said = await ofAbsent(bounded, found, asking, notes);
    if (isProblem(said)) return said;
    if (!said.noticed) return undefined;
  }
  shows.push('red-green');
  return undefined;
}

/** A test of base, word for word, that passed there asks for nothing new, whatever it missed meanwhile. */
function showing({ own, twins, perhaps }: Asking, onBase: Report): (id: string) => boolean {
  const ids = new Set([...own, ...twins, ...perhaps, ...failedIn(onBase)].map(({ id }) => id));
  return (id) => ids.has(id);
}

async function ofTestsAlone(
  suite: Suite,
  { where }: FreshTests,
  asking: Asking,
  notes: string[],
): Promise<Problem | undefined> {
  const { own, twins, perhaps } = asking;
  if (where === 'nowhere' || own.length + twins.length + perhaps.length === 0)
    return against('no-new-test', 'no test is new, or asks for anything else than it did');
  const who = 'the new tests';
  const said =
    own.length + twins.length > 0
      ? await ofOwn(suite, asking, who, notes)
      : await noticing(suite, perhaps, who, notes);
  return isProblem(said) ? said : undefined;
}

/** Those of base, which use another table or helper now, are about code that is new as a whole, else about what was there. */
async function ofAbsent(
  suite: Suite,
  { absent }: RedGreen,
  asking: Asking,
  notes: string[],
): Promise<{ readonly noticed: boolean } | Problem> {
  const ids = new Set(absent);
  const among = (tests: readonly TestCase[]) => tests.filter(({ id }) => ids.has(id));
  const [own, twins, second] = [among(asking.own), among(asking.twins), among(asking.perhaps)];
  const who = 'tests that base could not load, and which';
  if (own.length + twins.length > 0) return ofOwn(suite, { ...asking, own, twins }, who, notes);
  if (second.length > 0) return noticing(suite, second, who, notes, 'added');
  const how = absent.length > 0 ? 'cannot be loaded' : 'fail';
  return against(
    'no-red-on-base',
    `tests of base ${how} there with what the work brings, and none of them asks for anything else than it did: add a test of the change`,
  );
}

/** What is told from base's tests is asked first, and what is called alike where that noticed nothing. */
async function ofOwn(suite: Suite, asking: Asking, who: string, notes: string[]) {
  const { own, twins } = asking;
  if (own.length === 0) return ofTwins(suite, asking, who, notes);
  const said = await noticing(suite, own, who, notes);
  const isOver = twins.length === 0 || !isProblem(said) || said.outcome !== 'fail';
  return isOver ? said : ofTwins(suite, asking, who, notes);
}

/**
 * New tests that are called like others are asked by names of their own. Where they cannot have any, none of them counts
 * for work that is tests alone, nor where there are more of them than on base: whether base's own notice something is no
 * news. Assertions have no names but what they say, and are asked as they are.
 */
async function ofTwins(suite: Suite, { changed, twins, isTwin }: Asking, who: string, notes: string[]) {
  const apart = await namedApart(suite, changed);
  if (isProblem(apart)) return apart;
  if (apart.witnesses.length > 0) return noticing(apart.suite, apart.witnesses, who, notes);
  if (suite.context.item.kind !== 'tests' && !twins.some(isTwin)) {
    const said = await noticing(suite, twins, who, notes, 'added');
    return isProblem(said) && said.outcome === 'fail'
      ? against(said.reason, `${said.explanation}; ${OTHERWISE}`)
      : said;
  }
  return changed.declared.some(({ isUnnamed }) => isUnnamed)
    ? noticing(suite, twins, who, notes)
    : against(
        'no-red-on-base',
        `${who} are called as tests of base are, and which of them are new is not told: ${OTHERWISE}`,
      );
}

const OTHERWISE = 'give new tests names that no other test has';

async function loosely({ work, files }: Suite): Promise<readonly string[]> {
  const loose = await looseModules(work.change, work.addedSources, ({ path }) => isTestFile(path, files));
  return loose.length === 0
    ? []
    : [
        `no changed program of the product names ${named(loose)}: as far as this shows, the tests alone load it`,
      ];
}

interface Runs {
  readonly onBase: Report;
  readonly onHead: Report;
  /** The work's tests on base's source, where that was started before. */
  readonly red: Promise<Report | Problem> | undefined;
}

/** Which tests miss the work where it is not. New examples of the documentation have no source that base could have. */
async function redAndGreen(
  suite: Suite,
  fresh: FreshTests,
  { onBase, onHead, red }: Runs,
  isShowing: (id: string) => boolean,
): Promise<RedGreen | Problem> {
  if (fresh.where === 'tests')
    return hasStructure(suite.work)
      ? redWithFiles(suite, fresh.inline, onHead, isShowing, red)
      : redOnBase(suite, fresh.inline, onHead, red);
  if (fresh.where === 'documentation') return { failed: [], absent: [...fresh.ids] };
  return repaired(onBase, onHead);
}
