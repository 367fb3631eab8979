import { own } from '../kernel/own.ts';
import { type Printed, print } from './agents/claude-code.ts';
import { type Answer, SILENT, tell } from './answer.ts';
import { bindingsIn, isAtWork } from './bindings.ts';
import { preToolUse } from './events/pre-tool-use.ts';
import { stop } from './events/stop.ts';
import { type Moment, readPayload } from './payload.ts';
import { openTasks } from './staged/open-tasks.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Answers one event of a coding agent's session. Where it cannot: closed while this very session works on an item, silent
 * otherwise, so that nobody is kept from work that is none of ours. `around` answers the places of the session that have a
 * store; the first that has something to say is heard.
 */
export async function answerHook(
  text: string,
  around: (cwd: string) => readonly Surroundings[],
): Promise<Printed> {
  let moment: Moment;
  try {
    moment = readPayload(text);
  } catch (error) {
    return unreadable((error as Error).message, around(''));
  }
  for (const here of around(moment.cwd)) {
    const said = await answer(moment, here).catch((error: Error) => failed(moment, here, error.message));
    if (said.kind !== 'silent') return print(moment.event, said);
  }
  return print(moment.event, SILENT);
}

/** What items say of the moment, and where a task in stages is open, what that says. */
async function answer(moment: Moment, around: Surroundings): Promise<Answer> {
  const said = await ofItems(moment, around);
  const isSettled = said.kind !== 'silent' && moment.event !== 'SessionStart';
  if (isSettled || !STAGED.has(moment.event) || openTasks(around.state).length === 0) return said;
  return (await import('./staged/answer.ts')).stagedAnswer(moment, around, said);
}

/** Events of which tasks in stages have something to say. */
const STAGED: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop']);

async function ofItems(moment: Moment, around: Surroundings): Promise<Answer> {
  switch (moment.event) {
    case 'PreToolUse':
      return preToolUse(moment, around);
    case 'Stop':
    case 'SubagentStop':
      return stop(moment, around);
    case 'TaskCompleted':
      return (await import('./events/todo.ts')).taskCompleted(moment, around);
    case 'SessionStart':
      return (await import('./events/session-start.ts')).sessionStart(moment, around);
    case 'UserPromptSubmit':
      return (await import('./events/user-prompt-submit.ts')).userPromptSubmit(moment, around);
    case 'ConfigChange':
      return (await import('./events/config-change.ts')).configChange(moment, around);
    default:
      return SILENT;
  }
}

/** What an event is answered where the answer could not be found. */
const CLOSED: { readonly [event: string]: 'deny' | 'block' } = {
  PreToolUse: 'deny',
  TaskCompleted: 'block',
  Stop: 'block',
  SubagentStop: 'block',
  UserPromptSubmit: 'block',
  ConfigChange: 'block',
};

function failed(moment: Moment, { state }: Surroundings, why: string): Answer {
  const text = `Countersign could not look at this (${why}). Run: countersign doctor`;
  const kind = own(CLOSED, moment.event);
  // A turn that was kept from ending once ends the second time: a broken store must not hold a session for ever.
  return isAtWork(state, moment.session) && kind !== undefined && !moment.stopActive
    ? { kind, reason: text }
    : tell(text);
}

function unreadable(why: string, places: readonly Surroundings[]): Printed {
  const text = `Countersign could not read the event of a hook: ${why}. Run: countersign doctor`;
  const isActive = places.some(({ state }) => bindingsIn(state).length > 0);
  return isActive
    ? { stdout: '', stderr: `${text}\n`, code: 2 }
    : { stdout: `${JSON.stringify({ systemMessage: text })}\n`, stderr: '', code: 0 };
}
