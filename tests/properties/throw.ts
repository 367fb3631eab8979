import fc from 'fast-check';
import { ENGINE } from '../../src/kernel/actor.ts';
import type { Gathered } from '../../src/kernel/command.ts';
import { decide, mayTake } from '../../src/kernel/decide.ts';
import type { Facts, ItemEvent, Noted } from '../../src/kernel/event.ts';
import { expand, type Row } from '../../src/kernel/protocol.ts';
import { record } from '../../src/kernel/record.ts';
import { targetsOf } from '../../src/kernel/target.ts';
import { elapsedEvents } from '../../src/kernel/timeouts.ts';
import { PROOF } from '../given.ts';
import { type Board, join, leave, now, type Piece, teamOf, transact, worldOf } from './board.ts';
import { actorsOf, type Player } from './cast.ts';
import { type Ask, type Giving, lastSaid } from './law.ts';
import { READINGS } from './readings.ts';

/** One throw of the dice: what is tried next, by whom, on what. Everything that is refused changes nothing. */
export interface Throw {
  readonly what: 'step' | 'any' | 'evidence' | 'outside' | 'time' | 'roles';
  readonly piece: number;
  readonly pick: number;
  readonly who: number;
  readonly arg: number;
  readonly luck: number;
}

/** Steps that may be taken, steps that may not, findings, news from outside, hours that pass, roles that come and go. */
export const throws: fc.Arbitrary<Throw> = fc.record({
  what: fc.oneof(
    { weight: 11, arbitrary: fc.constant('step' as const) },
    { weight: 3, arbitrary: fc.constant('any' as const) },
    { weight: 5, arbitrary: fc.constant('evidence' as const) },
    { weight: 1, arbitrary: fc.constantFrom('outside' as const, 'time' as const, 'roles' as const) },
  ),
  piece: fc.nat(59),
  pick: fc.nat(839),
  who: fc.nat(839),
  arg: fc.nat(839),
  luck: fc.nat(99),
});

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

/** Tries it. */
export function play(board: Board, dice: Throw) {
  const piece = pieceFor(board, dice);
  if (piece === undefined) return;
  switch (dice.what) {
    case 'step':
      return unjudged(piece) && dice.luck % 3 > 0
        ? evidence(board, piece, dice)
        : command(board, piece, dice);
    case 'any':
      return command(board, piece, dice);
    case 'evidence':
      return evidence(board, piece, dice);
    case 'outside':
      return news(board, piece, dice);
    case 'time': {
      board.minutes += 1 + (dice.arg % 200);
      transact(board, piece, elapsedEvents(piece.table, piece.item, now(board)));
      const untold = untoldOf(piece, now(board));
      if (untold.length > 0)
        board.breach('I13', `${piece.id} in ${piece.item.state}: nobody was told of ${untold.join(', ')} %`);
      return;
    }
    case 'roles': {
      const id = at(board.cast, dice.who)?.id ?? '';
      if (!board.out.delete(id)) board.out.add(id);
    }
  }
}

/** What has ended, and a goal that waits for its tasks, is left alone, mostly. */
function pieceFor({ pieces }: Board, { piece, luck }: Throw): Piece | undefined {
  const live = pieces.filter(({ id, table, item }) => {
    const idle = id === 'goal' ? ['open', 'active'] : id === 'item' ? [] : ['verified'];
    return !idle.includes(item.state) && table.states[item.state]?.final !== true;
  });
  return at(luck % 6 === 0 || live.length === 0 ? pieces : live, piece);
}

/** Commands by which work is handed in to be judged. */
const HAND_IN: readonly string[] = ['claim', 'finish', 'ask-review', 'submit', 'integrate'];
const handsIn = (event: ItemEvent) => event.type === 'moved' && HAND_IN.includes(event.command);

/** It stands before a gate, and nothing was found about it yet. */
const unjudged = ({ table, item, ghost, log }: Piece): boolean =>
  log.some(handsIn) &&
  table.gates.some((gate) => gate.in === item.state) &&
  lastSaid(ghost, 'proof-pack') === undefined;

/** Shares of the allowance that have passed, and that nobody heard of in this stay. */
function untoldOf({ table, item }: Piece, at: string): readonly number[] {
  const allowance = READINGS[table.name]?.allowances[item.state] ?? Number.POSITIVE_INFINITY;
  const share = ((Date.parse(at) - Date.parse(item.enteredAt)) / 60_000 / allowance) * 100;
  return [80, 100, 150].filter((percent) => share >= percent && !item.elapsed.includes(percent));
}

const leaving = ({ table, item }: Piece) =>
  table.rows.filter((row) => row.command !== '' && expand(table, row.from).includes(item.state));

