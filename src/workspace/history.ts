import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isAncestor } from './ancestor.ts';
import { runGit } from './git.ts';
import { mergesOf, ownLine } from './merges.ts';
import { refReader } from './refs-read.ts';
import type { Repository } from './repository.ts';
import { commitOf, commitsOf, type ListedCommit } from './worktrees.ts';

/** What git said of whole commit ids, which no ref and no setting changes. */
export interface Past {
  /** Ids of commits that are here. */
  readonly known: Set<string>;
  readonly answers: Map<string, unknown>;
}

export const noPast = (): Past => ({ known: new Set(), answers: new Map() });

/** Questions about commits, each of which git is asked once for the same ids. Refs are read anew every time. */
export interface History {
  commitOf(name: string): string;
  isAncestor(older: string, newer: string): boolean;
  commits(older: string, newer: string): readonly ListedCommit[];
  merges(older: string, newer: string): ReturnType<typeof mergesOf>;
  ownLine(older: string, newer: string): readonly string[];
}

/** Answers that are kept: a server lives long. */
const MOST = 512;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const PARENT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\^$/;

/**
 * The history of a repository, as the functions of the same names tell it. A commit that was not here may come, so only
 * what is here is kept; of a history that was cut short nothing is, since more of it may be brought.
 */
export function history(repo: Repository, past: Past): History {
  const read = refReader(repo);
  const { answers, keep, know, knows } = remembering(repo, past);
  const asked = (name: string): string => {
    const found = commitOf(repo, name);
    if (found === '') return '';
    know(found);
    return PARENT.test(name) ? keep(name, found) : found;
  };
  /** The object that a name stands for now, without a look at whether it is here; undefined where git has to say. */
  const idOf = (name: string): string | undefined => {
    if (ID.test(name)) return name;
    return name.startsWith('refs/') ? read([name])?.oid(name) : undefined;
  };
  const once = <T>(
    what: string,
    older: string,
    newer: string,
    ask: (older: string, newer: string) => T,
  ): T => {
    const [from, to] = [idOf(older), idOf(newer)];
    if (!from || !to) return ask(older, newer);
    const question = `${what} ${from} ${to}`;
    const before = answers.get(question);
    if (before !== undefined) return before as T;
    // Git fails where one of the two is not here: what it answers, holds.
    return keep(question, ask(from, to));
  };
  return {
    commitOf(name) {
      const id = idOf(name) ?? (answers.get(name) as string | undefined);
      if (id === '') return '';
      // Git lets a branch lead to a commit alone, and to one that is here.
      if (id !== undefined && name.startsWith('refs/heads/')) know(id);
      return id !== undefined && knows(id) ? id : asked(id ?? name);
    },
    isAncestor(older, newer) {
      const ask = (one: string, other: string) => isAncestor((args) => runGit(repo, args), one, other);
      const question = `in ${older} ${newer}`;
      const before = answers.get(question);
      if (before !== undefined) return before === true;
      const answer = ask(older, newer);
      // What is not here is in nothing either, until it comes.
      const holds = answer ? ID.test(older) && ID.test(newer) : knows(older) && knows(newer);
      return holds ? keep(question, answer) : answer;
    },
    commits: (older, newer) => once('commits', older, newer, (from, to) => commitsOf(repo, from, to)),
    merges: (older, newer) => once('merges', older, newer, (from, to) => mergesOf(repo, from, to)),
    ownLine: (older, newer) => once('line', older, newer, (from, to) => ownLine(repo, from, to)),
  };
}

/** What was said, within bounds; of a history that was cut short nothing but which commits are here. */
function remembering({ commonDir }: Repository, { known, answers }: Past) {
  const isCut = () => existsSync(join(commonDir, 'shallow'));
  return {
    answers: answers as ReadonlyMap<string, unknown>,
    keep<T>(question: string, answer: T): T {
      if (answers.size >= MOST) answers.clear();
      if (!isCut()) answers.set(question, answer);
      return answer;
    },
    know(id: string): void {
      if (known.size >= MOST) known.clear();
      known.add(id);
    },
    knows: (id: string): boolean => known.has(id),
  };
}
