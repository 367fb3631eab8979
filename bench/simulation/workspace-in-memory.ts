import type { WorkspacePort } from '../../src/engine/workspace.ts';
import { NoSuchCommit } from './git-in-memory.ts';
import type { CheckedOut, Commit, Repository } from './repository.ts';

/** Files beside the repository, by absolute path. */
export type Papers = Map<string, string>;

/** Working trees, branches and the files beside them, of a repository in memory; `here`: where the caller stands. */
export function workspaceInMemory(of: Repository, papers: Papers, here: string): WorkspacePort {
  const main = (of.trees[0] as CheckedOut).path;
  const treeAt = (path: string): CheckedOut => {
    const found = of.trees.find((tree) => tree.path === path);
    if (found === undefined) throw new NoSuchCommit(`${path} is no working tree`);
    return found;
  };
  const drop = (path: string) => {
    const at = of.trees.findIndex((tree) => tree.path === path);
    if (at > 0) of.trees.splice(at, 1);
    return at > 0;
  };
  const moveTo = (tree: CheckedOut, commit: string) => void of.refs.set(`refs/heads/${tree.branch}`, commit);
  const add = (tree: CheckedOut) => {
    const taken = of.trees.some(
      ({ path, branch }) => path === tree.path || (branch !== '' && branch === tree.branch),
    );
    if (taken) throw new NoSuchCommit(`${tree.path} or its branch is in use`);
    of.trees.push(tree);
  };
  const inTree = (path: string): string | undefined => {
    const tree = of.trees
      .toSorted((a, b) => b.path.length - a.path.length)
      .find((t) => path.startsWith(`${t.path}/`));
    return tree === undefined ? undefined : of.filesOf(of.headOf(tree)).get(path.slice(tree.path.length + 1));
  };
  const below = (path: string) => [
    ...[...papers.keys(), ...of.trees.map((tree) => tree.path)].filter((name) => name.startsWith(`${path}/`)),
    ...of.trees
      .filter((tree) => tree.path === path)
      .flatMap((tree) => [...of.filesOf(of.headOf(tree)).keys()].map((name) => `${path}/${name}`)),
  ];
  return {
    main,
    here,
    worktrees: () =>
      of.trees.map((tree) => ({ path: tree.path, branch: tree.branch, head: of.headOf(tree) })),
    addWorktree({ path, branch, from }) {
      const start = of.commitOf(from);
      if (start === '') throw new NoSuchCommit(`there is no commit ${from}`);
      add({ path, branch, detached: '' });
      if (of.commitOf(`refs/heads/${branch}`) === '' || of.isAncestor(branch, start))
        of.refs.set(`refs/heads/${branch}`, start);
    },
    addReadingTree: (path, commit) => add({ path, branch: '', detached: of.commitOf(commit) }),
    dropWorktree: (path) => void drop(path),
    removeWorktree(path) {
      if (!drop(path)) throw new NoSuchCommit(`${path} is no working tree`);
    },
    wouldBeLost: () => [],
    workIn: () => [],
    branchesInTheWay: () => [],
    deleteBranch: (branch) => void of.refs.delete(`refs/heads/${branch}`),
    commitOf: (name) => of.commitOf(name),
    isClean: () => true,
    isUnchanged: () => true,
    edited: () => [],
    commits: (older, newer) =>
      of
        .between(older, newer)
        .filter(({ parents }) => parents.length < 2)
        .map((commit) => made(of, commit)),
    merges: (older, newer) => of.between(older, newer).filter(({ parents }) => parents.length > 1),
    ownLine(older, newer) {
      const since = new Set(of.between(older, newer).map(({ sha }) => sha));
      const line: string[] = [];
      for (let at = of.get(newer); at !== undefined && since.has(at.sha); at = of.get(at.parents[0] ?? ''))
        if (at.parents.length < 2) line.push(at.sha);
      return line;
    },
    writtenInMerge({ sha, parents: [one = '', other = ''] }) {
      const { tree } = of.merged(one, other);
      return tree === '' || tree === of.get(sha)?.tree ? [] : of.changed(one, sha);
    },
    becameOf({ from, to, paths }, head) {
      const [was, made, is] = [from, to, head].map((id) => of.filesOf(id));
      return {
        held: paths.filter((path) => is?.get(path) === made?.get(path)),
        lacked: paths.filter(
          (path) => is?.get(path) === was?.get(path) && was?.get(path) !== made?.get(path),
        ),
      };
    },
    // A file is one line here, and held or not.
    leftOf({ to, paths }, head) {
      const [made, is] = [to, head].map((id) => of.filesOf(id));
      return paths.filter((path) => is?.get(path) === made?.get(path));
    },
    changed: (older, newer) => of.changed(older, newer),
    // Nobody reads it here.
    difference: async () => ({ text: '', next: 0, total: 0 }),
    merge(path, branch, message) {
      const tree = treeAt(path);
      const head = of.headOf(tree);
      if (of.isAncestor(branch, head)) return { head, conflicts: [] };
      const found = of.merged(head, branch);
      if (found.conflicts.length > 0) return { head, conflicts: found.conflicts };
      const commit = of.make(found.tree, [head, of.commitOf(branch)], message);
      moveTo(tree, commit);
      return { head: commit, conflicts: [] };
    },
    merged: (onto, commit) => of.merged(onto, commit),
    commitTree: (tree, parent, message) => of.make(tree, [parent], message),
    commitMerge: (tree, parents, message) => of.make(tree, parents, message),
    treeOf: (commit) => of.get(commit)?.tree ?? '',
    moveBranch(branch, from, to) {
      if (of.commitOf(`refs/heads/${branch}`) !== from) return false;
      of.refs.set(`refs/heads/${branch}`, to);
      return true;
    },
    forward(path, commit) {
      const tree = treeAt(path);
      if (!of.isAncestor(of.headOf(tree), commit))
        throw new NoSuchCommit(`${commit} is not ahead of ${path}`);
      moveTo(tree, commit);
    },
    settle: () => undefined,
    behind: () => [],
    push: () => '',
    remotes: () => [],
    readFile(path) {
      const text = papers.get(path) ?? inTree(path);
      return text === undefined ? undefined : Buffer.from(text);
    },
    writeFile: (path, text) => void papers.set(path, Buffer.from(text).toString('utf8')),
    filesBelow: (path) =>
      [...papers.keys()]
        .filter((name) => name.startsWith(`${path}/`))
        .map((name) => name.slice(path.length + 1)),
    names: (path) =>
      [...new Set(below(path).map((name) => name.slice(path.length + 1).split('/')[0] ?? ''))].sort(),
    isFolder: (path) => below(path).length > 0,
    resolved: (path) => path,
    removeFile(path) {
      for (const name of [...papers.keys()])
        if (name === path || name.startsWith(`${path}/`)) papers.delete(name);
    },
  };
}

function made(of: Repository, { sha, parents, message, at }: Commit) {
  const [parent = ''] = parents;
  const before = of.filesOf(parent);
  const paths = of.changed(parent, sha);
  return {
    ...{ sha, author: 'agent', message },
    at: new Date(Date.UTC(2025, 9, 24) + at * 1_000).toISOString(),
    created: paths.filter((path) => !before.has(path)),
    modified: paths.filter((path) => before.has(path)),
  };
}
