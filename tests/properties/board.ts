import type { Handle } from '../../src/engine/handle.ts';
import { noteOf } from '../../src/engine/note-of.ts';
import type { World } from '../../src/kernel/context.ts';
import type { ItemEvent, Moved, Noted, Setting } from '../../src/kernel/event.ts';
import { evolve } from '../../src/kernel/evolve.ts';
import type { Policy, Protocol } from '../../src/kernel/protocol.ts';
import { settle } from '../../src/kernel/settle.ts';
import { UNOPENED, type WorkItem } from '../../src/kernel/work-item.ts';
import { actorsOf, type Player, type Team } from './cast.ts';
import { type Ask, type Ghost, type Law, learn, newGhost } from './law.ts';

/** One item in play, with what the law remembers of it. */
export interface Piece {
  readonly id: string;
  readonly table: Protocol;
  readonly law: Law;
  readonly ghost: Ghost;
  readonly log: ItemEvent[];
  item: WorkItem;
}

/** One step, as a watcher sees it. */
export interface Seen {
  readonly piece: Piece;
  readonly before: WorkItem;
  readonly event: ItemEvent;
  readonly after: WorkItem;
  /** The command behind it; undefined for what nobody asked for. */
  readonly ask: Ask | undefined;
  readonly team: Team;
}

/** All that is in play. */
export interface Board {
  readonly pieces: readonly Piece[];
  /** Who depends on whom: { 'task-1': ['task-3'] }. */
  readonly dependants: { readonly [id: string]: readonly string[] };
  /** Tasks of the goal. */
  readonly linked: Set<string>;
  readonly out: Set<string>;
  readonly cast: Team;
  /** Verifiers who mostly say no, so that what comes after is seen as well. */
  readonly harsh: boolean;
  minutes: number;
  listBlocked: boolean;
  /** Told of each step, and of what the law would have decided otherwise. */
  readonly see: (seen: Seen) => void;
  readonly breach: (rule: string, what: string) => void;
}

export interface Opening {
  readonly id: string;
  readonly table: Protocol;
  readonly law: Law;
  readonly settings: { readonly [name: string]: Setting };
}

const START = Date.parse('2026-01-05T10:00:00.000Z');
export const now = ({ minutes }: Board): string => new Date(START + minutes * 60_000).toISOString();

/** Everybody, without roles where they were taken away. */
export const teamOf = ({ cast, out }: Board): Team =>
  cast.map((player): Player => (out.has(player.id) ? { ...player, roles: [] } : player));

export const worldOf = (board: Board): World => ({
  roster: actorsOf(teamOf(board)),
  groups: {
    list: { other: { state: board.listBlocked ? 'blocked' : 'verified', category: 'REWORK', asked: '' } },
  },
});

/** Puts new items on a board; the tasks belong to the goal, where there is one. */
export function openBoard(
  openings: readonly Opening[],
  cast: Team,
  dependants: Board['dependants'],
  watch: Pick<Board, 'see' | 'breach' | 'harsh'>,
): Board {
  const pieces = openings.map(openPiece);
  const board: Board = {
    ...{ pieces, dependants, cast, linked: new Set(), out: new Set(), minutes: 0, listBlocked: false },
    ...watch,
  };
  for (const [id, waiting] of Object.entries(dependants))
    for (const target of waiting) tell(board, id, target, 'dependants');
  const goal = pieces.find(({ id }) => id === 'goal');
  if (goal !== undefined) for (const { id } of pieces) if (id !== 'goal') join(board, id);
  return board;
}

function openPiece({ id, table, law, settings }: Opening, number: number): Piece {
  const opened: ItemEvent = {
    ...{ type: 'opened', at: new Date(START).toISOString(), by: 'pat', state: table.initial, number },
    protocol: { name: table.name, version: table.version, digest: 'pinned' },
    ...{ list: 'main', kind: 'code', title: id, settings, legacy: false, facts: {} },
  };
  const item = evolve(table, UNOPENED, opened);
  return { id, table, law, ghost: newGhost(table.initial, settings), log: [opened], item };
}

const pieceOf = (board: Board, id: string) => board.pieces.find((piece) => piece.id === id);

