import type { Actor } from './actor.ts';
import type { Command, Gathered } from './command.ts';
import type { CounterTable } from './counters.ts';
import type { Member, WorkItem } from './work-item.ts';

/** The shared documents that a decision may read beside its own stream; they belong to its read set. */
export interface World {
  /** Every active actor. */
  readonly roster: readonly Actor[];
  /** Groups kept outside the item, such as the other items of its list. */
  readonly groups: { readonly [group: string]: { readonly [id: string]: Member } };
}

/** All that a guard may look at. Everything in it is data: a guard never runs a command or opens a file. */
export interface Context {
  readonly counters: CounterTable;
  readonly item: WorkItem;
  readonly command: Command;
  readonly world: World;
  readonly gathered: Gathered;
}

/** The actor behind an id; one who left the roster still counts as a stranger of that name. */
export function actorOf(world: World, id: string): Actor {
  return world.roster.find((a) => a.id === id) ?? { id, kind: 'agent', roles: [], ancestors: [] };
}

/** The actors remembered under a mark. */
export function marked({ item, world }: Context, mark: string): readonly Actor[] {
  return (item.marks[mark] ?? []).map((id) => actorOf(world, id));
}
