import { type Actor, ENGINE } from '../../src/kernel/actor.ts';
import { decide } from '../../src/kernel/decide.ts';
import type { ItemEvent, Noted, Setting } from '../../src/kernel/event.ts';
import { evolve } from '../../src/kernel/evolve.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { record } from '../../src/kernel/record.ts';
import { settle } from '../../src/kernel/settle.ts';
import { UNOPENED, type WorkItem } from '../../src/kernel/work-item.ts';
import { NOW, PROOF } from '../given.ts';
import { actorsOf, type Player, type Team } from './cast.ts';

/** Somebody who acts on an item, with whatever the steps may ask to be given. */
export interface Deed {
  readonly by: Player;
  readonly command: string;
  readonly proven?: boolean;
  readonly to?: string;
  readonly found?: { readonly [probe: string]: 'unsatisfied' | 'error' };
}

const REST = { summary: 'done', notes: 'tried', guidance: 'so', commit: 'c', task: 'task' };

/** What a table says to one deed; everything that it asks for is given, and in order outside, unless told otherwise. */
export function decideOn(table: Protocol, item: WorkItem, deed: Deed, team: Team) {
  const { by, command: name, proven = by.kind === 'human', to = by.id, found = {} } = deed;
  const actor = actorsOf(team).find(({ id }) => id === by.id) ?? ENGINE;
  const command = {
    ...{ id: '', name, at: NOW, reason: 'said', arguments: { ...REST, to } },
    ...{ actor, proof: proven ? PROOF : undefined },
  };
  const probes = Object.fromEntries(
    table.probes.map((p) => [p, { status: found[p] ?? ('satisfied' as const), because: p, fix: '' }]),
  );
  const subjects = { commit: 'next', plan: 'next' };
  return decide(
    table,
    item,
    command,
    { roster: actorsOf(team), groups: {} },
    { probes, subjects, facts: {} },
  );
}

/** What a table says to evidence that somebody gives, or that the engine finds for them. */
export function recordOn(
  table: Protocol,
  item: WorkItem,
  { kind, outcome, by, engine, proven }: Found,
  team: Team,
) {
  const asker = actorsOf(team).find(({ id }) => id === by.id) ?? ENGINE;
  const actor: Actor = engine ? ENGINE : asker;
  const command = {
    ...{ id: '', name: kind, actor, at: NOW, reason: '', arguments: {} },
    proof: (proven ?? by.kind === 'human') ? PROOF : undefined,
  };
  const finding = { kind, outcome, facts: {}, asker };
  return record(table, item, command, finding, { roster: actorsOf(team), groups: {} });
}

export interface Found {
  readonly kind: string;
  readonly outcome: string;
  readonly by: Player;
  readonly engine?: boolean;
  readonly proven?: boolean;
}

/** An item that is brought somewhere: every step has to be accepted. */
export class Story {
  readonly table: Protocol;
  readonly team: Team;
  readonly item: WorkItem;

  constructor(table: Protocol, team: Team, item: WorkItem) {
    this.table = table;
    this.team = team;
    this.item = item;
  }

  static of(table: Protocol, team: Team, chosen: { readonly [name: string]: Setting } = {}): Story {
    const defaults = Object.entries(table.settings).map(([name, [value]]) => [name, value ?? '']);
    const opened: ItemEvent = {
      ...{ type: 'opened', at: NOW, by: 'pat', state: table.initial, number: 1, list: 'main' },
      protocol: { name: table.name, version: table.version, digest: '' },
      settings: { ...Object.fromEntries(defaults), ...chosen },
      ...{ kind: 'code', title: 'one', legacy: false, facts: {} },
    };
    return new Story(table, team, evolve(table, UNOPENED, opened));
  }

  after(...events: readonly ItemEvent[]): Story {
    const item = events.reduce((i, e) => evolve(this.table, i, e), this.item);
    const world = { roster: actorsOf(this.team), groups: {} };
    return new Story(this.table, this.team, settle(this.table, item, world, NOW).item);
  }

  does(by: Player, command: string, to?: string): Story {
    const decision = decideOn(
      this.table,
      this.item,
      { by, command, ...(to === undefined ? {} : { to }) },
      this.team,
    );
    if (decision.kind === 'refused') throw new Error(`${by.id} ${command}: ${decision.because}`);
    return this.after(...decision.events);
  }

  finds(kind: string, outcome: string, by: Player, engine = true): Story {
    const decision = recordOn(this.table, this.item, { kind, outcome, by, engine }, this.team);
    if (decision.kind === 'refused') throw new Error(`${kind}=${outcome}: ${decision.because}`);
    return this.after(...decision.events);
  }

  hears(group: string, member: string, state: string, builders: readonly string[] = []): Story {
    const note: Noted = {
      ...{ type: 'noted', at: NOW, by: 'engine', group, member, state, category: '', asked: '' },
      ...{ marks: { builder: builders }, moves: state === 'verified' ? ['commit'] : [] },
    };
    return this.after(note);
  }
}
