import type { Caller } from '../engine/caller.ts';
import type { Ports } from '../engine/ports.ts';
import type { TaskCall } from '../engine/staged/task-call.ts';
import { type TaskWay, wayOn } from '../engine/staged/way-on.ts';
import { type Call, inText } from './call.ts';
import type { Reply } from './reply.ts';

/** What is done with a task by one tool, under the name of the act. */
const ACTS: ReadonlySet<string> = new Set(['worktrees', 'merge', 'land', 'tidy']);

/** Beside the call: the file or folder that it is about. */
export interface TaskCallTold extends Call {
  readonly path?: string;
}

function toolFor(
  { command, given }: TaskCall,
  { task, item, session, code }: TaskWay,
): Pick<Call, 'tool' | 'arguments'> {
  const named = { task_id: task, session: session || 'SESSION' };
  if (command === 'verify') return { tool: 'verify_task', arguments: { task_id: item } };
  if (command === 'status') return { tool: 'task_status', arguments: { task_id: task, ...given } };
  if (command === 'list') return { tool: 'task_list', arguments: { session: named.session } };
  if (command === 'start') return { tool: 'task_start', arguments: named };
  if (ACTS.has(command)) return { tool: 'task_do', arguments: { ...named, act: command, ...given } };
  return { tool: 'task_step', arguments: { ...named, command, cwd: code, ...given } };
}

function told(call: TaskCall, way: TaskWay, caller: string): TaskCallTold {
  const first =
    call.before === '' ? {} : { first: call.path === '' ? call.before : `${call.before} (${call.path})` };
  const path = call.path === '' ? {} : { path: call.path };
  // What no tool does is typed.
  if (call.by === 'person' || call.command === 'escalate') {
    const options = Object.entries(call.given).map(([name, text]) => ` --${name} ${text}`);
    const run = `countersign ${call.command === 'force' ? 'lease' : 'task'} ${call.command} ${way.task}${options.join('')}`;
    return { by: 'a person at a terminal', ...first, run };
  }
  const who = call.by === 'coordinator' ? way.holder : call.by;
  return { by: who === caller || who === '' ? 'you' : who, ...first, ...path, ...toolFor(call, way) };
}

/** The exact calls that lead a task on as it stands; none for one that was never begun (PROTO-23). */
export async function taskCalls(
  ports: Ports,
  caller: Caller,
  task: string,
  session = '',
): Promise<readonly TaskCallTold[]> {
  const way = await wayOn(ports, caller, task, session).catch(() => undefined);
  return way === undefined ? [] : way.calls.map((call) => told(call, way, caller.actor.id));
}

/** An answer with the calls that follow it, in place of those that it named. */
export function leadingOn(done: Reply, calls: readonly TaskCallTold[]): Reply {
  if (done.isError || calls.length === 0) return done;
  const lines = done.text.split('\n').filter((line) => !line.startsWith('next ('));
  return { ...done, data: { ...done.data, next: calls }, text: [...lines, ...calls.map(inText)].join('\n') };
}
