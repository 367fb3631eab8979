import { createHash } from 'node:crypto';

/** Files of a commit by path. */
export type Tree = ReadonlyMap<string, string>;

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Place in the order in which commits were made. */
  readonly at: number;
}

export interface CheckedOut {
  readonly path: string;
  /** '' where it stands on no branch. */
  readonly branch: string;
  /** Of a tree on no branch. */
  readonly detached: string;
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40);

/**
 * A repository in memory: commits, refs and working trees, by the same rules as git as far as the engine asks. Nobody
 * edits a working tree here: work is committed at once, as an agent would. It is no part of what is tested, and
 * `tests/simulation/likeness.test.ts` holds it against git.
 */
export class Repository {
  readonly #commits = new Map<string, Commit>();
  readonly #trees = new Map<string, Tree>();
  readonly refs = new Map<string, string>();
  readonly trees: CheckedOut[];

  constructor(main: string, files: Readonly<Record<string, string>>) {
    this.trees = [{ path: main, branch: 'main', detached: '' }];
    this.commit('main', files, 'begin', []);
  }

  /** Another one that holds the same, and goes its own way. */
  copy(): Repository {
    const other = new Repository('', {});
    other.refs.clear();
    for (const [name, id] of this.refs) other.refs.set(name, id);
    other.trees.splice(0, 1, ...this.trees);
    for (const [id, commit] of this.#commits) other.#commits.set(id, commit);
    for (const [id, tree] of this.#trees) other.#trees.set(id, tree);
    return other;
  }

  /** The full id of a commit, '' for none. */
  commitOf(name: string): string {
    const [base = '', up] = name.split('^', 2);
    const found = this.#named(base);
    if (up === undefined) return found;
    return this.#commits.get(found)?.parents[0] ?? '';
  }

  #named(name: string): string {
    if (this.#commits.has(name)) return name;
    if (name === 'HEAD') return this.headOf(this.trees[0] as CheckedOut);
    for (const place of ['', 'refs/', 'refs/heads/', 'refs/remotes/']) {
      const found = this.refs.get(`${place}${name}`);
      if (found !== undefined) return found;
    }
    if (!/^[0-9a-f]{7,}$/.test(name)) return '';
    return [...this.#commits.keys()].find((id) => id.startsWith(name)) ?? '';
  }

  headOf({ branch, detached }: CheckedOut): string {
    return branch === '' ? detached : (this.refs.get(`refs/heads/${branch}`) ?? '');
  }

  get(commit: string): Commit | undefined {
    return this.#commits.get(this.commitOf(commit));
  }

  filesOf(commit: string): Tree {
    return this.#trees.get(this.get(commit)?.tree ?? '') ?? new Map();
  }

  keepTree(files: Tree): string {
    const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const id = sha(`tree ${JSON.stringify(sorted)}`);
    this.#trees.set(id, new Map(sorted));
    return id;
  }

  make(tree: string, parents: readonly string[], message: string): string {
    const at = this.#commits.size;
    const id = sha(`commit ${at} ${tree} ${parents.join(' ')} ${message}`);
    this.#commits.set(id, { sha: id, tree, parents, message, at });
    return id;
  }

  /** Commits files on a branch, which is made where it is not there. Answers the commit. */
  commit(
    branch: string,
    files: Readonly<Record<string, string>>,
    message: string,
    parents: readonly string[] = [this.commitOf(branch) || this.commitOf('main')],
  ): string {
    const before = parents[0] === undefined ? new Map() : this.filesOf(parents[0]);
    const id = this.make(this.keepTree(new Map([...before, ...Object.entries(files)])), parents, message);
    this.refs.set(`refs/heads/${branch}`, id);
    return id;
  }

  /** A commit with all that lead to it. */
  history(commit: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const open = [this.commitOf(commit)];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const found = this.#commits.get(id);
      if (found === undefined || seen.has(id)) continue;
      seen.add(id);
      open.push(...found.parents);
    }
    return seen;
  }

  isAncestor(older: string, newer: string): boolean {
    const id = this.commitOf(older);
    return id !== '' && this.history(newer).has(id);
  }

  /** The latest commit that both have, '' for none. */
  baseOf(one: string, other: string): string {
    const mine = this.history(one);
    const both = [...this.history(other)].filter((id) => mine.has(id));
    const at = (id: string) => this.#commits.get(id)?.at ?? -1;
    return both.toSorted((a, b) => at(b) - at(a))[0] ?? '';
  }

  /** Commits of `newer` that `older` does not have, the oldest first. */
  between(older: string, newer: string): readonly Commit[] {
    const before = this.history(older);
    return [...this.history(newer)]
      .filter((id) => !before.has(id))
      .flatMap((id) => this.#commits.get(id) ?? [])
      .toSorted((a, b) => a.at - b.at);
  }

  changed(older: string, newer: string): readonly string[] {
    const [one, other] = [this.filesOf(older), this.filesOf(newer)];
    const paths = new Set([...one.keys(), ...other.keys()]);
    return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
  }

  /** What a commit comes to on top of another. */
  merged(onto: string, commit: string): { readonly tree: string; readonly conflicts: readonly string[] } {
    const base = this.baseOf(onto, commit);
    const [was, ours, theirs] = [base, onto, commit].map((id) => this.filesOf(id)) as [Tree, Tree, Tree];
    const files = new Map(ours);
    const conflicts: string[] = [];
    for (const path of this.changed(base, commit)) {
      const [wanted, mine] = [theirs.get(path), ours.get(path)];
      if (mine !== was.get(path) && mine !== wanted) conflicts.push(path);
      else if (wanted === undefined) files.delete(path);
      else files.set(path, wanted);
    }
    return conflicts.length > 0 ? { tree: '', conflicts } : { tree: this.keepTree(files), conflicts };
  }
}
