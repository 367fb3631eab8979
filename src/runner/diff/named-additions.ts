import type { Change, ChangedFile } from '../change.ts';
import { listingOf } from './listing.ts';
import { mentionedIn } from './mentions.ts';

const between = /[\s"'`,;:()=[\]{}<>|&]+/;

/**
 * The new files that these files name on head, directly or through one another: whoever signs for the one has to see the
 * other. Looked up among the new files alone, so that none hides behind a file of base of nearly the same name.
 */
export async function namedAdditions(
  change: Change,
  files: readonly ChangedFile[],
): Promise<readonly ChangedFile[]> {
  const listing = listingOf(change.files.filter(({ status }) => status === 'added').map(({ path }) => path));
  if (listing.paths.size === 0) return [];
  const found = new Set<string>();
  const queue = files.map(({ path }) => path);
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const text = (await change.after(path))?.toString('utf8') ?? '';
    // Recipes and scripts of a manifest name files without quotes of their own.
    const words = text.split(between).map((word) => JSON.stringify(word));
    for (const next of mentionedIn(path, `${text}\n${words.join('\n')}`, listing)) {
      if (found.has(next)) continue;
      found.add(next);
      queue.push(next);
    }
  }
  return change.files.filter(({ path }) => found.has(path));
}
