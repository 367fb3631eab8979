import type { Change } from '../change.ts';
import type { BadFile } from './bad-work.ts';

/** The commit that bad work begins with. */
interface Commit {
  /** Hex id of its tree. */
  readonly tree: string;
  read(path: string): Promise<Buffer | undefined>;
}

/** What bad work is said to have changed, on top of a commit; asked for each time, as it is known only once it is made. */
export function changeOf(commit: Commit, told: () => readonly BadFile[]): Change {
  const content = (side: 'before' | 'after') => async (path: string) => {
    const file = told().find((one) => one.path === path);
    const text = file?.[side];
    if (file === undefined) return commit.read(path);
    return text === undefined ? undefined : Buffer.from(text);
  };
  const base = {
    paths: async () => told().flatMap(({ path, before }) => (before === undefined ? [] : [path])),
    async read(paths: readonly string[]) {
      const found = new Map<string, Buffer>();
      for (const path of paths) {
        const bytes = await content('before')(path);
        if (bytes !== undefined) found.set(path, bytes);
      }
      return found;
    },
  };
  return {
    baseTree: commit.tree,
    base,
    get files() {
      return told().map((file) => ({ path: file.path, status: statusOf(file) }));
    },
    before: content('before'),
    after: content('after'),
  };
}

function statusOf({ before, after }: BadFile): 'added' | 'modified' | 'deleted' {
  if (before === undefined) return 'added';
  return after === undefined ? 'deleted' : 'modified';
}
