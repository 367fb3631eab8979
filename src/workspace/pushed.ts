import { isAncestor } from './ancestor.ts';
import type { AskGit } from './received.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A commit as its object has it: replacements and grafts do not count. */
export interface PushedCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

const ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** True for a whole object id. */
export const isId = (text: string): boolean => ID.test(text);

/** True for the id that git writes where there is nothing. */
export const isNothing = (id: string): boolean => /^0+$/.test(id);

/** The commit with this id, undefined where there is none or the object is no commit. */
export function pushedCommit(ask: AskGit, id: string): PushedCommit | undefined {
  if (!isId(id) || isNothing(id)) return undefined;
  const output = ask(['cat-file', '--batch'], `${id}\n`);
  const end = output.indexOf(10);
  const [found, type] = output.toString('latin1', 0, end).split(' ');
  if (found !== id || type !== 'commit') return undefined;
  const text = output.toString('latin1', end + 1);
  const head = text.slice(0, Math.max(0, text.indexOf('\n\n'))).split('\n');
  const named = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ''] = named('tree');
  return isId(tree) ? { id, tree, parents: named('parent').filter(isId) } : undefined;
}

/** Whether `newer` contains `older`; false where one of the two is not here. */
export const contains = (ask: AskGit, newer: string, older: string): boolean => isAncestor(ask, older, newer);

/**
 * Whether the first parents of `newer` lead to `older`, which then stays a step of the branch; false where one of the two
 * is not here. A merge that names the branch as its second parent contains it, and passes by what landed there.
 */
export function standsOn(ask: AskGit, newer: string, older: string): boolean {
  if (newer === older) return true;
  if (!contains(ask, newer, older)) return false;
  const steps = ask(['rev-list', '--first-parent', '--parents', newer, `^${older}`]).toString('utf8');
  const [, parent] = (steps.trimEnd().split('\n').at(-1) ?? '').split(' ');
  return parent === older;
}

/** One path that differs between two trees, with mode and id on both sides. */
export interface TreeChange {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

const RAW = ['-r', '-z', '--no-renames', '--ignore-submodules=none'];

/** Every path that differs between two trees. Throws BAD_NAME for a name that cannot be told from others, GIT_FAILED. */
export function treeChanges(ask: AskGit, older: string, newer: string): readonly TreeChange[] {
  if (older === newer) return [];
  const fields = textOf(ask(['diff-tree', '--raw', '--no-abbrev', ...RAW, '--end-of-options', older, newer]));
  const parts = fields.split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [fromMode = '', toMode = '', fromId = '', toId = ''] = (parts[at] ?? '').slice(1).split(' ');
    const path = parts[at + 1] ?? '';
    // What tells what was touched has lines of its own between the names.
    if (path.includes('\n'))
      throw new WorkspaceError(
        'BAD_NAME',
        `The path ${JSON.stringify(path)} has a line break, and cannot be judged.`,
      );
    changes.push({ path, from: `${fromMode} ${fromId}`, to: `${toMode} ${toId}` });
  }
  return changes;
}

/** Steps of a branch that are looked back; who is further behind has the work verified again. */
export const MOST_STEPS = 2_000;

/**
 * The paths that anything changed which landed on a branch after `base`, one step of its first parents after the other,
 * so that what was changed and changed back is among them. Undefined where `base` is none of the last 2,000 steps.
 */
export function touchedSince(ask: AskGit, base: string, tip: string): ReadonlySet<string> | undefined {
  const args = ['rev-list', '--first-parent', `--max-count=${MOST_STEPS}`, '--format=%H %T', tip];
  const steps = ask(args).toString('utf8').split('\n').filter(isStep);
  const end = steps.findIndex((line) => line.startsWith(`${base} `));
  if (end < 0) return undefined;
  const trees = steps.slice(0, end + 1).map((line) => line.slice(line.indexOf(' ') + 1));
  const pairs = trees.slice(1).map((tree, at) => `${tree} ${trees[at]}\n`);
  if (pairs.length === 0) return new Set();
  const output = textOf(ask(['diff-tree', '--stdin', '--name-only', ...RAW], pairs.join('')));
  return new Set(output.split('\0').map((field) => field.replace(PAIRS, '')));
}

