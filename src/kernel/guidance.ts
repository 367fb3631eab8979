import type { Actor } from './actor.ts';
import { type Command, type Gathered, NOTHING_GATHERED } from './command.ts';
import type { Context, World } from './context.ts';
import { mayTake, rolesOf } from './decide.ts';
import { type Guard, judge } from './guards/index.ts';
import { leavesOf } from './leaves.ts';
import { expand, type Protocol } from './protocol.ts';
import { opens, type Verdict } from './verdict.ts';
import type { WorkItem } from './work-item.ts';

/** One way out of the present state, as one actor sees it. */
export interface Option {
  readonly command: string;
  readonly to: string;
  readonly roles: readonly string[];
  readonly takes: readonly string[];
  /** The actor holds one of the roles, or is a person where a person may. */
  readonly mine: boolean;
  /** Theirs as a person alone: they have to prove to be one. */
  readonly asPerson?: true;
  /** Holders of the roles in the roster whom nothing bars that they did before, nor their lineage. */
  readonly who: readonly string[];
  /** What stands in the way; probes not looked at yet are left out. */
  readonly missing: readonly Verdict[];
  /** Nothing else leads on, for a reason that is not in the table. */
  readonly sole?: true;
  /** What has to be done first, for a reason that is not in the table; '' for nothing. */
  readonly first?: string;
}

/** Every way on from here: who may take it and what is missing. A state that is not final always has one. */
export function guidance(
  protocol: Protocol,
  item: WorkItem,
  actor: Actor,
  world: World,
  gathered: Gathered = NOTHING_GATHERED,
): readonly Option[] {
  const context = contextOf(protocol, item, actor, world, gathered);
  const rows = protocol.rows.filter(
    (row) => row.command !== '' && expand(protocol, row.from).includes(item.state),
  );
  // Agents without roles, such as those of all runs that have ended, are no answer to anything.
  const able = world.roster.filter(({ kind, roles }) => kind === 'human' || roles.length > 0);
  return rows.map((row) => ({
    command: row.command,
    to: row.to,
    roles: rolesOf(protocol, row.by, item.state),
    takes: row.takes,
    mine: mayBecome(protocol, row.by, item.state, actor),
    ...personally(protocol, row.by, item.state, actor),
    who: able
      .filter((a) => mayBecome(protocol, row.by, item.state, a) && !isBarred(row.requires, context, a))
      .map((a) => a.id),
    missing: row.requires
      .filter((guard) => !asksProbe(guard) || Object.keys(gathered.probes).length > 0)
      .map((guard) => judge(guard, context))
      .filter((verdict) => !opens(verdict)),
  }));
}

/** What an actor would be judged on who did this now, whatever it is. */
export function contextOf(
  { counters }: Protocol,
  item: WorkItem,
  actor: Actor,
  world: World,
  gathered: Gathered = NOTHING_GATHERED,
): Context {
  const command: Command = { id: '', name: '', actor, at: '', reason: '', arguments: {}, proof: undefined };
  return { counters, item, command, world, gathered };
}

/** True where a guard keeps the actor out for what they, or their lineage, did to this item. */
export function isBarred(guards: readonly Guard[], context: Context, actor: Actor): boolean {
  const seen = { ...context, command: { ...context.command, actor } };
  return guards
    .filter(
      (guard) =>
        !asksProbe(guard) &&
        leavesOf([guard]).some((leaf) => leaf.guard === 'apart' || leaf.guard === 'hats'),
    )
    .some((guard) => !opens(judge(guard, seen)));
}

/** Holds one of the roles, or is a person, who can prove to be one when it comes to that. */
export function mayBecome(protocol: Protocol, by: readonly string[], state: string, actor: Actor): boolean {
  const person = actor.kind === 'human' && rolesOf(protocol, by, state).includes('human');
  return person || mayTake(protocol, by, state, { actor, proof: undefined });
}

/** Marks what an actor may do as a person alone, holding none of the roles. */
export function personally(
  protocol: Protocol,
  by: readonly string[],
  state: string,
  actor: Actor,
): Pick<Option, 'asPerson'> {
  const alone =
    mayBecome(protocol, by, state, actor) && !mayTake(protocol, by, state, { actor, proof: undefined });
  return alone ? { asPerson: true } : {};
}

/** Names of the probes that a guard needs, below combinations as well. */
export function probesOf(guard: Guard): readonly string[] {
  switch (guard.guard) {
    case 'probe':
      return [guard.name];
    case 'not':
      return probesOf(guard.of);
    case 'any':
      return guard.of.flatMap(probesOf);
    case 'when':
      return [...probesOf(guard.if), ...probesOf(guard.require)];
    default:
      return [];
  }
}

const asksProbe = (guard: Guard) => probesOf(guard).length > 0;
