import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';

/** What a branch of a task holds beyond where the task began, the oldest first; nothing where there is no such branch. */
export function workOn(
  { workspace }: Pick<Ports, 'workspace'>,
  { item }: Pick<Handle, 'item'>,
  branch: string,
): readonly CommitMade[] {
  const ref = `refs/heads/${branch}`;
  return workspace.commitOf(ref) === '' ? [] : workspace.commits(String(item.facts.head ?? ''), ref);
}
