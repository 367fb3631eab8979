import type { ItemEvent, Moved, Recorded } from '../../src/kernel/event.ts';
import type { WorkItem } from '../../src/kernel/work-item.ts';
import type { Piece, Seen } from './board.ts';
import { kin, strangersAmong, type Team } from './cast.ts';
import { type Ghost, may, outsiders } from './law.ts';
import { isLarge } from './law-goal-task.ts';
import { READINGS, type Reading } from './readings.ts';

/** Looks at one step; answers what is broken, '' where nothing is. */
type Look = (seen: Seen, reading: Reading) => string;

const isMove = (event: ItemEvent): event is Moved => event.type === 'moved';
const isFinding = (event: ItemEvent): event is Recorded => event.type === 'recorded';
const last = (log: readonly ItemEvent[], fits: (event: ItemEvent) => boolean) => log.findLastIndex(fits);
const takes = (event: ItemEvent, commands: readonly string[]) =>
  isMove(event) && commands.includes(event.command);

const enters = ({ event }: Seen, { done }: Reading) =>
  isMove(event) && event.from !== event.to && done.includes(event.to);

/** Everybody whose work is in it, as the log tells. */
function contributors({ table, log, ghost }: Piece, { contributes }: Reading): ReadonlySet<string> {
  // What went into a goal is what went into its tasks.
  if (table.name === 'goal') return ghost.builders;
  const found = log.flatMap((event) => {
    if (!takes(event, contributes) || !isMove(event)) return [];
    const helpers = event.command === 'submit' ? (event.arguments.helpers ?? '').split(',') : [];
    return [event.by, ...helpers.map((name) => name.trim()).filter((name) => name !== '')];
  });
  return new Set(found);
}

/**
 * I1, a task is done only after claim < review < verdict(pass) < landing, all of the same tree: since the work was last
 * handed in, it was approved where the ledger wants that, the engine's latest finding is PASSED, the passing command
 * came after it, and what makes it final came last.
 */
const i1: Look = (seen, reading) => {
  if (!enters(seen, reading)) return '';
  const { log } = seen.piece;
  const from = last(log, (e) => takes(e, reading.handsIn));
  if (from < 0) return 'done, and nothing was ever handed in';
  const pack = last(log, (e) => isFinding(e) && e.kind === 'proof-pack');
  const found = log[pack];
  if (pack < from || found === undefined || !isFinding(found) || found.outcome !== 'PASSED')
    return 'done, and nothing passed since it was handed in';
  const verdict = last(log, (e) => takes(e, [reading.passes]));
  if (verdict < pack) return 'done, and nobody passed what was found';
  if (reading.approves !== '' && !approved(log, from, pack, reading)) return 'verified without an approval';
  const moved = log.slice(pack + 1).some((e) => isMove(e) && back(e, reading));
  return moved ? 'done, and it was sent back since' : '';
};

const back = (e: Moved, { sendsBack }: Reading) => sendsBack.includes(`${e.origin} ${e.command}`);

function approved(log: readonly ItemEvent[], from: number, to: number, { approves }: Reading): boolean {
  return log.slice(from, to).some((e) => takes(e, [approves]));
}

/** Only where nobody outside could: fewer than two strangers hold the role, all of them inside. */
function nobodyOutside(team: Team, role: string, inside: ReadonlySet<string>): boolean {
  const holders = team.filter((p) => p.roles.includes(role));
  return strangersAmong(team, holders) < 2 && outsiders(team, role, new Set(inside)).length === 0;
}

/**
 * I2, contributors, reviewers and verifiers are disjoint with their lineage: whoever passes the work is no kin of anybody
 * who put something into it; a person is kin of nobody but themselves. In two-phase and the lifecycle an exception holds
 * where no second pair of eyes is there at all; in goals there is none, and with three agents the approver is not the
 * verifier either; what a smaller team gives is marked as weak.
 */
const i2: Look = (seen, reading) => {
  const { piece, event, team } = seen;
  if (!isMove(event) || event.row < 0) return '';
  const inside = contributors(piece, reading);
  const close = [...inside].filter((id) => kin(team, id, event.by));
  if (event.command === reading.approves && close.length > 0) return `${event.by} approves the own work`;
  if (event.command !== reading.passes || reading.passes === '') return '';
  if (inside.size === 0) return 'passed, and nobody had built it';
  const third = event.command === 'verify' && isGoal(piece) ? asThird(seen, event.by) : '';
  if (third !== '' || close.length === 0) return third;
  const role = { 'two-phase': 'verification-agent', lifecycle: 'quality-monitor' }[piece.table.name];
  const alone = role !== undefined && nobodyOutside(team, role, inside);
  return alone ? '' : `${event.by} passes what ${close[0]} built`;
};

/** Among three the verifier is not the approver; a smaller team's verdict is marked, a person's where they approved it. */
function asThird({ piece, team, after, ask }: Seen, by: string): string {
  const large = isLarge({ team });
  const approver = approvers(piece).includes(by);
  if (large && approver) return `${by} verifies what they approved`;
  if (large && isWeak(after)) return `the verdict of ${by} is marked as weak`;
  const weak = !large && (ask?.proven !== true || approver);
  return weak && !isWeak(after) ? `the verdict of ${by} is not marked as weak` : '';
}

