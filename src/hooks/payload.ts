/** What a coding agent tells of one moment, whichever agent it is. Absent fields are ''. */
export interface Moment {
  readonly event: string;
  readonly session: string;
  /** The sub-agent that it happened in, '' for the main thread. */
  readonly agent: string;
  /** Name of the agent definition. */
  readonly agentType: string;
  readonly cwd: string;
  readonly tool: string;
  readonly input: { readonly [name: string]: unknown };
  readonly prompt: string;
  /** What the agent said last before its turn ends. */
  readonly message: string;
  /** A hook has kept this turn from ending before. */
  readonly stopActive: boolean;
  /** Work behind the turn that comes back to it: other agents, and our own commands. A server that runs on is none. */
  readonly awaited: number;
  /** Why a session began, or whose configuration changed. */
  readonly source: string;
  readonly file: string;
  /** A task of the agent's own list, as it is called there. */
  readonly task: string;
}

/** Thrown for what is no payload; `cwd` is known where that much could be read. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

/** Most that is read of a payload, in characters: a written file comes along whole. */
export const MOST_PAYLOAD = 64 * 1024 * 1024;

/** Reads the payload of Claude Code's hooks. Unknown fields are the agent's own affair; known ones have their type. */
export function readPayload(text: string): Moment {
  // Some hosts begin with a byte order mark.
  const body = parsed(text.replace(/^\uFEFF/, ''));
  const string = (name: string): string => {
    const value = body[name];
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') throw new PayloadError(`${name} is no text`);
    return value;
  };
  const event = string('hook_event_name');
  if (event === '') throw new PayloadError('it does not name its event');
  const tasks = body.background_tasks;
  return {
    event,
    session: string('session_id'),
    agent: string('agent_id'),
    agentType: string('agent_type'),
    cwd: string('cwd'),
    tool: string('tool_name'),
    input: objectOf(body.tool_input, 'tool_input'),
    prompt: string('prompt'),
    message: string('last_assistant_message'),
    stopActive: body.stop_hook_active === true,
    awaited: Array.isArray(tasks) ? tasks.filter(comesBack).length : 0,
    source: string('source'),
    file: string('file_path'),
    task: [string('task_subject'), string('task_description')].filter((t) => t !== '').join('\n'),
  };
}

/** A program in the background may run for ever; one of ours ends, and an agent does. */
function comesBack(task: { readonly type?: unknown; readonly command?: unknown } | null): boolean {
  const { type, command } = task ?? {};
  if (typeof command === 'string') return /\bcountersign\b/.test(command);
  return !/shell|bash|monitor/i.test(String(type));
}

function parsed(text: string): { readonly [name: string]: unknown } {
  if (text.length > MOST_PAYLOAD) throw new PayloadError('it is too long');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new PayloadError('it is no JSON');
  }
  return objectOf(body, 'the payload');
}

function objectOf(value: unknown, name: string): { readonly [name: string]: unknown } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new PayloadError(`${name} is no object`);
  return value as { readonly [name: string]: unknown };
}
