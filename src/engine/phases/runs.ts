import type { AgentState, AgentStream } from '../agent-port.ts';
import type { Caller } from '../caller.ts';
import type { Opened } from '../composition.ts';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { readRoster } from '../roster.ts';
import { STEP, type StepOutcome, step } from '../step.ts';
import { stepOn } from './actions.ts';
import { attend, attendTo } from './attend.ts';
import { placeElsewhere } from './elsewhere.ts';
import { retire } from './ended.ts';
import { processFacts } from './health.ts';
import { placeOf, runOf } from './run-name.ts';
import { runNamed } from './run-named.ts';
import { startRecorded } from './start-recorded.ts';
import { isReviewer } from './status.ts';

/** Statuses that an agent may tell, and the step of the table that each is. */
const STATUSES: { readonly [status: string]: string } = {
  ...{ working: 'report', in_progress: 'report', completed: 'complete', complete: 'complete' },
  ...{ failed: 'fail', blocked: 'report', error: 'fail' },
};

/** What an agent tells of itself. */
export interface ProgressTold {
  readonly agent: string;
  readonly status: string;
  readonly message: string;
}

/**
 * Takes what an agent says of itself, by its own credential. The last one that completes submits the phase in the same call
 * (PHASE-92). Throws NOT_FOUND, BAD_INPUT.
 */
export async function tellProgress(opened: Opened, caller: Caller, told: ProgressTold): Promise<StepOutcome> {
  const command = Object.hasOwn(STATUSES, told.status) ? STATUSES[told.status] : undefined;
  if (command === undefined)
    throw new EngineError(
      'BAD_INPUT',
      `there is no status ${told.status}`,
      'say working, completed or failed',
    );
  const run = await startRecorded(opened, await runNamed(opened.ports, told.agent || caller.actor.id));
  return stepOn(opened, caller, run.id, { command, reason: told.message, arguments: {} });
}

/**
 * Ends a builder that went astray (PHASE-16). Reviewers of an open review are not to be ended by anybody who waits for their
 * verdict (CH-22): the table has no such step, and the refusal stands in the log.
 */
export async function killRun(
  opened: Opened,
  caller: Caller,
  ref: string,
  reason: string,
): Promise<StepOutcome> {
  const { ports } = opened;
  const run = await runNamed(ports, ref);
  const outcome = await step(ports, caller, { ...STEP, ref: run.id, command: 'kill', reason });
  if (outcome.kind === 'refused') return outcome;
  const name = runOf(run);
  const place = placeElsewhere(ports, run);
  if (place !== '') {
    // Where its folder is seen from here, its watcher is asked in it.
    if (name !== '' && (await ports.agents.look(name)).elsewhere)
      await ports.agents.kill(name, caller.actor.id, reason);
    const warning = `${run.display} runs on ${place}: its process is ended there, by the next command on phases or a worker`;
    return { ...outcome, warnings: [...outcome.warnings, warning] };
  }
  if (name !== '') {
    const { state } = await ports.agents.kill(name, caller.actor.id, reason);
    if (state === 'ended') await retire(opened, outcome.handle, name);
  }
  await attend(opened);
  return outcome;
}

/** A part of what an agent has written. */
export interface AgentOutput {
  readonly agent_id: string;
  readonly status: string;
  readonly process: string;
  readonly text: string;
  readonly next: number;
  readonly ended: boolean;
}

/** Which part of what an agent has written, in bytes. */
export interface OutputPart {
  readonly offset: number;
  readonly limit: number;
  readonly stream?: AgentStream;
}

/** What an agent has written so far, from a byte on (PHASE-15, PHASE-38, PHASE-73). */
export async function outputOf(
  ports: Ports,
  { actor }: Pick<Caller, 'actor'>,
  ref: string,
  { offset, limit, stream = 'out' }: OutputPart,
): Promise<AgentOutput> {
  const run = await runNamed(ports, ref);
  const name = placeOf(ref) === ref ? runOf(run) || run.display : ref;
  if (isReviewer(actor) && name !== actor.id)
    throw new EngineError(
      'NO_CREDENTIAL',
      `${actor.id} reviews: what others write is not for its eyes`,
      'judge the commit that is checked out',
    );
  const page = await ports.agents.page(name, offset, limit, stream);
  const state = await ports.agents.look(name);
  return { agent_id: run.display, status: run.item.state, process: processOf(state), ...page };
}

function processOf(state: AgentState): string {
  if (state.state === 'running' || state.state === 'starting') return state.state;
  const { reason, exit_code: code, signal } = processFacts(state);
  if (state.startedAt === '') return 'not started';
  return `ended: ${reason}${signal === '' ? (code === null ? '' : `, exit code ${code}`) : `, ${signal}`}`;
}

/** What whoever watched a process calls when it has ended: its item learns of it, and what waits on is brought on. */
export async function settleNamed(opened: Opened, name: string): Promise<string> {
  const { ports } = opened;
  const run = await runNamed(ports, name);
  const what = runOf(run) === name ? await attendTo(opened, run) : '';
  const { roster } = await readRoster(ports);
  const member = roster.members.get(name);
  const { state } = await ports.agents.look(name);
  if (state === 'ended' && member !== undefined && !member.retired) await retire(opened, run, name);
  await attend(opened);
  return what;
}
