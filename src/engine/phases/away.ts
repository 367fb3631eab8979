import { errorTold } from '../error-told.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { phaseBefore, phaseOf } from './task-phases.ts';
import { branchOfTask } from './trees.ts';

/**
 * What a phase rests on and this clone does not have: agents and reviewers on other machines may work in clones of their own, and
 * nothing brings commits from one to the other. '' where all of it is here.
 */
export async function awayWork(ports: Pick<Ports, 'store' | 'git'>, phase: Handle): Promise<string> {
  const before = await phaseBefore(ports, phase);
  const commits = [
    String(phase.item.facts.base ?? ''),
    before?.item.subjects.commit?.digest ?? '',
    phase.item.subjects.commit?.digest ?? '',
  ];
  const away = [...new Set(commits)].find((commit) => commit !== '' && !ports.git.isAncestor(commit, commit));
  if (away === undefined) return '';
  const branch = branchOfTask(phase);
  return `the commit ${away.slice(0, 12)} of ${phase.display} is not in this clone: bring it here from the one where it was made, with git push REMOTE ${branch} there and git fetch REMOTE ${branch}:${branch} here`;
}

/** The same of what a run or a reviewer needs to be started: beside its commits the order that was given, which lies in the state folder. */
export async function awayWorkOf(
  ports: Pick<Ports, 'store' | 'git' | 'evidence'>,
  handle: Handle,
): Promise<string> {
  try {
    ports.evidence.assertShared();
  } catch (error) {
    const { message, hint } = errorTold(error);
    return `${message}; ${hint}`;
  }
  return awayWork(ports, await phaseOf(ports, handle));
}