function put(board: Board, piece: Piece, event: ItemEvent, ask: Ask | undefined) {
  const before = piece.item;
  piece.item = evolve(piece.table, before, event);
  piece.log.push(event);
  const team = teamOf(board);
  board.see({ piece, before, event, after: piece.item, ask, team });
  if (event.type === 'moved' || event.type === 'recorded' || event.type === 'noted') {
    if (event.type === 'moved' && event.command === '' && event.row >= 0) {
      const to = piece.law.settles(piece.ghost);
      if (to !== event.to) board.breach('law', `${piece.id} moved on to ${event.to} by itself, not ${to}`);
    }
    learn(piece.law, piece.ghost, event, team);
    if (event.type === 'noted' && event.group === 'tasks' && event.state !== '')
      hearOf(board, piece, event.member);
  }
}

/** Whoever built a task has built a part of its goal, whatever the note says. */
function hearOf(board: Board, { ghost }: Piece, task: string) {
  for (const id of pieceOf(board, task)?.ghost.builders ?? []) ghost.builders.add(id);
}

/** One transaction: the events, what follows by itself, and all that policies tell because of it. */
export function transact(board: Board, piece: Piece, events: readonly ItemEvent[], ask?: Ask) {
  const queue: { readonly piece: Piece; readonly events: readonly ItemEvent[] }[] = [{ piece, events }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const from = next.piece.log.length;
    for (const event of next.events) put(board, next.piece, event, next.piece === piece ? ask : undefined);
    const settled = settle(next.piece.table, next.piece.item, worldOf(board), now(board));
    if (settled.loop) return board.breach('law', `${next.piece.id} never comes to rest`);
    for (const event of settled.events) put(board, next.piece, event, undefined);
    const rest = next.piece.law.settles(next.piece.ghost);
    if (rest !== '') board.breach('law', `${next.piece.id} stays, and should have moved on to ${rest}`);
    const moves = next.piece.log.slice(from).filter((e): e is Moved => e.type === 'moved');
    queue.push(...echoes(board, next.piece, moves));
  }
}

const applies = ({ enters, commands }: Policy, { to, command }: Moved) =>
  enters.includes('*') || enters.includes(to) || (command !== '' && commands.includes(command));

function* echoes(board: Board, piece: Piece, moves: readonly Moved[]) {
  for (const policy of piece.table.policies) {
    if (policy.note === '' || !moves.some((move) => applies(policy, move))) continue;
    for (const id of targetsOf(board, piece, policy.tell)) {
      const target = pieceOf(board, id);
      if (target !== undefined) yield { piece: target, events: [noteFrom(board, piece, policy)] };
    }
  }
}

function targetsOf({ dependants, linked }: Board, { id }: Piece, link: string): readonly string[] {
  if (link === 'dependants') return dependants[id] ?? [];
  return link === 'goal' && linked.has(id) ? ['goal'] : [];
}

const handleOf = ({ id, table, item }: Piece): Handle => ({ id, display: id, protocol: table, item });

const noteFrom = (board: Board, piece: Piece, policy: Policy): Noted =>
  noteOf(handleOf(piece), policy, now(board));

function tell(board: Board, from: string, to: string, link: string) {
  const [source, target] = [pieceOf(board, from), pieceOf(board, to)];
  const policy = source?.table.policies.find((p) => p.tell === link);
  if (source === undefined || target === undefined || policy === undefined) return;
  transact(board, target, [{ ...noteFrom(board, source, policy), moves: [] }]);
}

/** A task comes to the goal, or leaves it: the goal is told at once. */
export function join(board: Board, task: string) {
  board.linked.add(task);
  tell(board, task, 'goal', 'goal');
}

export function leave(board: Board, task: string) {
  const goal = pieceOf(board, 'goal');
  const source = pieceOf(board, task);
  const policy = source?.table.policies.find((p) => p.tell === 'goal');
  board.linked.delete(task);
  if (goal === undefined || source === undefined || policy === undefined) return;
  const note = noteFrom(board, source, policy);
  transact(board, goal, [{ ...note, state: '', category: '', marks: {}, moves: [] }]);
}
