import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';

/** What the commit of a landing says, by which it is found again. */
export const landingMessage = (task: string, commit: string): string => `${task}\n\nVerified as ${commit}.`;

/** Whether a commit says that it landed another one. */
export const isSaidToLand = ({ message }: Pick<CommitMade, 'message'>, commit: string): boolean =>
  message.endsWith(`Verified as ${commit}.`);

/** Whether it holds what that comes to on top of what was there, and that alone. */
export const holdsMerged = (
  { workspace }: Pick<Ports, 'workspace'>,
  { sha }: Pick<CommitMade, 'sha'>,
  commit: string,
): boolean => workspace.merged(workspace.commitOf(`${sha}^`), commit).tree === workspace.treeOf(sha);
