import type { Change, ChangedFile } from '../change.ts';
import { entriesOf } from '../diff/entries.ts';
import { isProgram, listingOf } from '../diff/listing.ts';
import { mentionedIn } from '../diff/mentions.ts';
import { readTests } from '../diff/read-tests.ts';
import { isTestFile } from '../test-files.ts';
import { asserts } from './asserts.ts';

const SOURCES = /(?:^|\/)(?:src|lib|app|source|pkg|internal)\//;
const KEPT_FOR_TESTS = /(?:^|\/)(?:__\w+__|[\w-]*fixtures?|testdata|goldens?)\//;

/** How many files are read at once; their texts are not kept. */
const PORTION = 500;

/**
 * Changed programs that lie where tests lie, as in `src/spec/`, and are the product's: sources load them, and they neither
 * declare tests nor assert anything. Who puts the tests' own programs among these has to let the product load them.
 */
export async function productAside(
  change: Change,
  patterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for (const file of change.files) if (await mayBeProduct(file, change, patterns)) open.add(file.path);
  if (open.size === 0) return open;
  const found = await loadedFrom(change, patterns, open);
  return new Set([...open].filter((path) => found.has(path)));
}

/** What the sources of the work load of these, also through others of them. */
async function loadedFrom(
  change: Change,
  patterns: readonly string[],
  open: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const changed = new Map(change.files.map(({ path, status }) => [path, status]));
  const all = new Set([...(await change.base.paths()), ...changed.keys()]);
  const listing = listingOf([...all].filter((path) => changed.get(path) !== 'deleted'));
  const isBeside = (path: string) => isProgram(path) && !isTestFile(path, patterns);
  const sources = [...listing.paths].filter((path) => SOURCES.test(path) && !asserts(path, ''));
  const { files } = await entriesOf(change.base, listing);
  const found = new Set([...files, ...sources].filter(isBeside));
  for (const queue = [...found]; queue.length > 0; ) {
    const texts = await textsOf(change, changed, queue.splice(0, PORTION));
    for (const [path, text] of texts)
      for (const named of mentionedIn(path, text, listing)) {
        if (!open.has(named) || found.has(named)) continue;
        found.add(named);
        queue.push(named);
      }
  }
  return found;
}

async function textsOf(
  change: Change,
  changed: ReadonlyMap<string, unknown>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const old = await change.base.read(paths.filter((path) => !changed.has(path)));
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = changed.has(path) ? await change.after(path) : old.get(path);
    texts.set(path, bytes?.toString('utf8') ?? '');
  }
  return texts;
}

async function mayBeProduct(
  { path, status }: ChangedFile,
  change: Change,
  patterns: readonly string[],
): Promise<boolean> {
  if (status === 'deleted' || !isProgram(path) || !isTestFile(path, patterns) || !SOURCES.test(path))
    return false;
  if (KEPT_FOR_TESTS.test(path)) return false;
  const sides = [await change.before(path), await change.after(path)].map(
    (text) => text?.toString('utf8') ?? '',
  );
  return sides.every((text) => readTests(path, text).tests.length === 0 && !asserts(path, text));
}
