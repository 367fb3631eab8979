import type { BaseFiles, Change } from '../change.ts';
import { isDocument } from '../diff/documents.ts';
import { entriesOf, isManifest } from '../diff/entries.ts';
import { isData, isProgram, type Listing, listingOf } from '../diff/listing.ts';
import { mentionedIn } from '../diff/mentions.ts';
import { isProtectedPath } from '../diff/protected.ts';
import { readTests } from '../diff/read-tests.ts';
import { isRunnerConfig } from '../diff/started/configured.ts';
import { type RunCommand, startedFiles } from '../diff/started/started-files.ts';
import { isTestFile } from '../test-files.ts';
import { asserts } from './asserts.ts';

/**
 * Changed files of base that are no tests by their paths and decide all the same what tests ask: expected values, and
 * helpers that assert, which tests use and the product does not; and files that a command hands to a test runner. A
 * module that only tests happen to import is none of them. Looks at base alone, which the work cannot have prepared.
 */
export function testSupport(
  change: Change,
  patterns: readonly string[],
  commands: readonly RunCommand[],
): Promise<ReadonlySet<string>> {
  const known = answered.get(change) ?? new Map<string, Promise<ReadonlySet<string>>>();
  answered.set(change, known);
  const key = JSON.stringify([patterns, commands]);
  const support = known.get(key) ?? supportOf(change, patterns, commands);
  known.set(key, support);
  return support;
}

// Several checks of a run and its sign-offs ask about one change, and each answer reads every program of base.
const answered = new WeakMap<Change, Map<string, Promise<ReadonlySet<string>>>>();

async function supportOf(
  change: Change,
  patterns: readonly string[],
  commands: readonly RunCommand[],
): Promise<ReadonlySet<string>> {
  const touched = change.files
    .filter(({ path, status }) => status !== 'added' && !isTestFile(path, patterns) && mayMatter(path))
    .map(({ path }) => path);
  if (touched.length === 0) return new Set();
  const { files, tests, isPlace } = await startedFiles(change.base, commands, patterns);
  const contents = textsOf(await change.base.read(touched));
  const found = new Set(
    touched.filter(
      (path) =>
        tests.has(path) || (isPlace(path) && readTests(path, contents.get(path) ?? '').tests.length > 0),
    ),
  );
  const open = touched.filter(
    (path) => !found.has(path) && (!isProgram(path) || asserts(path, contents.get(path) ?? '')),
  );
  if (open.length === 0) return found;
  const graph = await graphOf(change.base, patterns, found, files);
  const product = reached(graph.product, graph.mentions);
  const used = reached(graph.tests, graph.mentions, (path) => !product.has(path) && !graph.plain.has(path));
  return new Set([...found, ...open.filter((path) => used.has(path))]);
}

const mayMatter = (path: string) =>
  !isProtectedPath(path) && !isManifest(path) && (isProgram(path) || (isData(path) && !isText(path)));

/** Words for people; a plain text may as well be what a test compares with. */
const isText = (path: string) => isDocument(path) && !/^(?!(?:docs?)\/).*\.txt$/.test(path);

/** What the files of base name, and where the product and the tests begin. */
interface Graph {
  readonly mentions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tests: readonly string[];
  readonly product: readonly string[];
  /** Programs that are neither tests nor of the kind that could support them. */
  readonly plain: ReadonlySet<string>;
}

/** Folders with programs for those who work on the product. */
const ASIDE = /^(?:scripts?|tools?|bench(?:marks?)?|examples?|docs?|\.github|ci)\//;

/** How many files are read at once; their texts are not kept. */
const portion = 500;

async function graphOf(
  base: BaseFiles,
  patterns: readonly string[],
  more: ReadonlySet<string>,
  started: ReadonlyMap<string, unknown>,
): Promise<Graph> {
  const listing = listingOf(await base.paths());
  const entries = await entriesOf(base, listing);
  const isTest = (path: string) => isTestFile(path, patterns) || more.has(path);
  const programs = [...listing.paths].filter(
    (path) => isProgram(path) && !/(?:^|\/)(?:node_modules|vendor|third_party)\//.test(path),
  );
  const mentions = new Map<string, ReadonlySet<string>>();
  const plain = new Set<string>();
  for (let at = 0; at < programs.length; at += portion)
    for (const [path, text] of textsOf(await base.read(programs.slice(at, at + portion)))) {
      mentions.set(path, mentionedIn(path, text, listing));
      if (!isTest(path) && !isRunnerConfig(path) && !started.has(path) && !asserts(path, text))
        plain.add(path);
    }
  return {
    mentions,
    tests: programs.filter((path) => isTest(path) || isRunnerConfig(path) || started.has(path)),
    product: [...publishedIn(listing, entries), ...[...plain].filter((path) => !ASIDE.test(path))],
    plain,
  };
}

/** What a package hands out, whether it is a program or not. */
const publishedIn = ({ paths }: Listing, entries: { has(path: string): boolean }) =>
  [...paths].filter((path) => entries.has(path));

/** All that is named from these files on, through files that may be passed. */
function reached(
  from: readonly string[],
  mentions: ReadonlyMap<string, ReadonlySet<string>>,
  passes: (path: string) => boolean = () => true,
): ReadonlySet<string> {
  const found = new Set<string>(from);
  const queue = [...from];
  for (let path = queue.pop(); path !== undefined; path = queue.pop())
    for (const next of mentions.get(path) ?? []) {
      if (found.has(next) || !passes(next)) continue;
      found.add(next);
      queue.push(next);
    }
  return found;
}

const textsOf = (contents: ReadonlyMap<string, Buffer>): ReadonlyMap<string, string> =>
  new Map([...contents].map(([path, bytes]) => [path, bytes.toString('utf8')]));
