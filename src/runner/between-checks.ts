import type { CheckSpec } from './checks/index.ts';
import type { CheckedOut } from './request.ts';
import {
  type Footprint,
  foldersIn,
  footprint,
  namesOfChanged,
  replacedFolders,
  writtenSince,
} from './tracked-files.ts';

/** What is looked at before each check that works in the checkout. */
export interface BetweenChecks {
  look(): Promise<void>;
  /** The folders and the files that were found to be others than those of the commit, whatever was put back since. */
  end(): Promise<{ readonly folders: readonly string[]; readonly files: readonly string[] }>;
}

/**
 * What one check leaves for the next is the commit: folders are those that were made, tracked files have their content,
 * however often a program wrote them anew. `before` is the footprint of the fresh checkout.
 */
export async function betweenChecks(
  checkout: string,
  plan: readonly CheckSpec[],
  before: Footprint,
  out: CheckedOut,
  mayChange: boolean,
): Promise<BetweenChecks> {
  const made = await foldersIn(checkout, plan, before, mayChange);
  const folders = new Set<string>();
  const files = new Set<string>();
  const lookAtFolders = async () => {
    for (const path of await replacedFolders(checkout, made)) folders.add(path);
  };
  let seen = before;
  return {
    async look() {
      await lookAtFolders();
      if (mayChange || !writtenSince(checkout, seen)) return;
      const now = await footprint(checkout, before.keys());
      if ((await out.treeNow().catch(() => '')) !== out.tree) files.add(await namesOfChanged(checkout, seen));
      seen = now;
    },
    async end() {
      await lookAtFolders();
      return { folders: [...folders], files: [...files] };
    },
  };
}
