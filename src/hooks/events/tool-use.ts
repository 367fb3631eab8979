import { displayId, numberOf } from '../../engine/display.ts';
import { isVerifierAgent, verifierAgentIn } from '../../engine/harness/names.ts';
import { own } from '../../kernel/own.ts';
import { type Answer, deny, SILENT } from '../answer.ts';
import { bind, type Part } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** Our own servers as Claude Code names their tools, also where a plugin brings them. */
const OURS = /^mcp__(?:plugin_[a-z0-9-]+_)?countersign(-verifier)?__([a-z_]+)$/;

/** A call of our own server: builder and verifier each use theirs, and the session is noted for the item. */
export async function toolUse(
  { tool, input, session, agent, agentType }: Moment,
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
  const part = own(PARTS, nameOf(name, input));
  if (part !== undefined) bind(around.state, { item: `T-${number}`, part, session, agent });
  else if (!LOOKS.test(name)) await bindBySteps(name, input, number, { session, agent }, around);
  return SILENT;
}

/** Steps of other protocols: the protocol of the item says what they take it for. */
async function bindBySteps(
  name: string,
  input: Moment['input'],
  number: number,
  who: Pick<Moment, 'session' | 'agent'>,
  { state, look }: Surroundings,
): Promise<void> {
  const { protocolOf, partOf, partOfTool } = await import('../calls.ts');
  const protocol = await look((store) => protocolOf(store, number));
  if (protocol === undefined) return;
  const part = name === 'item_move' ? partOf(protocol, String(input.command)) : partOfTool(protocol, name);
  if (part !== undefined) bind(state, { item: displayId(number, protocol.name), part, ...who });
}

/** The number of the item that a call is about, however the tool calls it. */
function numberIn({ item, task_id: task, goal_id: goal }: Moment['input']): number | undefined {
  const named = [item, task, goal].find((ref) => typeof ref === 'string');
  return named === undefined ? undefined : numberOf(named as string);
}

/** The step behind a call: of item_move it is an argument. */
const nameOf = (name: string, input: Moment['input']): string =>
  name === 'item_move' ? `item_${String(input.command)}` : name;

/** Steps that need no look at the item: the two phases, and what every protocol calls the same. */
const PARTS: { readonly [name: string]: Part } = {
  item_start: 'build',
  item_claim: 'build',
  item_verify: 'verify',
};
/** What takes an item for nothing. */
const LOOKS =
  /^(next|item_(list|show|add|dispatch|release|ack|retry|complete|judge|follow_up)|goal_status|get_\w+)$/;
/** What whoever verifies may ask of the builder's server as well; it is decided by that credential. */
const OF_A_VERIFIER = /^(next|item_(list|show|verify|judge)|goal_status|get_\w+)$/;
