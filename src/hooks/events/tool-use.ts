import { numberOf } from '../../engine/display.ts';
import { isVerifierAgent, verifierAgentIn } from '../../engine/harness/names.ts';
import { type Answer, deny, SILENT } from '../answer.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** Our own servers as Claude Code names their tools, also where a plugin brings them. */
const OURS = /^mcp__(?:plugin_[a-z0-9-]+_)?countersign(-verifier)?__([a-z_]+)$/;

/** A call of our own server: builder and verifier each use theirs, and the session is noted for the item. */
export async function toolUse(
  { tool, input, cwd, session, agent, agentType }: Moment,
  around: Surroundings,
): Promise<Answer> {
  const [whole, verifier, name = ''] = OURS.exec(tool) ?? [];
  if (whole === undefined) return SILENT;
  if (verifier !== undefined && !isVerifierAgent(agentType))
    return deny(
      `Only the agent ${verifierAgentIn(around.env)} works as the verifier: who builds does not confirm. Start that agent and give it the item.`,
    );
  if (verifier === undefined && isVerifierAgent(agentType) && !OF_A_VERIFIER.test(nameOf(name, input)))
    return deny('You verify what others built. Use the tools of the server countersign-verifier.');
  const number = numberIn(input);
  if (number === undefined) return SILENT;
  if (!LOOKS.test(name) && around.serves(around.env.CLAUDE_PROJECT_DIR || cwd || around.top))
    await bound(name, input, number, { session, agent }, around);
  return SILENT;
}

async function bound(
  name: string,
  input: Moment['input'],
  number: number,
  who: Pick<Moment, 'session' | 'agent'>,
  around: Surroundings,
): Promise<void> {
  const { takeUp, takeUpByTool } = await import('../take-up.ts');
  if (name === 'item_move') return takeUp(number, String(input.command), who, around);
  const [, command] = /^item_(start|claim|verify)$/.exec(name) ?? [];
  return command === undefined
    ? takeUpByTool(number, name, who, around)
    : takeUp(number, command, who, around);
}

/** The number of the item that a call is about, however the tool calls it. */
function numberIn({ item, task_id: task, goal_id: goal }: Moment['input']): number | undefined {
  const named = [item, task, goal].find((ref) => typeof ref === 'string');
  return named === undefined ? undefined : numberOf(named as string);
}

/** The step behind a call: of item_move it is an argument. */
const nameOf = (name: string, input: Moment['input']): string =>
  name === 'item_move' ? `item_${String(input.command)}` : name;

/** What takes an item for nothing. */
const LOOKS =
  /^(next|item_(list|show|add|dispatch|release|ack|retry|complete|judge|follow_up)|goal_status|validate_transition|get_\w+)$/;
/** What whoever verifies may ask of the builder's server as well; it is decided by that credential. */
const OF_A_VERIFIER = /^(next|item_(list|show|verify|judge)|goal_status|validate_transition|get_\w+)$/;
