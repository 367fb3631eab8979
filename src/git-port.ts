import type { GitPort } from './engine/ports.ts';
import { anchoredNotes, anchorNote } from './workspace/anchor.ts';
import { type DefaultBranch, defaultBranchRef } from './workspace/base.ts';
import { listAt, readAt } from './workspace/blob.ts';
import { type ClaimIds, claimOf, resolveClaim } from './workspace/claim.ts';
import { commitsBetween } from './workspace/commits-between.ts';
import { differing } from './workspace/differing.ts';
import { isDirty } from './workspace/dirty.ts';
import { runGit } from './workspace/git.ts';
import type { Repository } from './workspace/repository.ts';
import { type Tips, tips } from './workspace/tips.ts';
import { WorkspaceError } from './workspace/workspace-error.ts';

/** What the engine asks of a repository, answered by git. */
export function git(repo: Repository): GitPort {
  const files = new Map<string, Buffer | undefined>();
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
      const found = tips(repo, configured, ahead);
      chosen = { configured, branch: found.branch };
      onTop = idsOnTop(found);
      files.clear();
      for (const [name, content] of found.files) files.set(name, content);
      return { head: found.head, defaultHead: found.defaultHead };
    },
    defaultBranchRef: (configured) => defaultBranchRef(repo, configured),
    isAncestor(older, newer) {
      try {
        runGit(repo, ['merge-base', '--is-ancestor', older, newer]);
        return true;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return false;
        throw error;
      }
    },
    differing: (one, other, paths) => differing(repo, one, other, paths),
    commitsBetween: (older, newer) => commitsBetween(repo, older, newer),
    readAt(commit, path) {
      // Under a whole commit id a path never changes its content.
      const name = `${commit}:${path}`;
      if (files.has(name)) return files.get(name);
      const content = readAt(repo, commit, path);
      if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) files.set(name, content);
      return content;
    },
    listAt: (commit, folder) => listAt(repo, commit, folder).map((entry) => entry.path),
    isDirty: () => isDirty(repo),
    anchor: (note, message) => anchorNote(repo, note, message),
    anchors: () => anchoredNotes(repo),
  };
}

function idsOnTop({ head, defaultHead, headCommit }: Tips): ClaimIds | undefined {
  if (headCommit === undefined || defaultHead === '') return undefined;
  const { tree, parents } = headCommit;
  const alone = parents.length === 1 && parents[0] === defaultHead;
  return alone ? { commit: head, tree, parents, base: defaultHead } : undefined;
}
