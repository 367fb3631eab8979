import type { Actor } from '../../src/kernel/actor.ts';

/** Somebody who plays. `parent`: who spawned them, '' for nobody. */
export interface Player {
  readonly id: string;
  readonly kind: 'agent' | 'human';
  readonly roles: readonly string[];
  readonly parent: string;
}

export type Team = readonly Player[];

export const agentOf = (id: string, roles: readonly string[], parent = ''): Player => ({
  id,
  kind: 'agent',
  roles,
  parent,
});

export const personOf = (id: string, roles: readonly string[] = []): Player => ({
  id,
  kind: 'human',
  roles,
  parent: '',
});

const find = (team: Team, id: string) => team.find((player) => player.id === id);

/** Everybody above a player, nearest first. */
function above(team: Team, player: Player): readonly string[] {
  const parent = find(team, player.parent);
  return parent === undefined ? [] : [parent.id, ...above(team, parent)];
}

/** The players as the kernel takes them. */
export const actorsOf = (team: Team): readonly Actor[] =>
  team.map((player) => ({
    id: player.id,
    kind: player.kind,
    roles: player.roles,
    ancestors: above(team, player),
  }));

/** One pair of eyes: the same, or one is somewhere above the other. Told by climbing from both. */
export function kin(team: Team, one: string, other: string): boolean {
  const climbs = (from: string, to: string): boolean => {
    for (let at = from; at !== ''; at = find(team, at)?.parent ?? '') if (at === to) return true;
    return false;
  };
  return climbs(one, other) || climbs(other, one);
}

/** The most of these players that are all strangers to each other. */
export function strangersAmong(team: Team, players: Team): number {
  const [first, ...rest] = players;
  if (first === undefined) return 0;
  const apart = rest.filter((player) => !kin(team, first.id, player.id));
  return Math.max(1 + strangersAmong(team, apart), strangersAmong(team, rest));
}

/** How far somebody who asks stands from those who built it, weakest first. */
export function distance(
  team: Team,
  asker: Player | undefined,
  builders: Iterable<string>,
  proven: boolean,
): number {
  if (asker?.kind === 'human') return proven ? 3 : 0;
  if (asker === undefined) return 0;
  const mine = above(team, asker);
  let far = 2;
  for (const id of builders) {
    if (kin(team, asker.id, id)) return 0;
    const builder = find(team, id);
    if (builder !== undefined && above(team, builder).some((a) => mine.includes(a))) far = 1;
  }
  return far;
}

/** Casts in which the rules bite differently: families, one trade each, two, one with a child, one person. */
export function castsFor(roles: readonly string[]): readonly Team[] {
  const trades = roles.map((role) => agentOf(role, [role]));
  return [
    [
      agentOf('root', roles),
      agentOf('ann', roles, 'root'),
      agentOf('tot', roles, 'ann'),
      agentOf('ben', roles, 'root'),
      agentOf('eve', roles),
      personOf('pat'),
    ],
    [...trades, ...trades.slice(0, 2).map(({ id }) => agentOf(`${id}-hand`, [], id)), personOf('pat')],
    [...trades.map(({ id }) => agentOf(id, [id], 'head')), agentOf('head', roles), personOf('pat', roles)],
    [agentOf('ann', roles), agentOf('hand', [], 'ann'), agentOf('ben', roles), personOf('pat')],
    [agentOf('ann', roles), agentOf('tot', roles, 'ann'), personOf('pat')],
    [personOf('pat', roles), agentOf('ann', roles.slice(0, 1))],
  ];
}
