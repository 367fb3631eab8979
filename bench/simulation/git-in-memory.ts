import type { ClaimedWork, GitPort } from '../../src/engine/ports.ts';
import type { Repository } from './repository.ts';

export class NoSuchCommit extends Error {
  override readonly name = 'WorkspaceError';
  readonly code = 'GIT_FAILED';
}

const MAIN = 'refs/heads/main';

/** What the engine asks of git, answered by a repository in memory. */
export function gitInMemory(of: Repository): GitPort {
  const must = (name: string): string => {
    const found = of.commitOf(name);
    if (found === '') throw new NoSuchCommit(`there is no commit ${name}`);
    return found;
  };
  const notes: string[] = [];
  const textAt = (commit: string, path: string) => of.filesOf(commit).get(path);
  return {
    resolveClaim({ commit: name, base: asked }): ClaimedWork {
      const commit = must(name);
      const base = asked === '' ? of.baseOf(commit, MAIN) || must(MAIN) : must(asked);
      const changed = of.changed(base, commit).map((path) => ({ path, status: 'M' }));
      const { tree = '', parents = [] } = of.get(commit) ?? {};
      return { commit, tree, parents, base, defaultBranch: MAIN, changed };
    },
    heads: () => ({ head: of.commitOf('HEAD'), defaultHead: of.commitOf(MAIN) }),
    defaultBranchRef: () => MAIN,
    namedCommit(name) {
      const commit = of.commitOf(name);
      return commit === '' ? { commit, why: 'missing' } : { commit };
    },
    isAncestor: (older, newer) => of.isAncestor(older, newer),
    differing: (one, other, paths) => paths.filter((path) => textAt(one, path) !== textAt(other, path)),
    covered: (at, works) =>
      works.map(({ commit, paths }) => ({
        changed: commit === at ? [] : paths.filter((path) => textAt(commit, path) !== textAt(at, path)),
        held: of.isAncestor(commit, at),
      })),
    commitsBetween: (older, newer) =>
      of
        .between(older, newer)
        .filter(({ sha }) => of.isAncestor(older, sha))
        .map(({ sha }) => sha)
        .reverse(),
    readAt(commit, path) {
      const text = textAt(commit, path);
      return text === undefined ? undefined : Buffer.from(text);
    },
    listAt: (commit, folder) =>
      [...of.filesOf(commit).keys()].filter((path) => path.startsWith(`${folder}/`)),
    isDirty: async () => false,
    anchor(note) {
      notes.unshift(note);
      return of.commitOf(MAIN);
    },
    anchors: () => notes,
  };
}
