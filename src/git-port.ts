import type { GitPort } from './engine/ports.ts';
import { anchoredNotes, anchorNote } from './workspace/anchor.ts';
import { askedOnce } from './workspace/asked-once.ts';
import { type DefaultBranch, defaultBranchRef, defaultRefs } from './workspace/base.ts';
import { listAt, readAt } from './workspace/blob.ts';
import { type ClaimIds, claimOf, resolveClaim } from './workspace/claim.ts';
import { commitsBetween } from './workspace/commits-between.ts';
import { covered } from './workspace/covered.ts';
import { differing } from './workspace/differing.ts';
import { isDirty } from './workspace/dirty.ts';
import { history, noPast, type Past } from './workspace/history.ts';
import { assertAbsent } from './workspace/lacking.ts';
import { namedCommit } from './workspace/named-commit.ts';
import { type RefsRead, refReader } from './workspace/refs-read.ts';
import type { Repository } from './workspace/repository.ts';
import { type Tips, tips } from './workspace/tips.ts';

/**
 * What the engine asks of a repository, answered by git. Where HEAD and the default branch stand is asked once for each
 * state of the refs; what a claim is about is asked anew each time.
 */
export function git(repo: Repository, past: Past = noPast()): GitPort {
  const once = askedOnce(refReader(repo));
  const { files, keep } = filesAtHand();
  let chosen: { readonly configured: string; readonly branch: DefaultBranch } | undefined;
  /** HEAD as it was asked for last: good for one claim of it, and only where it stands right on the default branch. */
  let onTop: ClaimIds | undefined;
  return {
    resolveClaim(question) {
      const asked = question.defaultBranch;
      const same = chosen?.configured === asked || chosen?.branch.ref === asked;
      const known = same ? chosen?.branch : undefined;
      const ids = onTop;
      onTop = undefined;
      if (ids !== undefined && known !== undefined && question.commit === 'HEAD' && question.base === '')
        return claimOf(repo, ids, known);
      return resolveClaim(repo, question, known);
    },
    heads(configured, ahead = []) {
      onTop = undefined;
      const ask = () => {
        const found = tips(repo, configured, ahead);
        onTop = idsOnTop(found);
        for (const [name, content] of found.files) if (!found.lacking.has(name)) keep(name, content);
        return { head: found.head, defaultHead: found.defaultHead, branch: found.branch };
      };
      const names = defaultRefs(configured);
      const found = once(`heads ${configured}`, names, ask, (said, refs) => isAsRead(said, names, refs));
      chosen = { configured, branch: found.branch };
      return { head: found.head, defaultHead: found.defaultHead };
    },
    defaultBranchRef(configured) {
      const names = defaultRefs(configured);
      const ask = () => defaultBranchRef(repo, configured);
      return once(`default ${configured}`, names, ask, (said, refs) => said === pinned(names, refs));
    },
    namedCommit: (name) => namedCommit(repo, name),
    isAncestor: history(repo, past).isAncestor,
    differing: (one, other, paths) => differing(repo, one, other, paths),
    covered: (at, works) => covered(repo, at, works),
    commitsBetween: (older, newer) => commitsBetween(repo, older, newer),
    readAt(commit, path) {
      // Under a whole commit id a path never changes its content.
      const name = `${commit}:${path}`;
      if (files.has(name)) return files.get(name);
      const content = readAt(repo, commit, path);
      // What is not there and what is not here read alike, and demands that cannot be read are not taken for none.
      if (content === undefined) assertAbsent(repo, commit, path);
      if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) keep(name, content);
      return content;
    },
    listAt: (commit, folder) => listAt(repo, commit, folder).map((entry) => entry.path),
    isDirty: () => isDirty(repo),
    anchor: (note, message) => anchorNote(repo, note, message),
    anchors: () => anchoredNotes(repo),
  };
}

/** Files of commits that are kept at hand. */
const MOST_FILES = 64;

/** Files by `COMMIT:PATH`; undefined where the commit has none. */
function filesAtHand() {
  const files = new Map<string, Buffer | undefined>();
  const keep = (name: string, content: Buffer | undefined) => {
    if (files.size >= MOST_FILES) files.clear();
    files.set(name, content);
  };
  return { files, keep };
}

type Heads = Pick<Tips, 'head' | 'defaultHead' | 'branch'>;

/** Whether git says the same as the refs that were read: else the refs do not tell all, and git is asked again. */
function isAsRead({ head, defaultHead, branch }: Heads, names: readonly string[], refs: RefsRead): boolean {
  const ref = names.find((name) => refs.oid(name) !== '');
  const read = ref === undefined ? '' : refs.oid(ref);
  return branch.ref === (ref ?? 'HEAD') && head === refs.oid('HEAD') && defaultHead === read;
}

/** What the refs say is pinned: the first that is there or what it points at, else where HEAD stands. */
function pinned(names: readonly string[], refs: RefsRead): string {
  const ref = names.find((name) => refs.oid(name) !== '');
  if (ref !== undefined) return refs.target(ref) || ref;
  return refs.target('HEAD') || refs.oid('HEAD');
}

function idsOnTop({ head, defaultHead, headCommit }: Tips): ClaimIds | undefined {
  if (headCommit === undefined || defaultHead === '') return undefined;
  const { tree, parents } = headCommit;
  const alone = parents.length === 1 && parents[0] === defaultHead;
  return alone ? { commit: head, tree, parents, base: defaultHead } : undefined;
}
