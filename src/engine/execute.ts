import { type Command, type Gathered, NOTHING_GATHERED } from '../kernel/command.ts';
import type { World } from '../kernel/context.ts';
import { type Accepted, decide, type RefusalCode, type Refused } from '../kernel/decide.ts';
import type { ItemEvent } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve.ts';
import type { Option } from '../kernel/guidance.ts';
import { elapsedEvents } from '../kernel/timeouts.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { Caller } from './caller.ts';
import { type Draft, draft, touch } from './draft.ts';
import { followUpWay } from './ended.ts';
import { type Handle, loadItem } from './handle.ts';
import { afterGivingUp } from './phases/given-up.ts';
import { nowOf, type Ports } from './ports.ts';
import { useProof } from './proof.ts';
import { beyondToken } from './reach.ts';
import { recordRefusal } from './refuse.ts';
import { asOfNow, lostStanding } from './standing.ts';
import type { Given } from './steps.ts';
import { complete } from './transaction.ts';
import { waysOn } from './ways.ts';
import { listStream, readWorld } from './world.ts';

export interface Done {
  readonly kind: 'done';
  readonly handle: Handle;
  readonly verdicts: readonly Verdict[];
  /** What the caller may do next. */
  readonly options: readonly Option[];
}

export interface NotDone {
  readonly kind: 'refused';
  readonly code: RefusalCode | 'conflict' | 'proof-used';
  readonly because: string;
  readonly verdicts: readonly Verdict[];
  readonly handle: Handle;
  readonly options: readonly Option[];
  /** What came with the command, by the names of the table. */
  readonly given: Given;
}

export type Outcome = Done | NotDone;

/** One thing that somebody wants of one item. The functions see the item as it is decided on, in every round. */
export interface Walk {
  readonly ref: string;
  readonly name: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
  readonly decide: (handle: Handle, world: World, command: Command) => Promise<Decided> | Decided;
  /** Digest that a person must have been shown; a proof for anything else is none for this. */
  readonly confirms: (handle: Handle) => string;
  /** Adds to the write what belongs to it. */
  readonly extend: (write: Draft, handle: Handle) => Promise<void> | void;
  /** Nobody asked for it: that somebody else was there before is no attempt to put down. */
  readonly unasked?: true;
}

export type Decided = Accepted<ItemEvent> | Refused;

/** A command of the table. */
export interface Request extends Omit<Walk, 'decide'> {
  /** Looks outside for the probes and subjects of the row. */
  readonly gather: (handle: Handle) => Promise<Gathered> | Gathered;
  /** Evidence of the engine that belongs to the same write; or the reason why there is none. */
  readonly evidence: (handle: Handle, world: World, command: Command) => readonly ItemEvent[] | Refused;
}

export const plain: Pick<Request, 'gather' | 'evidence' | 'extend' | 'reason' | 'arguments' | 'confirms'> = {
  confirms: () => '',
  gather: () => NOTHING_GATHERED,
  evidence: () => [],
  extend: () => {},
  reason: '',
  arguments: {},
};

const ROUNDS = 12;

/** A command of the table: look outside, decide on what was found. */
export function execute(ports: Ports, caller: Caller, request: Request): Promise<Outcome> {
  const decideOn = async (handle: Handle, world: World, command: Command) =>
    decideWith(
      handle,
      command,
      world,
      await request.gather(handle),
      request.evidence(handle, world, command),
    );
  return walk(ports, caller, { ...request, decide: decideOn });
}

/**
 * The one way to change an item: read and fold, decide, settle, append with the expected version.
 * A refusal is recorded and answered with what would help; a lost race is decided anew on what the winner left.
 */
export async function walk(ports: Ports, caller: Caller, request: Walk): Promise<Outcome> {
  const commandId = ports.newId();
  const refuse = refuserOf(request);
  for (let round = 0; ; round++) {
    const handle = await loadItem(ports, request.ref);
    const { world, roster, readSet } = await readWorld(ports, handle.protocol, handle.item.list);
    const command = commandOf(ports, { ...caller, actor: asOfNow(caller.actor, roster) }, request, commandId);
    const foreign = caller.proof !== undefined && caller.proof.digest !== request.confirms(handle);
    const over = replaced(handle) ?? afterGivingUp(handle);
    const barred =
      lostStanding(caller, roster) ??
      beyondToken(caller, handle) ??
      over ??
      (foreign ? FOREIGN_PROOF : undefined);
    const decided = barred ?? (await request.decide(handle, world, command));
    if (decided.kind === 'refused') return refuse(ports, handle, command, world, decided);
    const write = draft(commandId, command.at);
    write.readSet.push(...readSet);
    useProof(write, caller.proof);
    // What passed while nobody looked belongs to the stay that ends here.
    const passed = elapsedEvents(handle.protocol, handle.item, command.at);
    const after = touch(write, handle, [...passed, ...decided.events]);
    await request.extend(write, after);
    const result = await ports.store.commit(await complete(ports, write, world));
    if (result.kind === 'committed' || result.kind === 'duplicate') {
      const final = write.touched.get(handle.id)?.handle ?? after;
      const options = waysOn(final, command.actor, await worldAfter(ports, write, final, world));
      return { kind: 'done', handle: final, verdicts: decided.verdicts, options };
    }
    const lost = lostRace(result, round);
    if (lost !== undefined) return refuse(ports, handle, command, world, lost);
    await pause(ports, round);
  }
}

