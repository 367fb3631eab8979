import type { ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../engine/caller.ts';
import type { Outcome } from '../engine/execute.ts';
import { gateOf, isAtGate } from '../engine/gates.ts';
import type { Handle } from '../engine/handle.ts';
import { otherName } from '../engine/other-name.ts';
import type { Ports } from '../engine/ports.ts';
import { STEP, type StepRequest, step } from '../engine/step.ts';
import type { Desk } from './desk.ts';
import { linksOf } from './links.ts';
import { outcomeReply, type Reply, refusal } from './reply.ts';
import { verification } from './verification.ts';

/** What may be given with a step; what is left out is as always. */
type More = { readonly [name in keyof Omit<StepRequest, 'ref' | 'command'>]?: StepRequest[name] | undefined };

/** A step of an item's own protocol, as a tool asks for it. */
export interface Wanted extends More {
  readonly ref: string;
  readonly command: string;
  /** The name that the call carries, '' for none. */
  readonly as?: string | undefined;
  /** Throws where the item is none that the tool is for. */
  readonly before?: (ports: Ports) => Promise<unknown>;
  /** What is to be remarked on the item after it. */
  readonly remarks?: (handle: Handle) => readonly string[];
}

/** Takes a step as the actor of the credential; a call in another's name is refused, and that is recorded (CX-17). */
export function takeStep(desk: Desk, wanted: Wanted): Promise<Reply> {
  const { ref, command, as = '' } = wanted;
  return desk.work(async (ports, caller) => {
    const posing = await otherName(ports, caller, { name: as, ref, command });
    if (posing !== undefined) return refusal(posing, desk.offered, command);
    await wanted.before?.(ports);
    return stepReply(desk, ports, caller, wanted);
  });
}

/** What became of a step, with the calls that lead on. */
async function stepReply(
  { offered }: Pick<Desk, 'offered'>,
  ports: Ports,
  caller: Caller,
  { as: _as, before: _before, remarks = () => [], ...wanted }: Wanted,
): Promise<Reply> {
  const { command } = wanted;
  const outcome = await step(ports, caller, { ...STEP, ...given(wanted) });
  const { handle } = outcome;
  const warnings = [...outcome.warnings, ...(outcome.kind === 'done' ? remarks(handle) : [])];
  const done = [
    `${handle.display} ${command}: ${handle.item.state}`,
    ...warnings.map((warning) => `note: ${warning}`),
    ...(isAtGate(handle) && !isOwnGate(outcome) ? ['It is not done: somebody else has it verified.'] : []),
  ];
  return outcomeReply(outcome, offered, command, done.join('\n'), { warnings }, linksOf(handle));
}

/** Whoever took the step may have it verified as well: a lead integrates a goal and verifies it. */
const isOwnGate = ({ handle, options }: Outcome): boolean =>
  options.some(({ command, mine }) => mine && command === gateOf(handle)?.pass);

/** Without what was left out, so that the defaults stand. */
const given = (wanted: Wanted) =>
  Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined),
  ) as Partial<StepRequest>;

export interface Checked {
  readonly ref: string;
  readonly as?: string | undefined;
  readonly notes?: string | undefined;
  readonly wait?: number | undefined;
  /** The call that waits on: the tool, how it names the item, and what else it takes. */
  readonly tool: string;
  readonly item: string;
  readonly more?: { readonly [name: string]: string };
}

/** Asks for the verification of an item, under the name of a tool. */
export function takeVerification(desk: Desk, asked: Checked, context: ServerContext): Promise<Reply> {
  const { ref, as = '', notes = '', wait, tool, item, more } = asked;
  return desk.work(async (ports, caller) => {
    const posing = await otherName(ports, caller, { name: as, ref, command: 'verify' });
    if (posing !== undefined) return refusal(posing, desk.offered, 'verify');
    const again = { tool, arguments: { [item]: ref, ...more } };
    return verification(desk, ports, caller, { ref, notes, wait, again }, context);
  });
}
