import fc from 'fast-check';
import { fold } from '../../src/kernel/evolve.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { goal } from '../../src/protocols/goal.ts';
import { goalTask } from '../../src/protocols/goal-task.ts';
import { lifecycle } from '../../src/protocols/lifecycle.ts';
import { twoPhase } from '../../src/protocols/two-phase.ts';
import { type Board, type Opening, openBoard, type Seen } from './board.ts';
import { castsFor, type Team } from './cast.ts';
import { hasExit } from './exits.ts';
import { broken } from './invariants.ts';
import type { Law } from './law.ts';
import { GOAL_LAW } from './law-goal.ts';
import { GOAL_TASK_LAW } from './law-goal-task.ts';
import { LIFECYCLE_LAW } from './law-lifecycle.ts';
import { TWO_PHASE_LAW } from './law-two-phase.ts';
import { play, type Throw, throws } from './throw.ts';

/** Items that are played together, each by the name of its protocol. */
export interface Game {
  readonly name: string;
  readonly items: { readonly [id: string]: string };
  readonly dependants: Board['dependants'];
  readonly roles: readonly string[];
  /** Throws that it takes until much has happened. */
  readonly length: number;
}

export type Tables = { readonly [protocol: string]: Protocol };

/** The tables that ship. */
export const TABLES: Tables = { 'two-phase': twoPhase, lifecycle, goal, 'goal-task': goalTask };

const LAWS: { readonly [protocol: string]: Law } = {
  'two-phase': TWO_PHASE_LAW,
  lifecycle: LIFECYCLE_LAW,
  goal: GOAL_LAW,
  'goal-task': GOAL_TASK_LAW,
};

export const GAMES: readonly Game[] = [
  { name: 'two-phase', items: { item: 'two-phase' }, dependants: {}, roles: twoPhase.roles, length: 120 },
  { name: 'lifecycle', items: { item: 'lifecycle' }, dependants: {}, roles: lifecycle.roles, length: 160 },
  {
    name: 'goals',
    items: { goal: 'goal', 'task-1': 'goal-task', 'task-2': 'goal-task' },
    dependants: { 'task-1': ['task-2'] },
    roles: goalTask.roles,
    length: 240,
  },
];

/** A task alone: nothing tells it of others, and so more happens to it. */
export const TASK_ALONE: Game = {
  name: 'a task alone',
  items: { item: 'goal-task' },
  dependants: {},
  roles: goalTask.roles,
  length: 160,
};

/** One game: who plays, under which settings, and all the throws. */
export interface Played {
  readonly cast: number;
  /** Somebody else than one of the casts. */
  readonly team?: Team;
  readonly settings: number;
  readonly dice: readonly Throw[];
}

export const playsOf = (length: number): fc.Arbitrary<Played> =>
  fc.record({
    cast: fc.nat(5),
    settings: fc.nat(255),
    dice: fc.array(throws, { minLength: length / 2, maxLength: length, size: 'max' }),
  });

export interface Breach {
  /** Name of the invariant, or 'law'. */
  readonly rule: string;
  readonly what: string;
}

const HATS = ['lead-tester builder-tester', 'lead-reviewer', 'builder-reviewer reviewer-tester'];

/** Mostly the defaults: every other game has one setting that differs, or several. */
function settingsOf({ name, settings }: Protocol, n: number): Opening['settings'] {
  const chosen = Object.entries(settings).map(([setting, values], i) => {
    const digit = Math.floor(n / 2 ** (i + 1));
    return [setting, (n % 2 === 0 ? values[0] : values[digit % values.length]) ?? ''] as const;
  });
  // Of the hats a project may say what it likes.
  const hats = name === 'goal-task' && n % 4 === 3 ? { hats: HATS[n % HATS.length] ?? '' } : {};
  return { ...Object.fromEntries(chosen), ...hats };
}

/** Plays it, and answers everything that was broken on the way. `stop` ends it early, at the first that fits. */
export function breachesIn(
  game: Game,
  tables: Tables,
  { cast, team = [], settings, dice }: Played,
  stop: (breach: Breach) => boolean = () => false,
  look: (seen: Seen) => void = () => {},
): readonly Breach[] {
  const found: Breach[] = [];
  const players = team.length > 0 ? team : (castsFor(game.roles)[cast % 6] ?? []);
  const openings = Object.entries(game.items).flatMap(([id, name]): Opening[] => {
    const [table, law] = [tables[name], LAWS[name]];
    return table === undefined || law === undefined
      ? []
      : [{ id, table, law, settings: settingsOf(table, settings) }];
  });
  const board = openBoard(openings, players, settings % 3 === 0 ? game.dependants : {}, {
    harsh: settings % 5 === 1,
    breach: (rule, what) => found.push({ rule, what }),
    see: (seen) => {
      look(seen);
      found.push(...broken(seen));
    },
  });
  for (const one of dice) {
    play(board, one);
    if (found.some(stop)) return found;
  }
  return [...found, ...atTheEnd(board)];
}

/** I10, the state is the fold of the log, written down and read again; I13, somebody leads on from here. */
function atTheEnd({ pieces, cast }: Board): readonly Breach[] {
  return pieces.flatMap((piece) => {
    const { id, table, log, item } = piece;
    const again = fold(table, JSON.parse(JSON.stringify(log)));
    const same = JSON.stringify(again) === JSON.stringify(item);
    return [
      ...(same ? [] : [{ rule: 'I10', what: `${id}: the fold of the log is another item` }]),
      ...(hasExit(piece, cast) ? [] : [{ rule: 'I13', what: `${id}: nobody leads on from ${item.state}` }]),
    ];
  });
}
