import type { Caller } from '../caller.ts';
import type { Opened } from '../composition.ts';
import { type Handle, loadById } from '../handle.ts';
import { STEP, type StepOutcome, step } from '../step.ts';
import { attendTo } from './attend.ts';
import { linkedTo } from './links.ts';
import { phaseNamed } from './task-phases.ts';

/** What an agent is deployed for. */
export interface Deployment {
  readonly phase: string;
  /** What it is to do. */
  readonly prompt: string;
  /** Name of an agent of the configuration, '' = the one of the phase. */
  readonly agent: string;
}

/** Deploys an agent for a phase and starts it (PHASE-14, PHASE-61, PHASE-71). Throws BAD_CONFIG for an agent that there is not. */
export async function deployAgent(
  opened: Opened,
  caller: Caller,
  { phase, prompt, agent }: Deployment,
): Promise<{ readonly outcome: StepOutcome; readonly run: Handle | undefined }> {
  const { ports } = opened;
  const { id } = await phaseNamed(ports, phase);
  const outcome = await step(ports, caller, {
    ...STEP,
    ...{ ref: id, command: 'deploy', arguments: { prompt, agent } },
  });
  const last = outcome.kind === 'done' ? linkedTo(outcome.handle, 'deployed').at(-1) : undefined;
  if (last === undefined) return { outcome, run: undefined };
  await attendTo(opened, await loadById(ports, last));
  return { outcome, run: await loadById(ports, last) };
}
