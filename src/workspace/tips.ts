import { type DefaultBranch, defaultBranch, defaultRefs } from './base.ts';
import { runGit } from './git.ts';
import { foldersOf, isLacking, isMissing, type TreeObject } from './lacking.ts';
import type { Repository } from './repository.ts';

/** Where the repository stands now: commit ids, '' for what does not exist yet. */
export interface Tips {
  readonly head: string;
  readonly defaultHead: string;
  /** What HEAD says of itself; undefined where there is no commit. */
  readonly headCommit: { readonly tree: string; readonly parents: readonly string[] } | undefined;
  /** The branch that `defaultHead` belongs to; its name is looked up when it is asked for. */
  readonly branch: DefaultBranch;
  /** The asked files at each of the two commits, by `COMMIT:PATH`; undefined where the commit has no such file. */
  readonly files: ReadonlyMap<string, Buffer | undefined>;
  /** Those of the files, by the same names, that a commit has and the repository does not. */
  readonly lacking: ReadonlySet<string>;
}

/** HEAD, the default branch (as `defaultBranch` chooses it) and files at both, with one git process. Throws GIT_FAILED, MISSING_OBJECT. */
export function tips(repo: Repository, configured: string, paths: readonly string[]): Tips {
  const refs = [...defaultRefs(configured), 'HEAD'];
  const asked = [...new Set([...paths, ...paths.flatMap(foldersOf)])];
  const names = refs.flatMap((ref) => [`${ref}^{commit}`, ...asked.map((path) => `${ref}:${path}`)]);
  const answers = answersTo(repo, names);
  const found = new Map(names.map((name, n) => [name, answers[n]]));
  const commitOf = (ref: string) => {
    const object = found.get(`${ref}^{commit}`);
    return object?.type === 'commit' ? object.oid : '';
  };
  const { files, lacking } = filesAt(refs, paths, commitOf, (name) => found.get(name));
  const ref = refs.find((name) => name !== 'HEAD' && commitOf(name) !== '') ?? 'HEAD';
  const branch: DefaultBranch = {
    ref,
    get name() {
      return defaultBranch(repo, configured).name;
    },
  };
  const headCommit = commitOf('HEAD') === '' ? undefined : readCommit(found.get('HEAD^{commit}')?.content);
  const defaultHead = ref === 'HEAD' ? '' : commitOf(ref);
  return { head: commitOf('HEAD'), defaultHead, headCommit, branch, files, lacking };
}

/** The files at each commit of some refs, and those of them that are only named there. */
function filesAt(
  refs: readonly string[],
  paths: readonly string[],
  commitOf: (ref: string) => string,
  objectAt: (name: string) => TreeObject | undefined,
): Pick<Tips, 'files' | 'lacking'> {
  const files = new Map<string, Buffer | undefined>();
  const lacking = new Set<string>();
  for (const ref of refs.filter((one) => commitOf(one) !== '')) {
    for (const path of paths) {
      const object = objectAt(`${ref}:${path}`);
      const name = `${commitOf(ref)}:${path}`;
      files.set(name, object?.type === 'blob' ? object.content : undefined);
      if (object === undefined && isLacking(path, (folder) => objectAt(`${ref}:${folder}`)))
        lacking.add(name);
    }
  }
  return { files, lacking };
}

/** Tree and parents stand in the lines before the first empty one. */
function readCommit(content: Buffer | undefined): Tips['headCommit'] {
  const [header = ''] = content?.toString('latin1').split('\n\n', 1) ?? [];
  const named = (word: string) =>
    [...header.matchAll(new RegExp(`^${word} ([0-9a-f]+)$`, 'gm'))].map(([, id = '']) => id);
  const [tree] = named('tree');
  return tree === undefined ? undefined : { tree, parents: named('parent') };
}

/**
 * The answers to some names. Git ends at the first object that a partial clone left out: it is asked again by halves, and
 * what it cannot read is not there. A commit is never taken for absent: another branch would count in its place.
 */
function answersTo(repo: Repository, names: readonly string[]): readonly (TreeObject | undefined)[] {
  try {
    const input = names.map((name) => `${name}\n`).join('');
    return batchAnswers(runGit(repo, ['cat-file', '--batch'], { input }));
  } catch (error) {
    const [name = '', second] = names;
    if (!isMissing(error) || (second === undefined && name.endsWith('^{commit}'))) throw error;
    if (second === undefined) return [undefined];
    const half = Math.ceil(names.length / 2);
    return [...answersTo(repo, names.slice(0, half)), ...answersTo(repo, names.slice(half))];
  }
}

/** The answers of `git cat-file --batch` in the order of the questions; undefined for what is not there. */
function batchAnswers(output: Buffer): readonly (TreeObject | undefined)[] {
  const answers: (TreeObject | undefined)[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [, oid = '', type = '', size = ''] =
      /^([0-9a-f]{40}|[0-9a-f]{64}) (\w+) (\d+)$/.exec(output.toString('utf8', at, end)) ?? [];
    at = end + 1;
    answers.push(size === '' ? undefined : { oid, type, content: output.subarray(at, at + Number(size)) });
    if (size !== '') at += Number(size) + 1;
  }
  return answers;
}
