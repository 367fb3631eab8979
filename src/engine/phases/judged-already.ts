import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { judgedRounds, type Round, workOf } from './rounds.ts';
import { branchOfTask, headOfTask } from './trees.ts';

/** The commit that the work of a phase stands at. */
export const standingOf = (ports: Pick<Ports, 'workspace'>, phase: Handle): string =>
  headOfTask(ports, phase) || String(phase.item.facts.base ?? '');

/**
 * The last round whose reviewers saw the very same files, whatever commits lie on top: an empty commit, or one that is taken
 * back, does not put the same work before other reviewers.
 */
export function judgedAs(
  { workspace }: Pick<Ports, 'workspace'>,
  rounds: readonly Round[],
  head: string,
): Round | undefined {
  if (head === '' || rounds.length === 0) return undefined;
  const tree = workspace.treeOf(head);
  return rounds.findLast((round) => {
    const work = workOf(round);
    return work === head || (work !== '' && workspace.treeOf(work) === tree);
  });
}

/** What has to be done before a phase can be reviewed again, '' where something changed since it was judged. */
export async function mendFirst(ports: Ports, phase: Handle): Promise<string> {
  const { workspace } = ports;
  const isHere = (commit: string) => commit !== '' && workspace.commitOf(commit) !== '';
  const head = standingOf(ports, phase);
  // Whoever looks may have a clone that lacks some of it: then it is told where it is tried.
  const rounds = (await judgedRounds(ports, phase)).filter((round) => isHere(workOf(round)));
  return isHere(head) && judgedAs(ports, rounds, head) !== undefined ? mendOn(phase) : '';
}

/** Where what was found is mended by hand. */
export const mendOn = (phase: Handle): string =>
  `mend what was found on ${branchOfTask(phase)}, and commit it`;