const isStep = (line: string) => /^[0-9a-f]+ [0-9a-f]+$/.test(line);
/** What git writes before the paths of each pair of trees; a pair without a difference is followed by the next at once. */
const PAIRS = /^(?:[0-9a-f]{40,64} [0-9a-f]{40,64}\n)+/;

function textOf(output: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output);
  } catch (cause) {
    throw new WorkspaceError('BAD_NAME', 'A path of the change is not UTF-8, and cannot be judged.', {
      cause,
    });
  }
}

/** A ref and where it stands. */
export interface StandingRef {
  readonly ref: string;
  readonly id: string;
}

/** The refs below a folder of refs, such as `refs/heads/`; at most `most` of them, by name unless another order is asked for. */
export function refsBelow(
  ask: AskGit,
  folder: string,
  most: number,
  order = 'refname',
): readonly StandingRef[] {
  const format = '--format=%(objectname) %(refname)';
  const lines = ask(['for-each-ref', `--count=${most}`, `--sort=${order}`, format, folder]);
  return lines
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ id: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }));
}

/** Where the refs of a repository stand, and which of them stand for others. */
export interface Standing {
  /** Ids by ref. */
  readonly ids: ReadonlyMap<string, string>;
  /** For refs that stand for others: the one that an update of it moves in the end. */
  readonly targets: ReadonlyMap<string, string>;
}

/** All refs, as they stand now. One git process. */
export function standingNow(ask: AskGit): Standing {
  const lines = ask(['for-each-ref', '--format=%(objectname) %(refname) %(symref)']).toString('utf8');
  const refs = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
  const next = new Map(
    refs.flatMap(([, ref = '', to = '']): [string, string][] => (to === '' ? [] : [[ref, to]])),
  );
  const end = (ref: string, steps: number): string => {
    const to = next.get(ref);
    return to === undefined || steps === 0 ? ref : end(to, steps - 1);
  };
  return {
    ids: new Map(refs.map(([id = '', ref = '']) => [ref, id])),
    targets: new Map([...next.keys()].map((ref) => [ref, end(ref, 10)])),
  };
}

/** The branch that HEAD names, '' where it names a commit. */
export function branchOfHead(ask: AskGit): string {
  try {
    return ask(['symbolic-ref', '--quiet', 'HEAD']).toString('utf8').trim();
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return '';
    throw error;
  }
}

/** The commit at HEAD, '' before there is one. */
export function headOf(ask: AskGit): string {
  const [id = ''] = ask(['cat-file', '--batch-check'], 'HEAD^{commit}\n').toString('utf8').split(' ');
  return isId(id) ? id : '';
}

/** The bytes of a file in a commit, undefined where it has none; throws BAD_NAME where it is longer than `most`. */
export function fileIn(ask: AskGit, commit: string, path: string, most: number): Buffer | undefined {
  const [id = '', type, size] = ask(['cat-file', '--batch-check'], `${commit}:${path}\n`)
    .toString('utf8')
    .trim()
    .split(' ');
  if (!isId(id) || type !== 'blob') return undefined;
  if (Number(size) <= most) return ask(['cat-file', 'blob', id]);
  throw new WorkspaceError('BAD_NAME', `${path} has ${size} bytes; at most ${most} are read.`);
}

/** The ids of one file in many commits; those that do not have it are missing from the answer. One git process. */
export function fileIdsIn(
  ask: AskGit,
  commits: readonly string[],
  path: string,
): ReadonlyMap<string, string> {
  const asked = [...new Set(commits)].filter(isId);
  if (asked.length === 0) return new Map();
  const input = asked.map((commit) => `${commit}:${path}\n`).join('');
  const lines = ask(['cat-file', '--batch-check'], input).toString('utf8').split('\n');
  return new Map(
    asked.flatMap((commit, at): [string, string][] => {
      const [id = '', type] = (lines[at] ?? '').split(' ');
      return isId(id) && type === 'blob' ? [[commit, id]] : [];
    }),
  );
}