/** Marked as given by the rule for a small team (GOAL-82). */
const isWeak = ({ evidence, subjects }: WorkItem) =>
  evidence.some((e) => e.kind === 'relaxed' && e.generation === subjects.commit?.generation);

const isGoal = ({ table }: Piece) => table.name.startsWith('goal');

/** Who approved what is there now. */
function approvers({ log }: Piece): readonly string[] {
  const from = last(log, (e) => takes(e, ['submit']));
  return log.slice(from + 1).flatMap((e) => (isMove(e) && e.command === 'approve' ? [e.by] : []));
}

/**
 * I3, after a rejection nothing is done without a new claim, or a decision of an authority that stands in the log. For a
 * goal the new claim is an integration after a task was verified anew.
 */
const i3: Look = (seen, reading) => {
  if (!enters(seen, reading)) return '';
  const { log } = seen.piece;
  const rejected = last(log, (e) => isMove(e) && back(e, reading));
  if (rejected < 0) return '';
  const again = last(log, (e) => takes(e, [...reading.handsIn, ...reading.overrides]));
  if (again < rejected) return 'done after a rejection, with nothing handed in anew';
  const fresh = log
    .slice(rejected, again)
    .some((e) => e.type === 'noted' && e.state === 'verified' && e.moves.length > 0);
  return seen.piece.table.name === 'goal' && !fresh
    ? 'the goal was sent back, and no task was verified since'
    : '';
};

/**
 * I4, one lease at a time, and writes carry it: one actor at most has the work, the one named last, and only they take
 * the assignee's steps. The lease on a run of the checks is the store's and is looked at with the engine.
 */
const i4: Look = ({ piece, event, before, after }, reading) => {
  const holders = after.marks.assignee ?? [];
  if (holders.length > 1) return `${holders.join(' and ')} have the work at once`;
  if (!isMove(event) || !reading.assigned.includes(`${event.origin} ${event.command}`)) return '';
  const given = piece.log
    .slice(0, -1)
    .findLast((e): e is Moved => isMove(e) && holderBy(e, reading) !== undefined);
  const holder = given === undefined ? '' : holderBy(given, reading);
  if (holder !== event.by) return `${event.by} works on what ${holder || 'nobody'} has`;
  return after.version === before.version + 1 ? '' : 'a write left a version out';
};

/** Whom a move gives the work to; '' where it takes it from everybody, undefined where it changes nothing. */
function holderBy(event: Moved, { assigns, frees }: Reading): string | undefined {
  if (frees.includes(event.command)) return '';
  const how = assigns[event.command];
  if (how === undefined) return undefined;
  return how === 'actor' ? event.by : event.arguments.to || undefined;
}

/**
 * I5, counters never decrease: what is forgiven is forgiven by rule and counted anew from the log; the attempt, the
 * versions of the work, the interventions and the history only grow, and nothing passes its limit.
 */
const i5: Look = ({ piece, event, before, after }) => {
  const { ghost, log } = piece;
  const steps = before.steps.length + (isMove(event) ? 1 : 0);
  if (after.version !== log.length || after.steps.length !== steps) return 'history was changed';
  if (after.attempt < before.attempt || before.attempt !== ghost.attempt)
    return `attempt ${before.attempt}, and the log tells ${ghost.attempt}`;
  const old = Object.keys(before.subjects).find((name) => wentBack(before, after, name));
  return old === undefined ? miscounted(before, ghost) : `${old} went back`;
};

const wentBack = (before: WorkItem, after: WorkItem, name: string) =>
  (after.subjects[name]?.generation ?? -1) < (before.subjects[name]?.generation ?? 0);

/** A counter that is not what the log tells, or beyond its limit. */
function miscounted({ counters }: WorkItem, ghost: Ghost): string {
  const kept = new Set([
    ...Object.keys(counters),
    ...[...ghost.failures.keys()].map((state) => `failures@${state}`),
    ...['interventions', 'rejections'],
  ]);
  const wrong = [...kept].find((key) => {
    const n = counters[key] ?? 0;
    return n !== countIn(ghost, key) || n > (key.startsWith('failures') ? 3 : 2);
  });
  return wrong === undefined
    ? ''
    : `${wrong} is ${counters[wrong] ?? 0}, and the log tells ${countIn(ghost, wrong)}`;
}

function countIn(ghost: Ghost, key: string): number {
  if (key === 'interventions') return ghost.interventions;
  if (key === 'rejections') return ghost.rejections;
  return ghost.failures.get(key.slice('failures@'.length)) ?? 0;
}

const VOICES = ['review', 'sign-off', 'approval', 'waiver', 'quality'];

