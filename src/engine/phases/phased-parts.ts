import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { phasesOf } from './task-phases.ts';
import { branchOfTask } from './trees.ts';

/** A task in phases that stands below another task. */
export interface PhasedPart {
  readonly task: string;
  readonly branch: string;
  /** What its reviewers approved last, '' before all of its phases are. */
  readonly commit: string;
}

/** The tasks in phases below a task, in the order of their names. */
export async function phasedParts(
  ports: Pick<Ports, 'store'>,
  { item }: Pick<Handle, 'item'>,
): Promise<readonly PhasedPart[]> {
  const parts: PhasedPart[] = [];
  for (const name of Object.keys(item.members.parts ?? {}).toSorted()) {
    const part = await loadItem(ports, name);
    if (part.protocol.name !== 'phased-task') continue;
    const last = (await phasesOf(ports, part)).at(-1);
    if (last === undefined) continue;
    const approved = part.item.state === 'completed' ? (last.item.subjects.commit?.digest ?? '') : '';
    parts.push({ task: part.display, branch: branchOfTask(last), commit: approved });
  }
  return parts;
}

/** Tasks in phases below a task whose approved work is not in a commit. */
export async function partsLeftOut(
  ports: Pick<Ports, 'store' | 'git'>,
  whole: Pick<Handle, 'item'>,
  commit: string,
): Promise<readonly PhasedPart[]> {
  const approved = (await phasedParts(ports, whole)).filter((part) => part.commit !== '');
  return approved.filter((part) => !ports.git.isAncestor(part.commit, commit));
}
