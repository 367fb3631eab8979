import { record } from '../../kernel/record.ts';
import type { WorkItem } from '../../kernel/work-item.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { type Outcome, plain, walk } from '../execute.ts';
import type { Ports } from '../ports.ts';
import { modeIn, wordOf } from './invocations.ts';
import { settled } from './reports.ts';
import { type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

export interface AgentWord {
  readonly task: string;
  /** WORKING, COMPLETE or ERROR; APPROVED or REJECTED in a review (CP-23). */
  readonly status: string;
  /** What went wrong, or why the work is rejected. */
  readonly reason: string;
  /** For an ERROR: tool-limitation, blocker or implementation-error (PROTO-196). */
  readonly errorType: string;
}

const ERROR_TYPES = ['tool-limitation', 'blocker', 'implementation-error'];

/**
 * An agent says how it stands, by its own credential. A report that it calls complete is hashed at that moment; without
 * one it is not complete (PROTO-191, PROTO-192). Throws BAD_INPUT.
 */
export async function agentSays(ports: Ports, caller: Caller, word: AgentWord): Promise<Outcome> {
  const { id, item } = await taskItem(ports, word.task);
  const kind = wordOf(modeIn(item.state));
  const status = word.status.toUpperCase().replace(/^IN_PROGRESS$/, 'WORKING');
  if (word.reason.trim() === '' && (status === 'ERROR' || status === 'REJECTED'))
    throw new EngineError('BAD_INPUT', `${status} needs a reason`, 'say it with --reason TEXT');
  if (word.errorType !== '' && !ERROR_TYPES.includes(word.errorType))
    throw new EngineError(
      'BAD_INPUT',
      `there is no kind of error ${word.errorType}`,
      `known: ${ERROR_TYPES.join(', ')}`,
    );
  const view = await viewTask(ports, word.task, '');
  const { report, path, size } = settled(ports, view, caller.actor.id);
  const hasReport = kind === 'requirements' && status === 'COMPLETE';
  if (hasReport && report !== '')
    throw new EngineError('BAD_INPUT', report, 'write the report, then say it again');
  const bytes = hasReport ? ports.workspace.readFile(path) : undefined;
  const made =
    kind === 'implementation' && status === 'COMPLETE'
      ? workOf(ports, item, view, caller.actor.id)
      : undefined;
  const facts = {
    ...(made === undefined ? {} : { report: ports.evidence.put(made) }),
    mode: modeIn(item.state),
    ...(word.reason === '' ? {} : { reason: word.reason }),
    ...(word.errorType === '' ? {} : { error_type: word.errorType }),
    ...(bytes === undefined ? {} : { report: ports.evidence.put(bytes), report_path: path, bytes: size }),
  };
  return walk(ports, caller, {
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
}

/** What an agent's branch holds beyond the task's base: its word that it is complete is on exactly these commits (PROTO-28). */
function workOf({ workspace }: Ports, item: WorkItem, { layout }: TaskView, agent: string): Buffer {
  const branch = `refs/heads/${layout.agentBranch(agent)}`;
  const made =
    workspace.commitOf(branch) === '' ? [] : workspace.commits(String(item.facts.head ?? ''), branch);
  return Buffer.from(`${JSON.stringify(made, null, 2)}\n`);
}
