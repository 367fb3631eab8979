import { displayId } from '../engine/display.ts';
import { gateOf } from '../engine/gates.ts';
import { own } from '../kernel/own.ts';
import { expand, type Protocol } from '../kernel/protocol.ts';
import { NAMED_STEPS } from '../protocols/tools.ts';
import { bind, bindingsIn, IN_HANDS, type Part } from './bindings.ts';
import { partOf, protocolOf } from './calls.ts';
import type { Moment } from './payload.ts';
import type { Row, Surroundings } from './surroundings.ts';

type Who = Pick<Moment, 'session' | 'agent'>;

/**
 * Notes a session for an item that it is about to take up by a command. What the engine will refuse takes nothing from
 * anybody: where the command does not lead on from the present state, an item in the hands of another stays there, and one
 * that is in no hands at all is none of this session's.
 */
export async function takeUp(number: number, command: string, who: Who, around: Surroundings): Promise<void> {
  await takeUpBy(number, () => [command], who, around);
}

/** The same by a tool that stands for a step of the item's protocol. */
export async function takeUpByTool(
  number: number,
  tool: string,
  who: Who,
  around: Surroundings,
): Promise<void> {
  const commandsIn = ({ name }: Protocol) =>
    NAMED_STEPS.filter((step) => step.tool === tool && step.protocol === name).map((step) => step.command);
  await takeUpBy(number, commandsIn, who, around);
}

async function takeUpBy(
  number: number,
  commandsIn: (protocol: Protocol) => readonly string[],
  who: Who,
  { state, look }: Surroundings,
): Promise<void> {
  const found = await look(async (store) => {
    const [row, protocol] = [await store.itemByNumber(number), await protocolOf(store, number)];
    return row === undefined || protocol === undefined ? undefined : { row, protocol };
  });
  if (found === undefined) return;
  const { row, protocol } = found;
  const commands = commandsIn(protocol);
  const part = commands.map((name) => own(SAME, name) ?? partOf(protocol, name)).find((p) => p !== undefined);
  if (part === undefined) return;
  const item = displayId(number, protocol.name);
  const leadsOn = commands.some((command) => isPossible(protocol, row, command));
  const isHeld = bindingsIn(state).some((binding) => binding.item === item && binding.part === part);
  if (leadsOn || (IN_HANDS.has(row.category) && !isHeld)) bind(state, { item, part, ...who });
}

const isPossible = (protocol: Protocol, { state }: Row, command: string): boolean =>
  command === 'verify'
    ? gateOf({ protocol, item: { state } }) !== undefined
    : protocol.rows.some((row) => row.command === command && expand(protocol, row.from).includes(state));

/** Commands that every protocol calls the same. */
const SAME: { readonly [command: string]: Part } = { start: 'build', claim: 'build', verify: 'verify' };
