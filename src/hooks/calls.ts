import { adoptedProtocols } from '../engine/adopted-protocols.ts';
import { isAside } from '../engine/aside.ts';
import { displayId } from '../engine/display.ts';
import { gateOf } from '../engine/gates.ts';
import { expand, type Protocol, type Row as TableRow } from '../kernel/protocol.ts';
import { builtIn } from '../protocols/index.ts';
import { NAMED_STEPS, namedStep } from '../protocols/tools.ts';
import type { Part } from './bindings.ts';
import type { Lookup, Row, Told } from './surroundings.ts';

/** The protocol that an item follows, the project's own as well; undefined for what is no item. */
export async function protocolOf(store: Lookup, number: number): Promise<Protocol | undefined> {
  const row = await store.itemByNumber(number);
  if (row === undefined) return undefined;
  return builtIn(row.protocol) ?? (await adoptedProtocols({ store })).get(row.protocol);
}

/** What a command of a protocol takes an item for: to build it, to have it verified, or neither. */
export function partOf({ gates, rows }: Protocol, command: string): Part | undefined {
  if (command === 'verify' || gates.some((gate) => gate.pass === command)) return 'verify';
  return rows.some((row) => row.command === command && isBuilders(row)) ? 'build' : undefined;
}

/** The same for a tool that stands for a step of the protocol. */
export function partOfTool(protocol: Protocol, tool: string): Part | undefined {
  const steps = NAMED_STEPS.filter((step) => step.tool === tool && step.protocol === protocol.name);
  return steps.map(({ command }) => partOf(protocol, command)).find((part) => part !== undefined);
}

/** Whoever takes the row built the item, or has it to build. */
const isBuilders = ({ as, requires }: TableRow): boolean =>
  as === 'builder' || requires.some((guard) => guard.guard === 'same' && guard.as === 'assignee');

/** What a session is told of an item: whether its checks are awaited, and the call that leads on. */
export async function toldOf(store: Lookup, row: Row): Promise<Told> {
  const protocol = await protocolOf(store, row.number);
  const item = displayId(row.number, row.protocol);
  if (protocol === undefined) return { ...row, item, atGate: false, call: '' };
  const atGate = gateOf({ protocol, item: row }) !== undefined;
  return { ...row, item, atGate, call: callOn(protocol, row.state, item, atGate) };
}

function callOn(protocol: Protocol, state: string, item: string, atGate: boolean): string {
  if (atGate) return inWords(protocol, 'verify', item);
  const rows = protocol.rows.filter(
    (row) => row.command !== '' && !isAside(row) && expand(protocol, row.from).includes(state),
  );
  const on = rows.filter(({ to }) => to !== '@same');
  const row = on.find(isBuilders) ?? on[0];
  return row === undefined ? '' : inWords(protocol, row.command, item);
}

/** A call in one line, as the tools of the protocol's profile take it. */
function inWords({ name }: Protocol, command: string, item: string): string {
  const named = namedStep(name, command);
  if (named !== undefined) return `${named.tool} ${JSON.stringify({ [named.item]: item, ...named.more })}`;
  return command === 'verify'
    ? `item_verify ${JSON.stringify({ item })}`
    : `item_move ${JSON.stringify({ item, command })}`;
}
