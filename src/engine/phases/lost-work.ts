import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { awayWork } from './away.ts';
import { phaseBefore } from './task-phases.ts';
import { branchOfTask, headOfTask } from './trees.ts';

/**
 * Why the branch of a task is not what its approved phases left: somebody moved it off their work, or took it away, also in the
 * middle of a phase; or that work is in another clone. '' where it holds it.
 */
export async function lostWork(ports: Ports, phase: Handle): Promise<string> {
  const lost = async () =>
    (await lostApproved(ports, phase)) || lostBuilt(ports, phase) || lostBase(ports, phase);
  return (await awayWork(ports, phase)) || lost();
}

async function lostApproved(ports: Ports, phase: Handle): Promise<string> {
  const before = await phaseBefore(ports, phase);
  const approved = before?.item.subjects.commit?.digest ?? '';
  if (before === undefined || approved === '') return '';
  // Where there is none, it would begin anew from where the task began.
  const head = headOfTask(ports, phase) || String(phase.item.facts.base ?? '');
  if (head !== '' && ports.git.isAncestor(approved, head)) return '';
  const branch = branchOfTask(phase);
  return `the branch ${branch} does not hold ${approved.slice(0, 12)} any more, which the reviewers of ${before.display} approved: bring it back with git branch -f ${branch} ${approved.slice(0, 12)}`;
}

/** What agents of this very phase have brought in already. */
function lostBuilt(ports: Ports, phase: Handle): string {
  const built = phase.item.subjects.commit?.digest ?? '';
  if (built === '' || headOfTask(ports, phase) !== '') return '';
  const branch = branchOfTask(phase);
  return `the branch ${branch} is gone, and with it what was built in ${phase.display}: bring it back with git branch ${branch} ${built.slice(0, 12)}`;
}

/** A branch of that name that is none of this task: left by another, of an earlier store, or moved behind where the task began. */
function lostBase(ports: Ports, phase: Handle): string {
  const base = String(phase.item.facts.base ?? '');
  const head = headOfTask(ports, phase);
  if (base === '' || head === '' || ports.git.isAncestor(base, head)) return '';
  const branch = branchOfTask(phase);
  return `the branch ${branch} does not hold ${base.slice(0, 12)}, where the task began: put it aside with git branch -m ${branch} ANOTHER-NAME, or merge ${base.slice(0, 12)} into it`;
}
