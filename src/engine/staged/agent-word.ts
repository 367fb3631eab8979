import type { Facts } from '../../kernel/event.ts';
import { record } from '../../kernel/record.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { plain, walk } from '../execute.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { StepOutcome } from '../step.ts';
import { workOn } from './branch-work.ts';
import { invocationsOf, modeIn, wordOf } from './invocations.ts';
import { mainsSince } from './main-branch.ts';
import { ERROR_TYPES, errorTypeOf } from './recovery.ts';
import { settled } from './reports.ts';
import { assertNotOnMain } from './straight.ts';
import { agentsOf, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { taskNameOf } from './task-name.ts';
import { validatedBy } from './validated.ts';

export interface AgentWord {
  readonly task: string;
  /** WORKING, COMPLETE or ERROR; APPROVED or REJECTED in a review (CP-23). */
  readonly status: string;
  /** What went wrong, or why the work is rejected. */
  readonly reason: string;
  /** For an ERROR: tool-limitation, blocker or implementation-error; '' = by its words (PROTO-196). */
  readonly errorType: string;
}

/**
 * An agent says how it stands, by its own credential. A report that it calls complete is hashed at that moment; without
 * one it is not complete (PROTO-191, PROTO-192). Throws BAD_INPUT.
 */
export async function agentSays(ports: Ports, caller: Caller, word: AgentWord): Promise<StepOutcome> {
  const handle = await taskItem(ports, word.task);
  const { id, item } = handle;
  const kind = wordOf(modeIn(item.state));
  const status = word.status.toUpperCase().replace(/^IN_PROGRESS$/, 'WORKING');
  assertSaid(word, status);
  assertOfTask(handle, caller);
  assertCalled(handle, caller.actor.id);
  const view = await viewTask(ports, word.task, '');
  const hasReport = kind === 'requirements' && status === 'COMPLETE';
  const warnings = hasReport ? broughtHere(ports, view, caller.actor.id) : [];
  const { report, path, size } = settled(ports, view, caller.actor.id);
  if (hasReport && report !== '')
    throw new EngineError('BAD_INPUT', report, 'write the report, then say it again');
  const bytes = hasReport ? ports.workspace.readFile(path) : undefined;
  const isBuilt = kind === 'implementation' && status === 'COMPLETE';
  const facts = {
    ...(isBuilt ? await workOf(ports, handle, view, caller.actor.id) : {}),
    mode: modeIn(item.state),
    ...(word.reason === '' ? {} : { reason: word.reason }),
    ...(status === 'ERROR' ? { error_type: word.errorType || errorTypeOf(word.reason) } : {}),
    ...(bytes === undefined ? {} : { report: ports.evidence.put(bytes), report_path: path, bytes: size }),
  };
  const outcome = await walk(ports, caller, {
    ...plain,
    ref: id,
    name: kind,
    reason: word.reason,
    decide: (handle, world, command) =>
      record(
        handle.protocol,
        handle.item,
        command,
        { kind, outcome: status, facts, asker: caller.actor },
        world,
      ),
  });
  return { ...outcome, warnings };
}

/** A rejection says why, and an error is of a kind that is known. Throws BAD_INPUT. */
function assertSaid(word: AgentWord, status: string): void {
  if (word.reason.trim() === '' && status === 'REJECTED')
    throw new EngineError('BAD_INPUT', `${status} needs a reason`, 'say it with --reason TEXT');
  if (word.errorType !== '' && !ERROR_TYPES.some((type) => type === word.errorType))
    throw new EngineError(
      'BAD_INPUT',
      `there is no kind of error ${word.errorType}`,
      `known: ${ERROR_TYPES.join(', ')}`,
    );
}

/** A report under the name that older documents have for it gets its own; answers what to tell of it (CP-20). */
function broughtHere({ workspace }: Ports, { layout }: TaskView, agent: string): readonly string[] {
  const [older, own] = [layout.olderReport(agent), layout.report(agent)];
  const bytes = workspace.readFile(older);
  if (bytes === undefined || workspace.readFile(own) !== undefined) return [];
  workspace.writeFile(own, bytes);
  workspace.removeFile(older);
  return [`${older} is ${own} from now on`];
}

/**
 * An agent's word that it is complete is on exactly the commits of its branch (PROTO-28); what it took in from the main branch is
 * known by where that stood. Throws BAD_INPUT where its own are on the main branch.
 */
async function workOf(ports: Ports, handle: Handle, view: TaskView, agent: string): Promise<Facts> {
  await assertNotOnMain(ports, handle, view, agent);
  const made = workOn(ports, handle, view.layout.agentBranch(agent));
  const mains = await mainsSince(ports, handle);
  return {
    report: ports.evidence.put(Buffer.from(`${JSON.stringify(made, null, 2)}\n`)),
    ...validatedBy(ports, view, agent),
    ...(mains.length === 0 ? {} : { mains }),
  };
}

/** Of those who might speak as a stakeholder, the agents of the task have a word on it. Throws BAD_INPUT; the table refuses everybody else. */
function assertOfTask(handle: Handle, { actor }: Caller): void {
  const agents = agentsOf(handle);
  if (agents.includes(actor.id) || agents.length === 0 || !actor.roles.includes('stakeholder')) return;
  throw new EngineError(
    'BAD_INPUT',
    `${actor.id} is no agent of ${taskNameOf(handle)}: its agents are ${agents.join(', ')}`,
    `whoever is one of them says it with --actor; who is missing is added: countersign task add-agent ${taskNameOf(handle)} --agent AGENT`,
  );
}

/** Nobody is complete who was never called in the state that the task is in (PROTO-182). Throws BAD_INPUT. */
function assertCalled(handle: Handle, agent: string): void {
  const mode = modeIn(handle.item.state);
  const calls = invocationsOf(handle).filter((call) => call.agent === agent && call.mode === mode);
  if (!agentsOf(handle).includes(agent) || calls.some(({ isCurrent }) => isCurrent)) return;
  throw new EngineError(
    'BAD_INPUT',
    `${agent} was not called for its ${mode} in ${handle.item.state}`,
    `the coordinator calls it: countersign task invoke ${taskNameOf(handle)} --agent ${agent}`,
  );
}