/** I6, the reviewers of a submission never get fewer: no voice is dropped while the work stands, no contributor ever. */
const i6: Look = ({ piece, before, after }, reading) => {
  const lost = [...contributors(piece, reading)].find((id) => !after.marks.builder?.includes(id));
  if (lost !== undefined) return `${lost} built some of it, and is forgotten`;
  const gone = before.evidence.find((e, n) => {
    const now = after.evidence[n];
    return now === undefined || (VOICES.includes(e.kind) && now.generation !== e.generation);
  });
  return gone === undefined ? '' : `the ${gone.kind} of ${gone.by} is gone`;
};

/**
 * I7, nothing is accepted from whoever has no right to it any more: whoever takes a step or gives a finding holds, at
 * that moment, a role that the ledger gives it to; a person has shown to be one. Tokens end in the engine.
 */
const i7: Look = ({ event, ask, team }, { by }) => {
  if (isMove(event) && event.command !== '') {
    const roles = by[`${event.origin} ${event.command}`] ?? by[event.command] ?? [];
    const allowed = ask !== undefined && may(ask, ...roles);
    return allowed ? '' : `${event.by} had no right to ${event.command}`;
  }
  if (!isFinding(event) || event.by === 'engine') return '';
  const actor = team.find(({ id }) => id === event.by);
  const allowed =
    actor !== undefined && may({ actor, proven: event.proof !== '' }, ...(by[event.kind] ?? []));
  return allowed ? '' : `${event.by} had no right to give a ${event.kind}`;
};

/** I8, every digest of evidence resolves: it names a subject that there is, and the value that the subject then had. */
const i8: Look = ({ after }, { subjects }) => {
  const lost = after.evidence.find((e) => {
    const subject = after.subjects[e.on];
    if (!subjects.includes(e.on) || subject === undefined || e.generation > subject.generation) return true;
    return e.generation === subject.generation && e.digest !== subject.digest;
  });
  return lost === undefined ? '' : `the ${lost.kind} is about a ${lost.on || 'thing'} that is not there`;
};

/**
 * I9, judged by the criteria that were frozen: the finding that passes the work was made with the criteria of the claim it
 * is about, and what the item demands does not change after it was opened.
 */
const i9: Look = ({ piece, event, before, after }, reading) => {
  if (before.settings !== after.settings || before.protocol !== after.protocol)
    return 'the rules were changed';
  if (!isMove(event) || event.command !== reading.passes) return '';
  const claim = piece.log.findLast((e) => takes(e, reading.handsIn));
  const pack = before.evidence.findLast((e) => e.kind === 'proof-pack');
  const frozen = claim !== undefined && isMove(claim) ? claim.facts.criteria : undefined;
  return pack?.facts.criteria === frozen ? '' : 'passed by other criteria than those of the claim';
};

/**
 * I12, an error, a time that ran out or a verdict that is missing never moves an item forward: where something was to be
 * looked at, it was looked at and in order; nothing passes on anything but PASSED; time alone moves nothing.
 */
const i12: Look = ({ event, ask, before, after }, reading) => {
  if (!isMove(event)) return before.state === after.state ? '' : `${event.type} moved the item`;
  if (event.row < 0) return '';
  const blind = (reading.looks[event.command] ?? []).find((probe) => ask?.inOrder(probe) !== true);
  if (blind !== undefined) return `${event.command} although ${blind} was not in order`;
  if (event.command !== reading.passes) return '';
  const pack = before.evidence.findLast((e) => e.kind === 'proof-pack');
  const fresh = pack?.generation === before.subjects.commit?.generation;
  return fresh && pack?.outcome === 'PASSED' ? '' : 'passed without a verdict of the checks';
};

const THRESHOLDS = [80, 100, 150];

/**
 * I13, what is stuck is told in time: of each threshold once in a stay, not before it passed, and where an item has no
 * allowance never. That every state has a way out is looked at where a game ends.
 */
const i13: Look = ({ event, before, after }, { allowances }) => {
  if (isMove(event) && event.from !== event.to && after.elapsed.length > 0) return 'told of an earlier stay';
  if (event.type !== 'elapsed') return '';
  const minutes = (Date.parse(event.at) - Date.parse(before.enteredAt)) / 60_000;
  const allowance = allowances[before.state];
  if (allowance === undefined) return `${before.state} has no allowance`;
  const due = THRESHOLDS.filter((percent) => (minutes * 100) / allowance >= percent);
  if (!due.includes(event.percent) || before.elapsed.includes(event.percent)) return 'told at the wrong time';
  return '';
};

const LOOKS = { I1: i1, I2: i2, I3: i3, I4: i4, I5: i5, I6: i6, I7: i7, I8: i8, I9: i9, I12: i12, I13: i13 };

/** Everything that one step breaks. */
export function broken(seen: Seen): readonly { readonly rule: string; readonly what: string }[] {
  const reading = READINGS[seen.piece.table.name];
  if (reading === undefined) return [{ rule: 'law', what: `nothing is known of ${seen.piece.table.name}` }];
  return Object.entries(LOOKS).flatMap(([rule, look]) => {
    const what = look(seen, reading);
    return what === '' ? [] : [{ rule, what: `${seen.piece.id}: ${what}` }];
  });
}
