import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf } from './failure-of.ts';
import { runGit } from './git.ts';
import { pastLock } from './half-made.ts';

interface Submodule {
  readonly path: string;
  /** The commit that the index of the tree around it names. */
  readonly commit: string;
}

const text = (tree: string, args: readonly string[]) => runGit(tree, args).toString('utf8').trim();
const isInUse = (path: string) => existsSync(join(path, '.git'));
/** From a repository of this machine, which somebody fetched here before: what git warns of is in its place already. */
const FROM_HERE = ['-c', 'protocol.file.allow=always'];

/** Submodules that a working tree's index names; whether their files are there is another question. */
function submodulesOf(tree: string): readonly Submodule[] {
  if (!existsSync(join(tree, '.gitmodules'))) return [];
  return runGit(tree, ['ls-files', '--stage', '-z'])
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, commit, path] = /^160000 ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
      return commit === undefined || path === undefined ? [] : [{ commit, path }];
    });
}

/**
 * Gives a new working tree the submodules that are in use in `like`, and theirs. They are cloned from what is there, so
 * that nothing has to be reached; only a commit that is not there is fetched from where the submodule comes from.
 */
export function fillSubmodules(like: string, tree: string): void {
  for (const { path, commit } of submodulesOf(tree)) {
    const [source, own] = [join(like, path), join(tree, path)];
    if (!isInUse(source)) continue;
    const at = `submodule.${nameOf(tree, path)}.url=${text(source, ['rev-parse', '--absolute-git-dir'])}`;
    const update = ['submodule', '--quiet', 'update', '--init', '--checkout', '--', path];
    const refused = failureOf(() => runGit(tree, [...FROM_HERE, '-c', at, ...update]));
    if (!isInUse(own) && refused !== undefined) throw refused;
    const origin = original(source);
    if (origin !== '') runGit(own, ['remote', 'set-url', 'origin', origin]);
    if (headOf(own) !== commit) runGit(tree, update);
    fillSubmodules(source, own);
  }
}

/**
 * Brings the submodules in use of a working tree to the commits that its own names. One that is not there is taken from
 * the same submodule in one of `others`, before it is asked for where the submodule comes from.
 */
export function followSubmodules(tree: string, others: () => readonly string[]): void {
  for (const { path, commit } of submodulesOf(tree)) {
    const own = join(tree, path);
    if (!isInUse(own) || headOf(own) === commit) continue;
    const below = () => others().map((other) => join(other, path));
    const from = holds(own, commit) ? undefined : below().find((one) => isInUse(one) && holds(one, commit));
    if (from !== undefined) runGit(own, [...FROM_HERE, 'fetch', '-q', from, commit]);
    // Git would ask for a commit that no branch leads to, although it is there.
    const fetching = holds(own, commit) ? ['--no-fetch'] : [];
    // Of two who have it follow at once one finds git's lock there.
    pastLock(() => runGit(tree, ['submodule', '--quiet', 'update', '--checkout', ...fetching, '--', path]));
    followSubmodules(own, below);
  }
}

/** Submodules in use that still stand where `before` has them, although the working tree names another commit: they could not follow. */
export function submodulesBehind(tree: string, before: string): readonly string[] {
  return submodulesOf(tree).flatMap(({ path, commit }) => {
    const own = join(tree, path);
    const head = isInUse(own) ? headOf(own) : commit;
    if (head === commit) return [];
    const [, was] = /^160000 commit ([0-9a-f]+)\t/.exec(text(tree, ['ls-tree', before, '--', path])) ?? [];
    return head === was ? [path] : [];
  });
}

/** Submodules whose commits are neither where they come from, as far as is known here, nor in the same submodule of `main`. */
export function unsavedSubmodules(tree: string, main: string): readonly string[] {
  return submodulesOf(tree).flatMap(({ path }) => {
    const [own, kept] = [join(tree, path), join(main, path)];
    if (!isInUse(own) || own === kept) return [];
    const made = text(own, ['rev-list', 'HEAD', '--branches', '--not', '--remotes']).split('\n');
    const isKept = (commit: string) => commit === '' || (isInUse(kept) && holds(kept, commit));
    const inner = unsavedSubmodules(own, kept).map((name) => `${path}/${name}`);
    return made.every(isKept) ? inner : [path, ...inner];
  });
}

/** Whether a working tree has files of submodules in it: git itself removes no such tree. */
export const hasSubmodules = (tree: string): boolean =>
  submodulesOf(tree).some(({ path }) => isInUse(join(tree, path)));

const headOf = (path: string) => text(path, ['rev-parse', 'HEAD']);

const holds = (path: string, commit: string): boolean =>
  failureOf(() => runGit(path, ['cat-file', '-e', `${commit}^{commit}`])) === undefined;

/** A submodule is named in .gitmodules, and mostly, but not always, like its path. */
function nameOf(tree: string, path: string): string {
  const args = ['config', '-z', '-f', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const found = runGit(tree, args)
    .toString('utf8')
    .split('\0')
    .find((entry) => entry.slice(entry.indexOf('\n') + 1) === path);
  return found?.slice('submodule.'.length, found.indexOf('\n') - '.path'.length) ?? path;
}

function original(source: string): string {
  let url = '';
  failureOf(() => {
    url = text(source, ['config', '--get', 'remote.origin.url']);
  });
  return url;
}