/** What the list of an item was told by the write itself is part of what leads on from it. */
async function worldAfter(
  ports: Ports,
  write: Draft,
  { protocol, item }: Handle,
  before: World,
): Promise<World> {
  const told = write.documents.some(({ stream }) => stream === listStream(item.list));
  return told ? (await readWorld(ports, protocol, item.list)).world : before;
}

/** Nothing more happens to an item whose place another has taken. */
function replaced({ display, item }: Handle): Refused | undefined {
  const later = item.links.find(({ kind }) => kind === 'superseded-by')?.to;
  if (later === undefined) return undefined;
  const because = `${display} was replaced by ${later}`;
  return { kind: 'refused', code: 'no-transition', because, verdicts: [] };
}

const FOREIGN_PROOF: Refused = {
  kind: 'refused',
  code: 'wrong-role',
  because: 'the confirmation was given for something else, or for what has changed since it was shown',
  verdicts: [],
};

type Lost = Pick<NotDone, 'code' | 'because' | 'verdicts'>;

function lostRace(result: { kind: string; stream?: string }, round: number): Lost | undefined {
  if (result.kind === 'fenced') {
    return { code: 'conflict', because: 'another worker took this over meanwhile', verdicts: [] };
  }
  if (result.stream?.startsWith('proof/')) {
    return {
      code: 'proof-used',
      because: 'this confirmation was used before: each holds once',
      verdicts: [],
    };
  }
  if (round < ROUNDS) return undefined;
  return {
    code: 'conflict',
    because: 'other writers kept changing the item; nothing was written',
    verdicts: [],
  };
}

function commandOf(ports: Ports, { actor, proof }: Caller, request: Walk, id: string): Command {
  const { name, reason, arguments: args } = request;
  return { id, name, actor, at: nowOf(ports), reason, arguments: args, proof };
}

function decideWith(
  handle: Handle,
  command: Command,
  world: World,
  gathered: Gathered,
  evidence: readonly ItemEvent[] | Refused,
): Decided {
  if ('kind' in evidence) return evidence;
  const item = evidence.reduce<WorkItem>((i, e) => evolve(handle.protocol, i, e), handle.item);
  const decision = decide(handle.protocol, item, command, world, gathered);
  if (decision.kind === 'refused') return decision;
  return { ...decision, events: [...evidence, ...decision.events] };
}

/** Records a refusal and answers it with what the caller may do instead. */
export async function refusal(
  ports: Ports,
  handle: Handle,
  command: Command,
  world: World,
  lost: Lost,
): Promise<NotDone> {
  await recordRefusal(ports, handle, command, lost);
  return refusalOf(handle, command, world, lost);
}

const refuserOf = ({ unasked }: Walk): typeof refusal =>
  unasked === true ? async (_, ...told) => refusalOf(...told) : refusal;

/** The same, put down nowhere. */
function refusalOf(handle: Handle, command: Command, world: World, lost: Lost): NotDone {
  const options = instead(handle, command, world);
  const { code, because, verdicts } = lost;
  return { kind: 'refused', code, because, verdicts, handle, options, given: givenWith(command) };
}

const givenWith = ({ arguments: named, reason }: Command): Given =>
  reason === '' ? named : { ...named, reason };

/** The ways on; and where nothing leads on, or what was asked for would undo something, the new work first. */
function instead(handle: Handle, { name, actor }: Command, world: World): readonly Option[] {
  const ways = waysOn(handle, actor, world);
  return ways.length === 0 || name === 'retry' ? [...followUpWay(handle, actor, world), ...ways] : ways;
}

/** Losers of a race wait a little, each another while, so that they do not meet again. */
export async function pause(ports: Pick<Ports, 'random'>, round: number): Promise<void> {
  const milliseconds = ((ports.random(1)[0] ?? 0) / 255) * Math.min(5 * 2 ** round, 200);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
