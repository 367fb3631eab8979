import type { Answer } from '../answer.ts';

/** What a hook process leaves behind. Never exit code 1: there it would count as an error that blocks nothing. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

const NOTHING: Printed = { stdout: '', stderr: '', code: 0 };

/** Longest text that is taken of a hook, in characters. */
const MOST = 10_000;

/** The output that Claude Code's published types name for each event: nothing else is printed. */
export type Output =
  | { readonly decision: 'block'; readonly reason: string }
  | { readonly systemMessage: string }
  | { readonly hookSpecificOutput: Specific };

type Specific =
  | {
      readonly hookEventName: 'PreToolUse';
      readonly permissionDecision: 'deny';
      readonly permissionDecisionReason: string;
    }
  | { readonly hookEventName: WithContext; readonly additionalContext: string };

type WithContext = 'SessionStart' | 'UserPromptSubmit' | 'PreToolUse';

/** An answer as Claude Code reads it. */
export function print(event: string, answer: Answer): Printed {
  // A task is kept open by the exit code: that is its published way.
  if (event === 'TaskCompleted' && answer.kind === 'block')
    return { stdout: '', stderr: `${cut(answer.reason)}\n`, code: 2 };
  const output = outputOf(event, answer);
  return output === undefined ? NOTHING : { ...NOTHING, stdout: `${JSON.stringify(output)}\n` };
}

/** undefined where nothing is to be said. */
export function outputOf(event: string, answer: Answer): Output | undefined {
  switch (answer.kind) {
    case 'silent':
      return undefined;
    case 'block':
      return { decision: 'block', reason: cut(answer.reason) };
    case 'deny':
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: cut(answer.reason),
        },
      };
    case 'context':
      return {
        hookSpecificOutput: { hookEventName: event as WithContext, additionalContext: cut(answer.text) },
      };
    case 'tell':
      return { systemMessage: cut(answer.text) };
  }
}

const cut = (text: string) => (text.length <= MOST ? text : `${text.slice(0, MOST - 2)} …`);
