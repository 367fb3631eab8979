import { readConfig } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';

/** The branch that tasks land on, and every place where its commits can be seen. */
export interface MainBranch {
  /** Full name of the branch of this repository; what is known of the remote's where it has none. */
  readonly here: string;
  /** What is measured against: the same or, in a clone, the remote's. */
  readonly known: string;
  /** Both, and where the remote's was seen last. */
  readonly all: readonly string[];
}

type Around = Pick<Ports, 'git' | 'workspace'>;

/**
 * A clone measures its work against the remote's default branch, and a task lands on the branch of that name here: it is
 * pushed by whoever may (PROTO-239, section 7.4 of the readings). A task lands on the branch that it was begun for.
 */
export async function mainBranch(ports: Around, handle?: Pick<Handle, 'item'>): Promise<MainBranch> {
  const isThere = (ref: string) => ports.workspace.commitOf(ref) !== '';
  const pinned = String(handle?.item.facts.default_branch ?? '');
  const known = pinned.startsWith('refs/') && isThere(pinned) ? pinned : await instead(ports, pinned);
  const name = nameOf(known);
  if (name === '') return { here: known, known, all: [known] };
  const own = `refs/heads/${name}`;
  const here = own === known || isThere(own) ? own : known;
  return { here, known, all: [...new Set([here, known, `refs/remotes/origin/${name}`])] };
}

/** Where the branch that a task lands on stands here or, where it is not here, at the remote; '' where there is none. */
export const landsOn = async (ports: Around, handle?: Pick<Handle, 'item'>): Promise<string> =>
  ports.workspace.commitOf((await mainBranch(ports, handle)).here);

/** Name of the place where the most of it is seen: the remote's where the branch here is behind it. */
export async function furthestMain(ports: Around, handle: Pick<Handle, 'item'>): Promise<string> {
  const { here, all } = await mainBranch(ports, handle);
  const heads = all.map((ref) => ports.workspace.commitOf(ref)).filter((sha) => sha !== '');
  const holdsAll = (ref: string) => {
    const sha = ports.workspace.commitOf(ref);
    return sha !== '' && heads.every((head) => ports.git.isAncestor(head, sha));
  };
  return all.find(holdsAll) ?? here;
}

/** Of a branch that is gone: another one that something names, and never what is checked out just now. */
async function instead(ports: Around, pinned: string): Promise<string> {
  const known = await knownMain(ports);
  const [main] = ports.workspace.worktrees();
  const isChosen = main !== undefined && [main.head, `refs/heads/${main.branch}`].includes(known);
  if (!isChosen || NAMED.test(known) || !pinned.startsWith('refs/')) return known;
  const { defaultBranch } = await readConfig({ git: ports.git });
  const isSaid = defaultBranch !== '' && [known, nameOf(known)].includes(defaultBranch);
  return isSaid ? known : pinned;
}

/** Branches that are the main one by their names alone. */
const NAMED = /^refs\/(?:heads\/(?:main|master)$|remotes\/)/;

/**
 * What is known as the default branch. Where nothing names one it is what the main working tree has checked out: never
 * the branch of the working tree that the caller happens to stand in.
 */
export async function knownMain({ git, workspace }: Around): Promise<string> {
  const { defaultBranch } = await readConfig({ git });
  const ref = git.defaultBranchRef(defaultBranch);
  if (NAMED.test(ref) || ref === defaultBranch || ref === `refs/heads/${defaultBranch}`) return ref;
  const [main] = workspace.worktrees();
  if (main === undefined) return ref;
  return main.branch === '' ? main.head : `refs/heads/${main.branch}`;
}

/** A task lands on the branch that it was begun for, by its name. */
export const goneMain = (name: string) =>
  new EngineError(
    'BAD_INPUT',
    `${name}, for which the task was begun, is not here any more`,
    `a person gives it its name back (git branch -m NEW ${name}), or names what it is called now as default_branch in .countersign/config.yaml there`,
  );

/** Short name of a branch, '' for what is none. */
export const nameOf = (ref: string): string => /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/.exec(ref)?.[1] ?? '';

/** The same as git is given it for a merge, with the remote in front where it is the remote's. */
export const shortOf = (ref: string): string => ref.replace(/^refs\/(?:heads|remotes)\//, '');

/** Heads of the main branch, here and where it was last seen, that are not where the task began. */
export async function mainsSince(ports: Around, handle: Pick<Handle, 'item'>): Promise<readonly string[]> {
  const base = String(handle.item.facts.head ?? '');
  const { all } = await mainBranch(ports, handle);
  const heads = new Set(all.map((name) => ports.workspace.commitOf(name)));
  return [...heads].filter((sha) => sha !== '' && sha !== base);
}
