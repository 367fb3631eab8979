import type { BaseFiles, ChangedFile } from '../change.ts';
import { isTestFile } from '../test-files.ts';
import { isDocument } from './documents.ts';
import { entriesOf } from './entries.ts';
import { isProgram, listingOf } from './listing.ts';
import { mentionedIn } from './mentions.ts';
import { isProtectedPath } from './protected.ts';

/** Folders with programs for those who work on the product, which may well load its documentation or its tests. */
const WORKSHOP =
  /(?:^|\/)(?:scripts?|tools?|bench(?:marks?)?|examples?|website|site|node_modules|vendor|third_party)\//;

/** How many files are read at once; their texts are not kept. */
const portion = 500;

/**
 * Changed programs that by their place are documentation or tests, and that the product of base loads: they are part of
 * it, whatever their folder is called.
 */
export async function loadedAside(
  files: readonly ChangedFile[],
  base: BaseFiles,
  testPatterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const isAside = (path: string) => isTestFile(path, testPatterns) || isDocument(path);
  const open = files
    .filter(({ path, status }) => status !== 'added' && isProgram(path) && isAside(path))
    .map(({ path }) => path);
  if (open.length === 0) return new Set();
  const listing = listingOf(await base.paths());
  const isProduct = (path: string) =>
    isProgram(path) && !isAside(path) && !isProtectedPath(path) && !WORKSHOP.test(path);
  const found = new Set([...(await entriesOf(base, listing)).files, ...[...listing.paths].filter(isProduct)]);
  for (let queue = [...found]; queue.length > 0; ) {
    const contents = await base.read(queue.splice(0, portion));
    for (const [path, bytes] of contents)
      for (const named of mentionedIn(path, bytes.toString('utf8'), listing)) {
        if (found.has(named) || !isProgram(named) || WORKSHOP.test(named)) continue;
        found.add(named);
        queue.push(named);
      }
  }
  return new Set(open.filter((path) => found.has(path)));
}