/** Whoever the rows are for, mostly; the assignee where there is one; now and then anybody. */
function actorFor(
  board: Board,
  piece: Piece,
  rows: readonly Row[],
  { who, luck }: Throw,
): Player | undefined {
  const team = teamOf(board);
  if (luck % 8 === 0) return at(team, who);
  const actors = actorsOf(team);
  const fits = team.filter((_, n) => {
    const actor = actors[n] ?? ENGINE;
    return rows.some((row) => mayTake(piece.table, row.by, piece.item.state, { actor, proof: PROOF }));
  });
  const given = fits.find(({ id }) => piece.item.marks.assignee?.includes(id));
  return (who % 3 !== 0 ? given : undefined) ?? at(fits, who) ?? at(team, who);
}

/** Whoever could be given it, mostly. */
function fitting(board: Board, rows: readonly Row[], luck: number): readonly Player[] {
  const checks = rows.some((row) => row.names.checker !== undefined);
  const roles = checks ? ['verifier'] : ['builder', 'specialist'];
  const able = teamOf(board).filter((p) => roles.some((role) => p.roles.includes(role)));
  return able.length === 0 || luck % 6 === 5 ? board.cast : able;
}

function argumentsFor(board: Board, piece: Piece, rows: readonly Row[], { arg, luck, who }: Throw) {
  const states = rows.flatMap((row) => {
    const targets = targetsOf(piece.table, row, piece.item);
    return targets.length > 1 ? targets : [];
  });
  const open = states.length > 0 && luck % 9 !== 1 ? states : Object.keys(piece.table.states);
  const to = states.length > 0 ? at(open, arg) : at(fitting(board, rows, luck), arg)?.id;
  const others = board.pieces.filter(({ id }) => id !== 'goal').map(({ id }) => id);
  const all: Record<string, string> = {
    ...{ to: to ?? '', summary: 'done', notes: 'tried', guidance: 'so', commit: 'c' },
    task: at(others, arg) ?? 'none',
    ...(who % 4 === 1 ? { helpers: at(board.cast, arg)?.id ?? '' } : {}),
  };
  const names = rows.flatMap((row) => [...row.takes]).concat('to');
  const dropped = luck % 10 === 3 ? at(names, arg) : undefined;
  if (dropped !== undefined) delete all[dropped];
  return { given: all, reason: dropped === 'reason' ? '' : 'said' };
}

const STATUS = ['unsatisfied', 'error', 'missing'] as const;

/** What the outside says: mostly that all is in order; else one thing is not, cannot be looked at, or was not. */
function lookOutside({ table }: Piece, { luck, pick }: Throw): Gathered['probes'] {
  const bad = luck % 7 === 2 ? at(table.probes, pick) : undefined;
  const found = table.probes.map((name) => {
    const status = name === bad ? (at(STATUS, luck) ?? 'error') : 'satisfied';
    return [name, { status, because: name, fix: '' }] as const;
  });
  return Object.fromEntries(
    found.flatMap(([name, { status, ...rest }]) =>
      status === 'missing' ? [] : [[name, { status, ...rest }] as const],
    ),
  );
}

/** What ends a game or leads back is picked more rarely, so that games get somewhere. */
const WEIGHTS: { readonly [command: string]: number } = {
  ...{ unlink: 1, link: 1, release: 1, reopen: 2, intervene: 2 },
  ...{ assign: 2, fail: 4, reject: 3, 'reject-verification': 3, 'reject-goal': 3, propose: 4, dispatch: 6 },
};

const HARSH: typeof WEIGHTS = { 'reject-verification': 20, 'reassign-checker': 20 };

const ENDS: readonly string[] = ['abandon', 'cancel', 'supersede'];

const weighted = (names: readonly string[], luck: number, harsh: boolean) =>
  names
    .filter((name) => luck % 13 === 7 || !ENDS.includes(name))
    .flatMap((name) => {
      const length = (harsh ? HARSH[name] : undefined) ?? WEIGHTS[name] ?? 9;
      return Array.from({ length }, () => name);
    });

/** A command of the state, or any at all. */
function nameFor(board: Board, piece: Piece, rows: readonly Row[], { what, pick, luck, arg }: Throw): string {
  const names =
    what === 'any'
      ? board.pieces.flatMap(({ table }) => [...table.rows.map((row) => row.command), 'dance'])
      : weighted([...new Set(rows.map((row) => row.command))], luck, board.harsh);
  const picked = at(names, pick) || 'dance';
  return piece.table.name !== 'lifecycle' && ENDS.includes(picked) && arg % 4 > 0 ? 'dance' : picked;
}

