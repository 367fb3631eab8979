import type { Actor } from '../actor.ts';
import type { Setting } from '../event.ts';
import type { Guard } from '../guards/index.ts';
import { readsOf } from '../leaves.ts';
import type { Protocol } from '../protocol.ts';
import type { Seat } from './roster.ts';

/** One item of the set-up. */
export interface Stream {
  readonly protocol: Protocol;
  /** Role of the one actor that works on this item, who has the item's id; '' = whoever holds a role. */
  readonly seat: string;
}

/** Items that know each other, so that protocols tied by policies are explored together. */
export interface Setup {
  readonly name: string;
  /** Id of the item whose ends are judged. */
  readonly main: string;
  readonly streams: { readonly [id: string]: Stream };
  /** Along which link which item tells which: { task: { goal: ['g'] } }. */
  readonly links: { readonly [id: string]: { readonly [link: string]: readonly string[] } };
  /** Items that may be exchanged without changing anything. */
  readonly alike: readonly (readonly string[])[];
}

/** One protocol, alone. What its guards ask of groups comes from outside, as it pleases. */
export function alone(protocol: Protocol): Setup {
  return {
    name: protocol.name,
    main: 'item',
    streams: { item: { protocol, seat: '' } },
    links: {},
    alike: [],
  };
}

export function isSetup(subject: Protocol | Setup): subject is Setup {
  return 'streams' in subject;
}

/** The protocols of a set-up, each once. */
export function protocolsOf(setup: Setup): readonly Protocol[] {
  return [...new Map(Object.values(setup.streams).map((s) => [s.protocol.name, s.protocol])).values()];
}

export function seatsOf(setup: Setup): readonly Seat[] {
  return Object.entries(setup.streams)
    .filter(([, stream]) => stream.seat !== '')
    .map(([id, stream]) => ({ id, role: stream.seat }));
}

export function rolesIn(setup: Setup): readonly string[] {
  return [...new Set(protocolsOf(setup).flatMap((p) => p.roles))];
}

/** On a seat only its own actor acts; where nobody has the seat, whoever holds the role does. */
export function mayActOn(setup: Setup, id: string, actor: Actor, actors: readonly Actor[]): boolean {
  const seat = setup.streams[id]?.seat ?? '';
  if (seat === '' || actor.kind === 'system' || !actors.some((a) => a.id === id)) return true;
  return actor.id === id || (actor.kind === 'human' && actor.roles.length === 0);
}

export type Settings = { readonly [name: string]: Setting };

/** Every guard of a protocol, wherever it stands. */
export function guardsOf(protocol: Protocol): readonly Guard[] {
  const { rows, evidence, promises, closed } = protocol;
  return [...rows.flatMap((r) => r.requires), ...evidence.flatMap((r) => r.requires), ...promises, ...closed];
}

/**
 * Every combination of the settings that some guard reads, the defaults first. A setting that only switches
 * questions to the outside on and off changes nothing that can be reached: the outside may say yes. The demanded
 * independence always matters, because the checker itself asks for it.
 */
export function settingsOf(protocol: Protocol, fed: readonly string[]): readonly Settings[] {
  const read = readsOf(guardsOf(protocol).filter((g) => !onlyAsksOutside(g, fed))).settings;
  const names = Object.keys(protocol.settings);
  const defaults = Object.fromEntries(names.map((name) => [name, protocol.settings[name]?.[0] ?? '']));
  return names
    .filter((name) => name === 'independence' || read.includes(name))
    .reduce<readonly Settings[]>(
      (all, name) => all.flatMap((s) => (protocol.settings[name] ?? []).map((v) => ({ ...s, [name]: v }))),
      [defaults],
    );
}

function onlyAsksOutside(guard: Guard, fed: readonly string[]): boolean {
  if (guard.guard !== 'when') return false;
  const { marks, kinds, counters, states, roles, groups } = readsOf([guard.require]);
  const inner = marks.length + kinds.length + counters.length + states.length + roles.length;
  return (
    inner === 0 &&
    readsOf([guard.require]).settings.length === 0 &&
    groups.every((group) => !fed.includes(group))
  );
}

/** Groups of an item that a policy along one of the links fills. */
export function fedGroups(setup: Setup, id: string): readonly string[] {
  const notes = Object.entries(setup.streams).flatMap(([teller, { protocol }]) =>
    protocol.policies
      .filter((policy) => setup.links[teller]?.[policy.tell]?.includes(id) ?? false)
      .map((policy) => policy.note),
  );
  return [...new Set(notes.filter((note) => note !== ''))];
}
