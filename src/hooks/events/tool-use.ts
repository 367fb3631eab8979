import { numberOf } from '../../engine/display.ts';
import { VERIFIER_AGENT } from '../../engine/harness/names.ts';
import { own } from '../../kernel/own.ts';
import { type Answer, deny, SILENT } from '../answer.ts';
import { bind } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** Our own servers as Claude Code names their tools, also where a plugin brings them. */
const OURS = /^mcp__(?:plugin_[a-z0-9-]+_)?countersign(-verifier)?__([a-z_]+)$/;

/** A call of our own server: builder and verifier each use theirs, and the session is noted for the item. */
export function toolUse({ tool, input, session, agent, agentType }: Moment, { state }: Surroundings): Answer {
  const [whole, verifier, name = ''] = OURS.exec(tool) ?? [];
  if (whole === undefined) return SILENT;
  if (verifier !== undefined && agentType !== VERIFIER_AGENT)
    return deny(
      `Only the agent ${VERIFIER_AGENT} works as the verifier: who builds does not confirm. Start that agent and give it the item.`,
    );
  if (verifier === undefined && agentType === VERIFIER_AGENT && STEPS.has(nameOf(name, input)))
    return deny('You verify what others built. Use the tools of the server countersign-verifier.');
  const number = typeof input.item === 'string' ? numberOf(input.item) : undefined;
  const part = own(PARTS, nameOf(name, input));
  if (number !== undefined && part !== undefined) bind(state, { item: `T-${number}`, part, session, agent });
  return SILENT;
}

/** The step behind a call: of item_move it is an argument. */
const nameOf = (name: string, input: Moment['input']): string =>
  name === 'item_move' ? `item_${String(input.command)}` : name;

const PARTS: { readonly [name: string]: 'build' | 'verify' } = {
  item_start: 'build',
  item_claim: 'build',
  item_verify: 'verify',
};
const STEPS = new Set(['item_start', 'item_claim', 'item_dispatch', 'item_complete', 'item_add']);
