import type { Caller } from './caller.ts';
import { type Config, readConfig } from './config.ts';
import type { Draft } from './draft.ts';
import { execute, type Outcome, plain } from './execute.ts';
import { gatherFor } from './gather/index.ts';
import type { StepRequest } from './gather/looked.ts';
import { give } from './give.ts';
import { tieTo } from './goal-link.ts';
import { type Handle, loadItem } from './handle.ts';
import { leftAlone } from './left-alone.ts';
import { isGiven } from './own-word.ts';
import type { Ports } from './ports.ts';

export type { StepRequest } from './gather/looked.ts';

/** A step with nothing but an item and a command. */
export const STEP: StepRequest = {
  ref: '',
  command: '',
  reason: '',
  arguments: {},
  commit: '',
  evidence: [],
  noChange: false,
  session: '',
};

export type StepOutcome = Outcome & { readonly warnings: readonly string[] };

/**
 * Takes a command of the item's own protocol, whichever it is. The engine looks outside for what the rows ask about;
 * nothing of that comes with the request. `confirms`: digest that a person was shown. Throws NOT_FOUND, DAMAGED, BAD_CONFIG.
 */
export async function step(
  ports: Ports,
  caller: Caller,
  request: StepRequest,
  confirms: (handle: Handle) => string = () => '',
): Promise<StepOutcome> {
  const warnings: string[] = [];
  if (isGiven(await loadItem(ports, request.ref), request.command))
    return { ...(await give(ports, caller, request)), warnings };
  let read: Promise<Config> | undefined;
  const config = () => {
    read ??= readConfig(ports);
    return read;
  };
  const outcome = await execute(ports, caller, {
    ...plain,
    ref: request.ref,
    name: request.command,
    reason: request.reason,
    confirms,
    arguments: request.arguments,
    gather: (handle) => gatherFor({ ports, caller, handle, request, config, warnings }),
    evidence: (handle, _world, command) => leftAlone(handle, command) ?? [],
    extend: async (write, handle) => {
      await tie(ports, write, handle, request);
      if (handle.protocol.name === 'staged')
        await (await import('./staged/besides.ts')).besides(ports, write, handle);
      if (handle.protocol.name === 'phase' && request.command === 'deploy')
        await (await import('./phases/open-run.ts')).openRun(ports, caller, write, handle);
    },
  });
  if (outcome.kind === 'done' && outcome.handle.protocol.name === 'staged' && GIVES_UP.has(request.command))
    warnings.push(...(await (await import('./staged/put-back.ts')).putBackAfter(ports, outcome.handle)));
  return { ...withGiven(outcome, request), warnings: [...new Set(warnings)] };
}

/** Steps of a task in stages after which nobody lands what was on its way. */
const GIVES_UP: ReadonlySet<string> = new Set(['request-change', 'cancel']);

/** A refusal knows all that came with the step, so that it can be taken again with what was missing. */
function withGiven(outcome: Outcome, { commit, evidence, noChange }: StepRequest): Outcome {
  if (outcome.kind === 'done') return outcome;
  const more = {
    ...(commit === '' ? {} : { commit }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(noChange ? { no_change: 'yes' } : {}),
  };
  return { ...outcome, given: { ...outcome.given, ...more } };
}

/** A link between a goal and a task is written on both, in the write that decided it. */
async function tie(ports: Ports, write: Draft, goal: Handle, { command, arguments: given }: StepRequest) {
  if (goal.protocol.name !== 'goal' || (command !== 'link' && command !== 'unlink')) return;
  tieTo(write, goal, await loadItem(ports, given.task ?? ''), command === 'link');
}
