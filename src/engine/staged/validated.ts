import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { TaskView } from './task.ts';

/**
 * What an agent's word that it is complete is on: the commit of its branch that it validated, and whether that was in the
 * branch of the task already. Said first and merged then is the order (PROTO-299).
 */
export function validatedBy(
  { git, workspace }: Pick<Ports, 'git' | 'workspace'>,
  { layout }: TaskView,
  agent: string,
): { readonly commit: string; readonly merged: boolean } {
  const commit = workspace.commitOf(`refs/heads/${layout.agentBranch(agent)}`);
  const head = workspace.commitOf(`refs/heads/${layout.branch}`);
  return { commit, merged: commit !== '' && head !== '' && git.isAncestor(commit, head) };
}

/** Commits that their agents called complete before they were merged. */
export function validatedCommits({ item }: Pick<Handle, 'item'>, agent = ''): readonly string[] {
  return item.evidence.flatMap(({ kind, outcome, by, facts }) =>
    kind === 'implementation' &&
    outcome === 'COMPLETE' &&
    (agent === '' || by === agent) &&
    typeof facts.commit === 'string' &&
    facts.merged !== true
      ? [facts.commit]
      : [],
  );
}

/** The commit that an agent called complete last, '' where it called none so. */
export function lastWord({ item }: Pick<Handle, 'item'>, agent: string): string {
  const word = item.evidence.findLast(
    ({ kind, outcome, by }) => kind === 'implementation' && outcome === 'COMPLETE' && by === agent,
  );
  return typeof word?.facts.commit === 'string' ? word.facts.commit : '';
}
