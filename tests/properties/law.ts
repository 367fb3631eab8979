import type { Moved, Noted, Recorded } from '../../src/kernel/event.ts';
import { distance, kin, type Player, strangersAmong, type Team } from './cast.ts';

// What the ledgers say, written a second time and in another way: as what is remembered of the log, and what may follow.
// Nothing here looks at a table of the product.

/** Something found or said about the work as it is now. */
export interface Said {
  readonly kind: string;
  readonly outcome: string;
  readonly by: string;
  /** Distance of whoever asked from those who built it. */
  readonly far: number;
}

/** What is remembered of an item. */
export interface Ghost {
  state: string;
  /** The last state left that was not an escalation. */
  back: string;
  attempt: number;
  handedIn: boolean;
  readonly builders: Set<string>;
  readonly reviewers: Set<string>;
  readonly testers: Set<string>;
  readonly leads: Set<string>;
  readonly verifiers: Set<string>;
  readonly assignees: Set<string>;
  readonly checkers: Set<string>;
  said: Said[];
  /** What was recorded about the item as a whole. */
  readonly known: Map<string, string>;
  readonly failures: Map<string, number>;
  interventions: number;
  rejections: number;
  /** Other items by group and name, with their state and their category. */
  readonly members: Map<string, Map<string, { readonly state: string; readonly category: string }>>;
  readonly settings: { readonly [name: string]: string | boolean };
}

export function newGhost(state: string, settings: Ghost['settings']): Ghost {
  const set = () => new Set<string>();
  return {
    ...{ state, back: state, attempt: 1, handedIn: false, settings, said: [] },
    ...{ builders: set(), reviewers: set(), testers: set(), verifiers: set() },
    ...{ assignees: set(), checkers: set(), leads: set(), known: new Map(), members: new Map() },
    ...{ failures: new Map(), interventions: 0, rejections: 0 },
  };
}

/** A command as somebody gives it. */
export interface Ask {
  readonly command: string;
  /** With the roles that they hold now: none where they were taken away. */
  readonly actor: Player;
  readonly proven: boolean;
  readonly given: { readonly [name: string]: string };
  readonly reason: string;
  /** Whether the outside was looked at and found in order. */
  readonly inOrder: (probe: string) => boolean;
  readonly team: Team;
  readonly listBlocked: boolean;
}

/** Evidence as somebody gives it; `actor` is undefined for the engine. */
export interface Giving {
  readonly kind: string;
  readonly outcome: string;
  readonly actor: Player | undefined;
  readonly asker: Player;
  readonly proven: boolean;
  readonly team: Team;
}

/** What a ledger says of one kind of item. */
export interface Law {
  /** Where the command leads; '' where it is refused. */
  readonly allows: (ghost: Ghost, ask: Ask) => string;
  readonly mayGive: (ghost: Ghost, giving: Giving) => boolean;
  /** What a move means beside its new state. */
  readonly learn: (ghost: Ghost, event: Moved) => void;
  /** Where the item goes by itself; '' where it rests. */
  readonly settles: (ghost: Ghost) => string;
  /** States that nobody comes back from by themselves: left out of `back`. */
  readonly escalations: readonly string[];
}

/** The actor holds one of the roles; 'person' is somebody at a terminal who showed it. */
export const may = (
  { actor, proven }: { readonly actor: Player; readonly proven: boolean },
  ...roles: readonly string[]
) =>
  roles.some((role) => (role === 'person' ? actor.kind === 'human' && proven : actor.roles.includes(role)));

export const outsiders = (team: Team, role: string, marked: Set<string>, how: 'kin' | 'self' = 'kin') =>
  team.filter(
    (p) =>
      p.roles.includes(role) && ![...marked].some((m) => (how === 'kin' ? kin(team, m, p.id) : m === p.id)),
  );

export const isApart = (team: Team, { id }: Player, marked: Set<string>): boolean =>
  marked.size > 0 && ![...marked].some((m) => kin(team, m, id));

/** Nobody is locked out: fewer than two strangers hold the role, and none of them stands outside the work. */
export const nobodyElse = (team: Team, role: string, marked: Set<string>, how: 'kin' | 'self' = 'kin') =>
  strangersAmong(
    team,
    team.filter((p) => p.roles.includes(role)),
  ) < 2 && outsiders(team, role, marked, how).length === 0;

