import { freshEvidence } from '../../kernel/freshness.ts';
import type { Handle } from '../handle.ts';
import { nowOf, type Ports } from '../ports.ts';
import { DONE, invocationsOf, modeIn, wordOf } from './invocations.ts';
import { type AgentRun, ERROR_TYPES, errorTypeOf, type Recovery, recoveryOf } from './recovery.ts';
import { settled } from './reports.ts';
import { agentsOf, type TaskView } from './task.ts';

const STATES = ['REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION', 'REVIEW'];

/** How the calls of a task's agents stand in its present state, and what to do; undefined where no agent is called. */
export function recoveryFor(ports: Ports, handle: Handle, view: TaskView): Recovery | undefined {
  if (!STATES.includes(handle.item.state)) return undefined;
  const runs = agentsOf(handle).map((agent) => runOf(ports, handle, view, agent));
  return recoveryOf(runs, { ...view.settings, now: nowOf(ports) });
}

function runOf(ports: Ports, handle: Handle, view: TaskView, agent: string): AgentRun {
  const { item } = handle;
  const mode = modeIn(item.state);
  const kind = wordOf(mode);
  const calls = invocationsOf(handle).filter(
    (call) => call.agent === agent && call.mode === mode && call.isCurrent,
  );
  const calledAt = calls.at(-1)?.at ?? '';
  const own = freshEvidence(item, kind).filter(({ by }) => by === agent);
  const isDone = DONE.includes(own.at(-1)?.outcome ?? '');
  const hasReport = kind !== 'requirements' || settled(ports, view, agent).report === '';
  const word = own.findLast(({ at }) => calledAt === '' || at >= calledAt);
  const error = String(word?.facts.reason ?? '') || 'Unknown error';
  const named = ERROR_TYPES.find((type) => type === word?.facts.error_type);
  return {
    agent,
    domain: view.settings.agents[agent]?.domain ?? agent,
    isComplete: isDone && hasReport,
    status: word?.outcome ?? 'NOT_STARTED',
    hasWorktree: view.worktrees.has(view.layout.agentCode(agent)),
    calls: calls.length,
    calledAt,
    saidAt: word?.at ?? '',
    error,
    errorType: named ?? errorTypeOf(error),
  };
}
