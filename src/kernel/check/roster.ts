import type { Actor } from '../actor.ts';

/** Small casts that stand for the ways people staff a protocol. */
export const ROSTERS = ['peers', 'one-root', 'free-for-all', 'pair', 'solo'] as const;
export type RosterName = (typeof ROSTERS)[number];

export interface Roster {
  readonly name: string;
  readonly actors: readonly Actor[];
  /** Ids that may be exchanged without changing anything: they are explored once. */
  readonly alike: readonly (readonly string[])[];
}

/** A stream that one actor of its own works on: the id of both, and the role. */
export interface Seat {
  readonly id: string;
  readonly role: string;
}

const agent = (id: string, roles: readonly string[], ancestors: readonly string[] = []): Actor => ({
  id,
  kind: 'agent',
  roles,
  ancestors,
});
const PERSON: Actor = { id: 'human', kind: 'human', roles: [], ancestors: [] };

/**
 * The cast of that name. `peers`: an unrelated agent per role. `one-root`: an agent that holds every role, and a
 * child of it per role. `free-for-all`: agents that each hold every role; `pair`: two of them. `solo`: one person who holds them all.
 * All but the last have a person beside them.
 */
export function rosterOf(name: RosterName, roles: readonly string[], seats: readonly Seat[]): Roster {
  const seated = seats.map((seat) => agent(seat.id, [seat.role]));
  const others = roles
    .filter((role) => !seats.some((seat) => seat.role === role))
    .map((role) => agent(role, [role]));
  const twins = twinsOf(seats);
  switch (name) {
    case 'peers':
      return { name, actors: [...others, ...seated, PERSON], alike: twins };
    case 'one-root': {
      const children = [...others, ...seated].map((a) => agent(a.id, a.roles, ['root']));
      return { name, actors: [agent('root', roles), ...children, PERSON], alike: twins };
    }
    case 'free-for-all': {
      const ids = seats.length > 0 ? seats.map((seat) => seat.id) : ['ann', 'ben', 'cat'];
      const alike = seats.length > 0 ? twins : [ids];
      return { name, actors: [...ids.map((id) => agent(id, roles)), PERSON], alike };
    }
    case 'pair': {
      const pair = ['ann', 'ben'];
      return { name, actors: [...pair.map((id) => agent(id, roles)), PERSON], alike: [pair] };
    }
    case 'solo':
      return { name, actors: [{ ...PERSON, roles }], alike: [] };
  }
}

function twinsOf(seats: readonly Seat[]): readonly (readonly string[])[] {
  const roles = [...new Set(seats.map((seat) => seat.role))];
  return roles
    .map((role) => seats.filter((seat) => seat.role === role).map((seat) => seat.id))
    .filter((ids) => ids.length > 1);
}
