import { rowsFor } from '../kernel/decide.ts';
import { judge } from '../kernel/guards/index.ts';
import { contextOf, probesOf } from '../kernel/guidance.ts';
import { opens, type Verdict } from '../kernel/verdict.ts';
import type { Caller } from './caller.ts';
import { goalNamed, goalStatus } from './goals.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { STEP, type StepOutcome, type StepRequest, step } from './step.ts';
import { readWorld } from './world.ts';

/** What a lead says of the whole: which goal, what was tried, and the commit that holds it ('' = the default branch). */
export interface Integration {
  readonly ref: string;
  readonly notes: string;
  readonly commit: string;
}

export const integrationStep = ({ ref, notes, commit }: Integration): StepRequest => ({
  ...STEP,
  ref,
  command: 'integrate',
  arguments: { notes },
  commit,
});

/**
 * Pins the commit that holds the whole, so that it can be verified. A refusal names at once all that is missing: each
 * task that is not verified, work that is not there, and who may not judge it. Throws like `step`.
 */
export async function integrate(
  ports: Ports,
  caller: Caller,
  integration: Integration,
  confirms?: (handle: Handle) => string,
): Promise<StepOutcome> {
  const { id } = await goalNamed(ports, integration.ref);
  const outcome = await step(ports, caller, { ...integrationStep(integration), ref: id }, confirms);
  // The table says no more than that it is too early.
  const early = outcome.kind === 'refused' && outcome.code === 'no-transition';
  if (!early || !['open', 'active'].includes(outcome.handle.item.state)) return outcome;
  const verdicts = await missingFor(ports, caller, outcome.handle);
  return verdicts.length === 0 ? outcome : { ...outcome, verdicts };
}

async function missingFor(ports: Ports, caller: Caller, goal: Handle): Promise<readonly Verdict[]> {
  const { tasks, unmerged, rejected } = await goalStatus(ports, goal.id);
  const open = tasks.filter(({ status }) => !['verified', 'abandoned'].includes(status));
  const missing = open.map(({ task_id, status, assignee }) =>
    lacks(
      `${task_id} is ${status}${assignee === '' ? '' : `, with ${assignee}`}`,
      `countersign show ${task_id}`,
    ),
  );
  const add = `countersign add "TITLE" --goal ${goal.display}`;
  if (tasks.length === 0) missing.push(lacks('the goal has no tasks', add));
  else if (tasks.every(({ status }) => status === 'abandoned'))
    missing.push(lacks('every task of it was abandoned', add));
  if (open.length === 0 && rejected !== '')
    missing.push(lacks(`it was sent back (${rejected}), and nothing was verified since`, add));
  for (const task of unmerged)
    missing.push(lacks(`the work of ${task} is not on the default branch`, 'merge it'));
  return [...missing, ...(await barsOf(ports, caller, goal))];
}

const lacks = (because: string, fix: string): Verdict => ({
  guard: 'members',
  status: 'unsatisfied',
  because,
  fix,
});

/** What will keep this actor from integrating once every task is verified. */
async function barsOf(
  ports: Ports,
  { actor }: Caller,
  { protocol, item }: Handle,
): Promise<readonly Verdict[]> {
  const { world } = await readWorld(ports, protocol, item.list);
  const later = { ...item, state: 'pending_verify' };
  const context = contextOf(protocol, later, actor, world);
  return rowsFor(protocol, later, 'integrate')
    .flatMap(({ row }) => row.requires)
    .filter((guard) => probesOf(guard).length === 0)
    .map((guard) => judge(guard, context))
    .filter((verdict) => !opens(verdict) && !verdict.because.startsWith('nobody is recorded'));
}
