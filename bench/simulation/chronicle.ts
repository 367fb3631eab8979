import { displayId } from '../../src/engine/display.ts';
import type { Handle } from '../../src/engine/handle.ts';
import { ROSTER } from '../../src/engine/roster.ts';
import { eventOf } from '../../src/engine/stored.ts';
import { listStream, readWorld } from '../../src/engine/world.ts';
import type { World } from '../../src/kernel/context.ts';
import type { ItemEvent } from '../../src/kernel/event.ts';
import { evolve } from '../../src/kernel/evolve.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { UNOPENED, type WorkItem } from '../../src/kernel/work-item.ts';
import { builtIn } from '../../src/protocols/index.ts';
import type { StoredEvent } from '../../src/store/store.ts';
import type { Acknowledged, Granted } from './process.ts';
import type { Town } from './town.ts';

/** An item as its log was read, event by event, beside the engine. */
export interface Told {
  readonly id: string;
  readonly protocol: Protocol;
  item: WorkItem;
  readonly events: ItemEvent[];
}

/** What somebody asked for, and what it came to. */
export interface Answered {
  readonly who: string;
  readonly what: string;
  readonly outcome: { readonly value: unknown } | { readonly error: unknown };
  /** Refusals on record of the item before it was asked. */
  readonly position: number;
  /** The store failed for it, or its process died. */
  readonly disturbed: boolean;
}

/** All that was seen of a run, and what of it is new since the last look. */
export interface Chronicle {
  readonly town: Town;
  readonly log: readonly StoredEvent[];
  readonly streams: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly items: ReadonlyMap<string, Told>;
  readonly parents: ReadonlyMap<string, string>;
  readonly people: ReadonlySet<string>;
  /** New events since the last look, and the ids of items that they are about. */
  readonly fresh: readonly StoredEvent[];
  readonly touched: readonly Told[];
  readonly acknowledged: readonly Acknowledged[];
  readonly granted: readonly Granted[];
  readonly answered: readonly Answered[];
  /** The shared documents that an item is judged with. */
  worldOf(told: Told): Promise<World>;
}

/** An item as the engine hands it about. */
export const handleOf = ({ id, protocol, item }: Told): Handle => ({
  ...{ id, protocol, item },
  display: displayId(item.number, protocol.name),
});

interface RosterLine {
  readonly type: string;
  readonly actor?: { readonly id: string; readonly kind: string; readonly parent: string };
}

/** Reads on where it stopped. */
export class Reading implements Chronicle {
  readonly town: Town;
  readonly log: StoredEvent[] = [];
  readonly streams = new Map<string, StoredEvent[]>();
  readonly items = new Map<string, Told>();
  readonly parents = new Map<string, string>();
  readonly people = new Set<string>();
  fresh: readonly StoredEvent[] = [];
  touched: readonly Told[] = [];
  acknowledged: Acknowledged[] = [];
  granted: Granted[] = [];
  answered: Answered[] = [];
  readonly #worlds = new Map<string, World>();

  constructor(town: Town) {
    this.town = town;
  }

  async readOn(): Promise<void> {
    const known = this.log.length;
    this.fresh = await this.town.ports.store.events(known, Number.MAX_SAFE_INTEGER);
    const touched = new Set<Told>();
    for (const stored of this.fresh) {
      this.log.push(stored);
      const before = this.streams.get(stored.stream);
      if (before === undefined) this.streams.set(stored.stream, [stored]);
      else before.push(stored);
      if (stored.stream.startsWith('item/')) touched.add(this.#told(stored));
      if (stored.stream === 'roster') this.#member(eventOf<RosterLine>(stored));
    }
    this.touched = [...touched];
  }

  async worldOf({ protocol, item: { list } }: Told): Promise<World> {
    const length = (stream: string) => this.streams.get(stream)?.length ?? 0;
    const key = `${protocol.name} ${list} ${length(ROSTER)} ${length(listStream(list))}`;
    const known = this.#worlds.get(key) ?? (await readWorld(this.town.ports, protocol, list)).world;
    this.#worlds.set(key, known);
    return known;
  }

  /** What was seen is looked at once. */
  forget(): void {
    this.acknowledged = [];
    this.granted = [];
    this.answered = [];
  }

  #member({ type, actor }: RosterLine): void {
    if (type !== 'actor-registered' || actor === undefined) return;
    this.parents.set(actor.id, actor.parent);
    if (actor.kind === 'human') this.people.add(actor.id);
  }

  #told(stored: StoredEvent): Told {
    const id = stored.stream.slice('item/'.length);
    const event = eventOf<ItemEvent>(stored);
    const known = this.items.get(id);
    const told = known ?? { id, protocol: protocolOf(event), item: UNOPENED, events: [] };
    told.item = evolve(told.protocol, told.item, event);
    told.events.push(event);
    this.items.set(id, told);
    return told;
  }
}

function protocolOf(first: ItemEvent): Protocol {
  const protocol = first.type === 'opened' ? builtIn(first.protocol.name) : undefined;
  if (protocol === undefined) throw new Error('an item does not begin with its opening');
  return protocol;
}
