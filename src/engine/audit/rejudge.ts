import { type Actor, ENGINE, POLICY } from '../../kernel/actor.ts';
import type { Command, Finding, Gathered, HumanProof } from '../../kernel/command.ts';
import type { World } from '../../kernel/context.ts';
import { decide, mayTake, rolesOf } from '../../kernel/decide.ts';
import type { Facts, Moved, Opened, Recorded } from '../../kernel/event.ts';
import { judge } from '../../kernel/guards/index.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { record } from '../../kernel/record.ts';
import { opens, type Verdict } from '../../kernel/verdict.ts';
import type { WorkItem } from '../../kernel/work-item.ts';
import { isObject } from './body.ts';

/** A past decision with what it was decided on: the fold before it, and the shared documents of its time. */
export interface Past {
  readonly protocol: Protocol;
  readonly item: WorkItem;
  readonly world: World;
}

/** Judges a move again by the pinned protocol, from the log alone. Answers what is wrong, undefined when nothing is. */
export function rejudgeMove({ protocol, item, world }: Past, event: Moved): string | undefined {
  const row = protocol.rows[event.row];
  if (row === undefined) return `the protocol has no row ${event.row}`;
  const actor = actorIn(world, event.by, rolesOf(protocol, row.by, item.state));
  if (actor === undefined) return `${event.by} was nobody of the roster then`;
  const command = { ...commandOf(event, event.command, actor, event.arguments), reason: event.reason };
  const decision = decide(protocol, item, command, world, gatheredFrom(event));
  if (decision.kind === 'refused') return `judged again, it is refused: ${because(decision)}`;
  const [decided] = decision.events.slice(-1);
  const same =
    decided?.row === event.row &&
    decided.from === event.from &&
    decided.to === event.to &&
    decided.origin === event.origin;
  return same ? undefined : `judged again, it leads from ${decided?.from} to ${decided?.to}`;
}

/** The extra hop that `via` adds to the history before the move that implies it. */
export function rejudgeHop({ protocol, item }: Past, hop: Moved, next: unknown): string | undefined {
  const move = isObject(next) && next.type === 'moved' ? (next as unknown as Moved) : undefined;
  const via = move === undefined ? undefined : protocol.rows[move.row]?.via;
  if (via === undefined || via === '' || hop.to !== via || hop.from !== item.state)
    return `nothing implies the step from ${hop.from} to ${hop.to}`;
  return undefined;
}

/** Judges again whether this evidence could be recorded, and how independent it was. */
export function rejudgeRecord({ protocol, item, world }: Past, event: Recorded): string | undefined {
  const row = protocol.evidence[event.row];
  if (row === undefined || row.kind !== event.kind) return `the protocol has no evidence row ${event.row}`;
  const actor = actorIn(world, event.by, rolesOf(protocol, row.by, item.state));
  const asker = actorIn(world, event.requestedBy, undefined);
  if (actor === undefined) return `${event.by} was nobody of the roster then`;
  if (asker === undefined) return `${event.requestedBy} was nobody of the roster then`;
  const { kind, outcome, facts } = event;
  const command = commandOf(event, '', actor, {});
  const decision = record(protocol, item, command, { kind, outcome, facts, asker }, world);
  if (decision.kind === 'refused') return `judged again, it is refused: ${because(decision)}`;
  const [found] = decision.events;
  if (found?.independence !== event.independence)
    return `its independence is ${found?.independence}, not ${event.independence}`;
  return found.row === event.row ? undefined : `it falls under row ${found.row}, not ${event.row}`;
}

/** An item begins where its protocol says; only an import begins elsewhere, and never as proved. */
export function rejudgeOpening({ protocol, world }: Past, event: Opened): string | undefined {
  const imported = String(event.facts.imported ?? '');
  const taken = imported !== '' && ['in_progress', 'completed'].includes(imported) ? imported : '';
  const state = taken !== '' && taken in protocol.states ? taken : protocol.initial;
  if (event.state !== state) return `it was opened as ${event.state} instead of ${state}`;
  if (event.legacy !== (imported === 'completed'))
    return 'it is marked legacy without an import, or the other way';
  const actor = actorIn(world, event.by, undefined);
  if (actor === undefined) return `${event.by} was nobody of the roster then`;
  const may = actor.kind === 'human' || mayTake(protocol, protocol.openers, '', { actor, proof: undefined });
  return may ? undefined : `${event.by} may not open items`;
}

/** What must hold whenever a success state is entered, whatever row led there. */
export function brokenPromise({ protocol, item, world }: Past, event: Moved): string | undefined {
  if (!protocol.states[event.to]?.success || item.legacy) return undefined;
  const command = commandOf(event, event.command, ENGINE, {});
  const context = { counters: protocol.counters, item, command, world, gathered: gatheredFrom(event) };
  const missed = protocol.promises.map((guard) => judge(guard, context)).find((v) => !opens(v));
  return missed === undefined ? undefined : `it is ${event.to} although ${missed.because}`;
}

/**
 * The actor as the roster of the time had it, with those of its roles that the row accepts: which of them the
 * credential carried is not on record. Undefined for somebody who was not there.
 */
function actorIn(world: World, id: string, accepted: readonly string[] | undefined): Actor | undefined {
  if (id === 'engine') return ENGINE;
  if (id === 'policy') return POLICY;
  const actor = world.roster.find((a) => a.id === id);
  if (actor === undefined || accepted === undefined) return actor;
  return { ...actor, roles: actor.roles.filter((role) => accepted.includes(role)) };
}

type Cause = Pick<Moved, 'at' | 'proof'>;

function commandOf({ at, proof }: Cause, name: string, actor: Actor, args: Command['arguments']): Command {
  const given: HumanProof | undefined =
    proof === '' ? undefined : { id: proof, digest: '', purpose: '', at, channel: '' };
  return { id: '', name, actor, at, reason: '', arguments: args, proof: given };
}

/** What the engine had found outside, as recorded with the move. */
function gatheredFrom({ facts, subjects }: Moved): Gathered {
  return { probes: probesIn(facts), subjects, facts };
}

function probesIn({ probes, proof_pack: pack }: Facts): Gathered['probes'] {
  const found = isObject(probes) ? probes : {};
  const all = isObject(pack) ? { ...found, 'proof-pack': pack } : found;
  return all as unknown as { readonly [name: string]: Finding };
}

const because = (refused: { readonly because: string; readonly verdicts: readonly Verdict[] }) =>
  [refused.because, ...refused.verdicts.map((v) => v.because)].join('; ');