const LEVELS = ['automated', 'sibling', 'other-lineage', 'human'];
export const demanded = ({ settings }: Ghost) =>
  Math.max(0, LEVELS.indexOf(String(settings.independence ?? '')));

export const lastSaid = (ghost: Ghost, kind: string) => ghost.said.findLast((s) => s.kind === kind);
export const says = (ghost: Ghost, kind: string, outcome: string) =>
  lastSaid(ghost, kind)?.outcome === outcome;

/** The engine found everything in order, asked by somebody far enough away. */
export const passed = (ghost: Ghost) =>
  says(ghost, 'proof-pack', 'PASSED') && (lastSaid(ghost, 'proof-pack')?.far ?? -1) >= demanded(ghost);

/** A second verdict counts only where the first was asked for from too near. */
export const notTwice = (ghost: Ghost, { kind, asker, proven, team }: Giving) => {
  const far = distance(team, asker, ghost.builders, proven);
  return !ghost.said.some((s) => s.kind === kind && (s.far >= demanded(ghost) || s.far >= far));
};

/** What stands below a task is done, or given up (CX-14). */
export const partsDone = (ghost: Ghost) =>
  [...(ghost.members.get('parts')?.values() ?? [])].every(({ category }) =>
    ['CONFIRMED', 'CLOSED', 'FAILED'].includes(category),
  );

export const dependenciesDone = (ghost: Ghost) =>
  [...(ghost.members.get('dependencies')?.values() ?? [])].every(({ category }) =>
    ['CONFIRMED', 'CLOSED'].includes(category),
  );

/** Who may speak of work that waits at a gate: the same in every ledger. */
export function mayGiveAtGate(
  ghost: Ghost,
  giving: Giving,
  reviewers: readonly string[],
  signers: readonly string[],
): boolean {
  const { kind, outcome, actor, proven, team } = giving;
  if (kind === 'proof-pack')
    return actor === undefined && ['PASSED', 'BLOCKED'].includes(outcome) && notTwice(ghost, giving);
  if (kind === 'inconclusive') return actor === undefined && outcome === 'INDETERMINATE';
  const voice = kind === 'waiver' ? ['waived'] : ['approve', 'reject'];
  if (actor === undefined || !voice.includes(outcome)) return false;
  if (may({ actor, proven }, 'person')) return ['sign-off', 'review', 'approval', 'waiver'].includes(kind);
  const roles = { 'sign-off': signers, review: reviewers, waiver: signers }[kind] ?? [];
  return may({ actor, proven }, ...roles) && isApart(team, actor, ghost.builders);
}

/** Whatever was said was about work that is no longer what it was. */
export const stale = (ghost: Ghost) => {
  ghost.said = [];
};

export function rename(set: Set<string>, ...ids: readonly string[]) {
  set.clear();
  for (const id of ids) set.add(id);
}

/** One event later. */
export function learn(law: Law, ghost: Ghost, event: Moved | Recorded | Noted, team: Team) {
  if (event.type === 'recorded') {
    const asker = team.find((p) => p.id === event.requestedBy);
    const far = distance(team, asker, ghost.builders, event.proof !== '');
    const { kind, outcome, by } = event;
    if (kind === 'codebase-review') ghost.known.set(kind, outcome);
    else ghost.said.push({ kind, outcome, by, far });
    return;
  }
  if (event.type === 'noted') {
    const group = ghost.members.get(event.group) ?? new Map();
    ghost.members.set(event.group, group);
    if (event.state === '') group.delete(event.member);
    else group.set(event.member, { state: event.state, category: event.category });
    // A goal's whole is another one as soon as one more part of it is there.
    if (event.group === 'tasks' && event.state === 'verified' && event.moves.length > 0) {
      ghost.handedIn = false;
      stale(ghost);
    }
    return;
  }
  law.learn(ghost, event);
  if (event.from !== event.to && !law.escalations.includes(event.from)) ghost.back = event.from;
  ghost.state = event.to;
}