function command(board: Board, piece: Piece, dice: Throw) {
  const rows = leaving(piece);
  const name = nameFor(board, piece, rows, dice);
  const mine = rows.filter((row) => row.command === name);
  const player = actorFor(board, piece, mine, dice);
  if (player === undefined) return;
  const { given, reason } = argumentsFor(board, piece, mine, dice);
  const proven = player.kind === 'human' && dice.luck % 5 !== 4;
  const probes = lookOutside(piece, dice);
  const ask: Ask = {
    ...{ command: name, actor: player, proven, given, reason, team: teamOf(board) },
    inOrder: (probe) => probes[probe]?.status === 'satisfied',
    listBlocked: board.listBlocked,
  };
  const expected = piece.law.allows(piece.ghost, ask);
  const subjects = { commit: `c${dice.arg % 3}`, plan: `p${dice.arg % 3}` };
  const gathered = { probes, subjects, facts: factsOf(dice) };
  const decision = decide(piece.table, piece.item, kernelCommand(board, ask), worldOf(board), gathered);
  const to = decision.kind === 'accepted' ? (decision.events.at(-1)?.to ?? '') : '';
  if (to !== expected) {
    const how = `${piece.item.state}: ${player.id} ${name} ${JSON.stringify(given)}`;
    board.breach('law', `${piece.id} ${how} leads to '${to}', not '${expected}'`);
  }
  if (decision.kind === 'accepted') taken(board, piece, decision.events, ask);
}

/** A link is made or taken away with the command that decided it. */
function taken(board: Board, piece: Piece, events: readonly ItemEvent[], ask: Ask) {
  transact(board, piece, events, ask);
  const { task = '' } = ask.given;
  if (piece.id !== 'goal' || !board.pieces.some(({ id }) => id === task)) return;
  if (ask.command === 'link') join(board, task);
  if (ask.command === 'unlink') leave(board, task);
}

/** The criteria that a claim is judged by stand in what was found for it. */
const factsOf = ({ arg }: Throw): Facts => ({ criteria: `criteria ${arg % 4}` });

function kernelCommand(board: Board, { command: name, actor, proven, given, reason }: Ask) {
  const [who = ENGINE] = actorsOf(board.cast).filter(({ id }) => id === actor.id);
  return {
    ...{ id: '', name, at: now(board), reason, arguments: given },
    actor: { ...who, roles: actor.roles },
    proof: proven ? PROOF : undefined,
  };
}

function evidence(board: Board, piece: Piece, dice: Throw) {
  const { table, item, ghost, law } = piece;
  const giving = givingOf(board, piece, dice);
  // Without something handed in there is nothing that the engine could run.
  if (giving === undefined || (giving.actor === undefined && !piece.log.some(handsIn))) return;
  const expected = law.mayGive(ghost, giving);
  const { kind, outcome, actor, asker, proven, team } = giving;
  const asking = { command: kind, actor: asker, proven, given: {}, reason: '', team };
  const command = kernelCommand(board, { ...asking, inOrder: () => true, listBlocked: false });
  const claim = piece.log.findLast(handsIn);
  const facts = actor === undefined && claim?.type === 'moved' ? claim.facts : {};
  const by = actor === undefined ? { ...command, actor: ENGINE } : command;
  const decision = record(table, item, by, { kind, outcome, facts, asker: command.actor }, worldOf(board));
  if ((decision.kind === 'accepted') !== expected) {
    const got = `${decision.kind}, ${expected ? 'and should be taken' : 'and should be refused'}`;
    const who = actor === undefined ? `engine for ${asker.id}` : asker.id;
    board.breach('law', `${piece.id} in ${item.state}: ${kind}=${outcome} by ${who} is ${got}`);
  }
  if (decision.kind === 'accepted') transact(board, piece, decision.events);
}

/** Something that may be found or said here, or now and then somewhere else. */
function givingOf(board: Board, { table, item }: Piece, dice: Throw): Giving | undefined {
  const here = table.evidence.filter((row) => expand(table, row.in).includes(item.state));
  const likely = here.flatMap((row) => {
    const weight = row.kind === 'proof-pack' ? 15 : row.by.includes('engine') ? 4 : 1;
    return Array.from({ length: weight }, () => row);
  });
  const row = at(dice.luck % 8 === 1 || likely.length === 0 ? table.evidence : likely, dice.pick);
  const team = teamOf(board);
  const asker = at(team, dice.who);
  if (row === undefined || asker === undefined) return undefined;
  const engine = row.by.includes('engine') && dice.luck % 13 !== 5;
  const passes = row.outcomes.includes('PASSED') && dice.arg % 3 > 0;
  const outcome = passes ? 'PASSED' : (at([...row.outcomes, 'odd'], Math.floor(dice.arg / 3)) ?? '');
  const proven = asker.kind === 'human' && dice.luck % 5 !== 4;
  return { kind: row.kind, outcome, actor: engine ? undefined : asker, asker, proven, team };
}

/** Another item moved, or the list did. */
function news(board: Board, piece: Piece, { arg }: Throw) {
  if (arg % 3 === 0) {
    board.listBlocked = !board.listBlocked;
    return;
  }
  if (piece.id !== 'item') return;
  const done = arg % 4 > 0;
  const group = arg % 5 === 2 && piece.table.groups.includes('parts') ? 'parts' : 'dependencies';
  const note: Noted = {
    ...{ type: 'noted', at: now(board), by: 'engine', group, member: `other-${arg % 2}` },
    ...{ state: done ? 'verified' : 'claimed', category: done ? 'CONFIRMED' : 'SUBMITTED' },
    ...{ asked: '', marks: {}, moves: [] },
  };
  transact(board, piece, [note]);
}
