import type { World } from '../context.ts';
import type { ItemEvent } from '../event.ts';
import { evolve } from '../evolve.ts';
import { leavesOf, readsOf } from '../leaves.ts';
import { expand, type Protocol } from '../protocol.ts';
import { UNOPENED } from '../work-item.ts';
import { type Live, livenessOf } from './liveness.ts';
import type { Place } from './place.ts';
import type { Roster } from './roster.ts';
import { fedGroups, guardsOf, type Settings, type Setup } from './setup.ts';

/** What the exploration needs to know of a protocol again and again. */
export interface Table {
  readonly protocol: Protocol;
  readonly live: Live;
  /** States in which '@previous' still matters. */
  readonly looksBack: ReadonlySet<string>;
  /** Kinds of evidence whose giver some guard asks for. */
  readonly personal: ReadonlySet<string>;
  /** Groups that some guard counts. */
  readonly counted: ReadonlySet<string>;
  /** Some guard names a level of its own, so levels must be told apart. */
  readonly ownLevels: boolean;
  /** Some guard compares what a member was asked about. */
  readonly comparesDigests: boolean;
  /** States out of which nothing leads. */
  readonly ends: ReadonlySet<string>;
}

export function tableOf(protocol: Protocol): Table {
  const leaves = leavesOf(guardsOf(protocol));
  const states = Object.keys(protocol.states);
  const leaving = (state: string) =>
    protocol.rows.filter((row) => expand(protocol, row.from).includes(state));
  const looksBack = states.filter(
    (state) =>
      protocol.states[state]?.category === 'ESCALATED' ||
      leaving(state).some(
        (row) =>
          /^@(previous|next|earlier)$/.test(row.to) ||
          row.counts.some((rule) => rule.startsWith('0^')) ||
          readsOf(row.requires).states.length > 0,
      ),
  );
  const voiced = protocol.evidence.filter((row) => row.each).map((row) => row.kind);
  const asked = leaves.flatMap((l) =>
    l.guard === 'votes' || (l.guard === 'evidence' && l.apart !== '') ? [l.kind] : [],
  );
  return {
    protocol,
    live: livenessOf(protocol),
    looksBack: new Set(looksBack),
    personal: new Set([...voiced, ...asked]),
    counted: new Set(readsOf(guardsOf(protocol)).groups),
    ownLevels: leaves.some((leaf) => leaf.guard === 'independent' && leaf.atLeast !== '@pinned'),
    comparesDigests: leaves.some((leaf) => leaf.guard === 'members' && leaf.on !== ''),
    ends: new Set(states.filter((state) => leaving(state).length === 0 && protocol.states[state]?.final)),
  };
}

/** All items at one moment. */
export type Places = { readonly [id: string]: Place };

/** One exploration: a set-up and a cast. */
export interface Run {
  readonly setup: Setup;
  readonly roster: Roster;
  readonly world: World;
  readonly tables: { readonly [id: string]: Table };
  readonly fed: { readonly [id: string]: readonly string[] };
}

/** The settings of each protocol that an exploration begins with. */
export type Choice = { readonly [protocol: string]: Settings };

export function newRun(setup: Setup, roster: Roster, tables: Run['tables']): Run {
  const fed = Object.fromEntries(Object.keys(setup.streams).map((id) => [id, fedGroups(setup, id)]));
  return { setup, roster, tables, fed, world: { roster: roster.actors, groups: {} } };
}

/** The cast and the settings that differ from the default, for people. */
export function nameOf(run: Run, places: Places): string {
  const changed = Object.entries(places).flatMap(([id, { item }]) => {
    const declared = run.setup.streams[id]?.protocol.settings ?? {};
    return Object.entries(item.settings)
      .filter(([name, value]) => declared[name]?.[0] !== value)
      .map(([name, value]) => `${name}=${value}`);
  });
  return [run.roster.name, ...new Set(changed)].join(', ');
}

/** The moment at which every item has just been opened. */
export function opened(run: Run, choice: Choice): Places {
  return Object.fromEntries(
    Object.entries(run.setup.streams).map(([id, { protocol }]) => {
      const event: ItemEvent = {
        type: 'opened',
        at: '',
        by: 'engine',
        protocol: { name: protocol.name, version: protocol.version, digest: '' },
        state: protocol.initial,
        number: 0,
        list: '',
        kind: '',
        title: '',
        settings: choice[protocol.name] ?? {},
        legacy: false,
        facts: {},
      };
      return [id, { item: evolve(protocol, UNOPENED, event), passes: [], overridden: false, carried: [] }];
    }),
  );
}
