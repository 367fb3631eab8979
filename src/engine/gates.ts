import type { Gate, Protocol } from '../kernel/protocol.ts';
import type { Step, WorkItem } from '../kernel/work-item.ts';

/** The gate that an item stands before: where the engine runs the checks of what was claimed; undefined elsewhere. */
export const gateOf = ({
  protocol,
  item,
}: {
  readonly protocol: Pick<Protocol, 'gates'>;
  readonly item: Pick<WorkItem, 'state'>;
}): Gate | undefined => protocol.gates.find((gate) => gate.in === item.state);

/** Whether an item waits for its checks to be run: something is claimed, and nothing is decided on it. */
export const isAtGate = (handle: {
  readonly protocol: Pick<Protocol, 'gates'>;
  readonly item: WorkItem;
}): boolean => gateOf(handle) !== undefined && claimStep(handle.item) !== undefined;

/** Whether a step is the pass of a gate. */
export const isPass = (
  { gates }: Pick<Protocol, 'gates'>,
  { command, from }: Pick<Step, 'command' | 'from'>,
): boolean => gates.some((gate) => gate.in === from && gate.pass === command);

/** Whether what the engine found for a step is a claim: a commit with its tree, and the criteria that judge it. */
export const isClaim = ({ facts }: Pick<Step, 'facts'>): boolean =>
  typeof facts.tree === 'string' && 'criteria' in facts;

/** The latest step that claimed something, of one attempt or of all. */
export const claimStep = ({ steps }: Pick<WorkItem, 'steps'>, attempt?: number): Step | undefined =>
  steps.findLast((step) => isClaim(step) && (attempt === undefined || step.attempt === attempt));
