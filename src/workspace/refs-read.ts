import { type BigIntStats, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** What refs say, as their files hold it. Two equal keys mean: each ref, and each it points through, says the same. */
export interface RefsRead {
  readonly key: string;
  /** The object that a ref leads to, '' for one that is not there. */
  readonly oid: (name: string) => string;
  /** What a symbolic ref points at, '' for a plain one or none. */
  readonly target: (name: string) => string;
}

/** Reads refs without git; undefined where only git can tell. */
export type RefReader = (names: readonly string[]) => RefsRead | undefined;

/**
 * Reads refs from their files, anew at every call: HEAD and the loose ones by their content, packed ones by the content of
 * their file for as long as its stamp stands. Whatever is not of the plainest form (another ref backend, links, refs of
 * one worktree alone, odd names, unreadable files) is left to git.
 */
export function refReader(repo: Repository): RefReader {
  const config = stamped(join(repo.commonDir, 'config'));
  const packed = stamped(join(repo.commonDir, 'packed-refs'));
  const isOfFiles = () => {
    const said = config((text) => (OTHER_BACKEND.test(text) ? 'other' : 'files'), '');
    return said === 'files' && statSync(join(repo.commonDir, 'reftable'), LOOK) === undefined;
  };
  return (names) => {
    // Git packs a ref before it removes the loose file: in this order none is missed. What the refs are kept in is asked
    // last: a repository that is moved to another backend in the meantime says so then.
    const read = looseRefs(repo, names);
    if (read === undefined || !lookUp(packed, read) || !isOfFiles()) return undefined;
    const end = (name: string): string => {
      const { oid = '', target = '' } = read.get(name) ?? {};
      return target === '' ? oid : end(target);
    };
    return {
      key: [...read].map(([name, { oid, target }]) => `${name} ${oid}>${target}`).join('\n'),
      oid: end,
      target: (name) => read.get(name)?.target ?? '',
    };
  };
}

/** HEAD, these refs, and all that they point through; undefined where one is not plain. */
function looseRefs(repo: Repository, names: readonly string[]): Map<string, Ref> | undefined {
  const read = new Map<string, Ref>();
  for (const name of ['HEAD', ...names]) {
    let at = name;
    for (let steps = 0; at !== '' && !read.has(at); steps++) {
      const ref = steps > MOST_STEPS || !isPlain(at) ? undefined : looseRef(repo, at);
      if (ref === undefined) return undefined;
      read.set(at, ref);
      at = ref.target;
    }
  }
  return isAround(read) ? undefined : read;
}

/** Pointers that lead back to themselves. */
function isAround(read: ReadonlyMap<string, Ref>): boolean {
  return [...read.keys()].some((name) => {
    let at = name;
    for (let steps = 0; steps <= read.size; steps++) at = read.get(at)?.target ?? '';
    return at !== '';
  });
}

/** Completes what has no file of its own; false where that cannot be told. */
function lookUp(packed: Stamped, read: Map<string, Ref>): boolean {
  for (const [name, ref] of read) {
    if (ref !== ABSENT) continue;
    const oid = name === 'HEAD' ? undefined : packed((text) => packedRef(text, name), name);
    if (oid === undefined) return false;
    read.set(name, { oid, target: '' });
  }
  return true;
}

interface Ref {
  readonly oid: string;
  readonly target: string;
}

const MOST_STEPS = 4;
const ABSENT: Ref = { oid: '', target: '' };
const OTHER_BACKEND = /refstorage/i;
const PLAIN = /^refs\/(heads|remotes|tags)(\/[A-Za-z0-9_][A-Za-z0-9_.+@#-]*)+$/;
const OBJECT = /^(?!0+\n?$)([0-9a-f]{40}|[0-9a-f]{64})$/;

const isPlain = (name: string) =>
  name === 'HEAD' || (PLAIN.test(name) && !/\.\.|@\{|\.lock(\/|$)|\.(\/|$)/.test(name));

function looseRef({ gitDir, commonDir }: Repository, name: string): Ref | undefined {
  const path = join(name === 'HEAD' ? gitDir : commonDir, name);
  let text: string;
  try {
    // Most are not there, and a look says so sooner than an error.
    const file = lstatSync(path, LOOK);
    if (file === undefined || file.isDirectory()) return ABSENT;
    // An old repository may have links for pointers; git takes those by their names.
    if (!file.isFile()) return undefined;
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? ABSENT : undefined;
  }
  const line = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (line.startsWith('ref: ')) return { oid: '', target: line.slice(5) };
  return OBJECT.test(line) ? { oid: line, target: '' } : undefined;
}

/** '' where the ref is not there; undefined where its line is not understood. */
function packedRef(text: string, name: string): string | undefined {
  const at = text.indexOf(` ${name}\n`);
  if (at < 0) return '';
  const oid = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return OBJECT.test(oid) ? oid : undefined;
}

/** Longer than the coarsest clock of a file system ticks. */
const SETTLED_MS = 2_500;
const LOOK = { throwIfNoEntry: false } as const;

/** What is in a file, by the name of the question; undefined where it could not be read in one state. */
type Stamped = (look: (text: string) => string | undefined, name: string) => string | undefined;

/**
 * Answers about a file that is replaced as a whole, remembered by name while its stamp stands. A file that changed just
 * before it was read may change again within the same tick, so what is read then is not remembered. A file that is not
 * there reads as ''.
 */
function stamped(path: string): Stamped {
  let stamp = '';
  let answers = new Map<string, string | undefined>();
  return (look, name) => {
    const now = statSync(path, { ...LOOK, bigint: true });
    if (now === undefined) return look('');
    if (stampOf(now) === stamp && answers.has(name)) return answers.get(name);
    const text = inOneState(path, now);
    if (text === undefined) return undefined;
    const answer = look(text);
    if (!isSettled(now)) return answer;
    if (stampOf(now) !== stamp) answers = new Map();
    stamp = stampOf(now);
    answers.set(name, answer);
    return answer;
  };
}

function inOneState(path: string, before: BigIntStats): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return stampOf(statSync(path, { bigint: true })) === stampOf(before) ? text : undefined;
  } catch {
    return undefined;
  }
}

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats) =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

function isSettled({ mtimeMs, ctimeMs }: BigIntStats): boolean {
  const now = Date.now();
  return [mtimeMs, ctimeMs].every((changed) => now - Number(changed) > SETTLED_MS);
}
