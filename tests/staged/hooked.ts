import { type Hooked, hook } from '../hooks/hook-program.ts';
import type { Program } from '../terminal.ts';
import type { Crew } from './crew.ts';

/** The hooks of Claude Code around a crew, each event answered by a process of its own. */
export interface HooksOfCrew {
  fire(event: object, more?: HookedAs): Hooked;
  /** Why a tool was refused, '' where it was not. */
  uses(tool: string, input: object, more?: HookedAs): string;
  prompts(prompt: string, more?: HookedAs): Hooked;
  stops(message?: string, more?: HookedAs): Hooked;
  starts(more?: HookedAs): string;
}

export interface HookedAs {
  readonly session?: string;
  readonly actor?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Fields of the event. */
  readonly fields?: object;
}

export function hooksOf(program: Program, crew: Crew): HooksOfCrew {
  const fire: HooksOfCrew['fire'] = (event, as = {}) => {
    const { session = 's-1', actor = 'lead', cwd = crew.session.repo.top, env = {}, fields = {} } = as;
    const base = { session_id: session, cwd, permission_mode: 'default', ...fields };
    return hook(program, { env: { ...crew.session.env, ...env }, cwd, actor }, { ...base, ...event });
  };
  return {
    fire,
    uses: (tool_name, tool_input, as) =>
      fire({ hook_event_name: 'PreToolUse', tool_name, tool_input }, as).said?.hookSpecificOutput
        ?.permissionDecisionReason ?? '',
    prompts: (prompt, as) => fire({ hook_event_name: 'UserPromptSubmit', prompt }, as),
    stops: (last_assistant_message = 'Done.', as) =>
      fire({ hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message }, as),
    starts: (as) =>
      fire({ hook_event_name: 'SessionStart', source: 'startup' }, as).said?.hookSpecificOutput
        ?.additionalContext ?? '',
  };
}

/** What a hook told the session, '' where it told nothing. */
export const told = ({ said }: Hooked): string => said?.hookSpecificOutput?.additionalContext ?? '';
