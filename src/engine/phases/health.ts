import type { AgentState } from '../agent-port.ts';
import type { Opened } from '../composition.ts';
import { seen } from '../gather/looked.ts';
import { type Handle, loadById } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { retire } from './ended.ts';
import { engineStep } from './engine-step.ts';
import { lastLinked } from './links.ts';
import { isOpen } from './rounds.ts';
import { runName, runOf } from './run-name.ts';
import { pinnedOf } from './settings.ts';

/** Records what became of the process of a run or a reviewer. '' where it goes on as before (PHASE-95, PHASE-112, CH-17). */
export async function settleRun(opened: Opened, handle: Handle): Promise<string> {
  const { ports } = opened;
  const run = runOf(handle);
  let state = await ports.agents.look(run);
  if (state.state === 'lost') state = await ports.agents.settle(run);
  if (handle.protocol.name === 'reviewer') return settleReviewer(opened, handle, run, state);
  if (state.state !== 'ended') return '';
  return record(opened, handle, 'end', `it ended without saying that it is complete: ${endOf(state)}`, state);
}

/** Ends the process of a run or a reviewer that nobody needs any more, and records that. */
export async function endForGood(opened: Opened, handle: Handle, reason: string): Promise<string> {
  const ended = await opened.ports.agents.kill(runOf(handle) || runName(handle), 'engine', reason);
  const command = handle.protocol.name === 'reviewer' ? 'dismiss' : 'end';
  return record(opened, handle, command, reason, ended);
}

async function settleReviewer(
  opened: Opened,
  handle: Handle,
  run: string,
  state: AgentState,
): Promise<string> {
  const { ports } = opened;
  const review = await loadById(ports, lastLinked(handle, 'review'));
  if (!isOpen(review)) {
    const over = `${review.display} is ${review.item.state}`;
    const ended = await ports.agents.kill(run, 'engine', over);
    return record(opened, handle, 'dismiss', over, ended);
  }
  if (state.state === 'ended')
    return record(opened, handle, 'die', `it ended without a verdict: ${endOf(state)}`, state);
  const silent = silence(ports, handle, state);
  const { stalled } = pinnedOf(handle);
  if (silent < stalled)
    return handle.item.state === 'stalled'
      ? record(opened, handle, 'resume', 'it was heard of again', state)
      : '';
  const reason = `nothing was heard of it for ${Math.floor(silent)} minutes`;
  if (handle.item.state !== 'stalled') return record(opened, handle, 'stall', reason, state);
  // It had its time to come back, and whoever coordinates theirs to give the review up.
  if (silent < 2 * stalled) return '';
  const ended = await ports.agents.kill(run, 'engine', reason);
  return record(opened, handle, 'die', reason, ended);
}

async function record(
  opened: Opened,
  handle: Handle,
  command: string,
  reason: string,
  state: AgentState,
): Promise<string> {
  const facts = { process: processFacts(state) };
  const looked = command === 'dismiss' ? { probes: { 'review-closed': seen(reason) } } : {};
  const step = { command, of: runOf(handle), reason, arguments: {}, facts, fence: undefined, ...looked };
  const outcome = await engineStep(opened.ports, handle, step);
  if (outcome.kind !== 'done') return '';
  if (state.state === 'ended') await retire(opened, handle, runOf(handle));
  return `${command}: ${reason}`;
}

/** What is kept of a process when it has ended. */
export const processFacts = ({ reason, exitCode, signal, endedAt, bytes, costUsd, sealKey }: AgentState) => ({
  ...{ reason, exit_code: exitCode, signal, ended_at: endedAt, bytes, cost_usd: costUsd, seal_key: sealKey },
});

function endOf({ reason, exitCode, signal }: AgentState): string {
  if (reason !== 'exited') return reason === 'lost' ? 'its watcher and it are gone' : reason;
  return signal === '' ? `exit code ${exitCode}` : `signal ${signal}`;
}

/** Minutes since the last word; of a process that is still being started, since that was recorded. */
function silence(ports: Ports, { item }: Handle, { outputAt, startedAt }: AgentState): number {
  const spoke = outputAt > startedAt ? outputAt : startedAt;
  const spawned = item.steps.findLast(({ command }) => command === 'spawned')?.at ?? item.enteredAt;
  return (ports.clock().getTime() - Date.parse(spoke || spawned)) / 60_000;
}
