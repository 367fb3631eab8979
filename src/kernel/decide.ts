import type { Actor } from './actor.ts';
import { type Command, type Gathered, NOTHING_GATHERED } from './command.ts';
import type { Context, World } from './context.ts';
import type { Moved } from './event.ts';
import { judge } from './guards/index.ts';
import { own } from './own.ts';
import { expand, type Protocol, type Row } from './protocol.ts';
import { targetsOf } from './target.ts';
import { opens, unsatisfied, type Verdict } from './verdict.ts';
import type { WorkItem } from './work-item.ts';

export type RefusalCode =
  | 'unknown-command'
  | 'no-transition'
  | 'wrong-role'
  | 'bad-arguments'
  | 'gate-closed';

/** A refusal is a value, and it is recorded: who tried to verify their own work is worth knowing. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  readonly because: string;
  readonly verdicts: readonly Verdict[];
}

export interface Accepted<E> {
  readonly kind: 'accepted';
  readonly events: readonly E[];
  readonly verdicts: readonly Verdict[];
}

export type Decision = Accepted<Moved> | Refused;

/** Rows are tried in the order of the table; the first whose gate is open decides. What is not listed is refused. */
export function decide(
  protocol: Protocol,
  item: WorkItem,
  command: Command,
  world: World,
  gathered: Gathered = NOTHING_GATHERED,
): Decision {
  const named = rowsFor(protocol, item, command.name);
  if (named.length === 0) return refuseUnlisted(protocol, item, command.name);
  const allowed = named.filter(({ row }) => mayTake(protocol, row.by, item.state, command));
  if (allowed.length === 0) {
    const roles = [...new Set(named.flatMap(({ row }) => rolesOf(protocol, row.by, item.state)))];
    return refuse('wrong-role', `Only ${roles.join(' or ')} may ${command.name} this item`);
  }
  const aimed = allowed.filter(({ row }) => argumentsMissing(protocol, row, item, command).length === 0);
  if (aimed.length === 0) {
    const lists = allowed.map(({ row }) => argumentsMissing(protocol, row, item, command));
    // What only another row of the command takes may be left out.
    const missing = lists.reduce((fewest, list) => (list.length < fewest.length ? list : fewest));
    return refuse('bad-arguments', `${command.name} needs ${missing.join(', ')}`);
  }
  const context: Context = { counters: protocol.counters, item, command, world, gathered };
  const judged = aimed.map((entry) => ({
    ...entry,
    verdicts: entry.row.requires.map((g) => judge(g, context)),
  }));
  const open = judged.find(({ verdicts }) => verdicts.every(opens));
  if (open !== undefined) {
    const events = movesOf(protocol, open, item, command, gathered);
    return { kind: 'accepted', events, verdicts: open.verdicts };
  }
  const closed = unique(judged.flatMap(({ verdicts }) => verdicts.filter((v) => !opens(v))));
  return refuse('gate-closed', `${command.name} is not open yet`, closed);
}

interface Entry {
  readonly row: Row;
  readonly index: number;
}

interface Judged extends Entry {
  readonly verdicts: readonly Verdict[];
}

export function rowsFor(protocol: Protocol, item: WorkItem, command: string): readonly Entry[] {
  const found: Entry[] = [];
  for (const [index, row] of protocol.rows.entries())
    if (row.command === command && expand(protocol, row.from).includes(item.state))
      found.push({ row, index });
  return found;
}

/** True when one of the roles that `by` names is held by the actor; 'human' also needs the person's proof. */
export function mayTake(
  protocol: Protocol,
  by: readonly string[],
  state: string,
  { actor, proof }: { readonly actor: Actor; readonly proof: Command['proof'] },
): boolean {
  return rolesOf(protocol, by, state).some((role) =>
    role === 'human' ? actor.kind === 'human' && proof !== undefined : actor.roles.includes(role),
  );
}

/** The roles that `by` names, '@owner' resolved. */
export function rolesOf(protocol: Protocol, by: readonly string[], state: string): readonly string[] {
  return by.map((role) => (role === '@owner' ? (protocol.states[state]?.owner ?? '') : role));
}

function argumentsMissing(protocol: Protocol, row: Row, item: WorkItem, command: Command): readonly string[] {
  const given = (name: string) => (name === 'reason' ? command.reason : (own(command.arguments, name) ?? ''));
  const missing = row.takes.filter((name) => given(name).trim() === '');
  const targets = targetsOf(protocol, row, item);
  if (targets.length === 1) return missing;
  return targets.includes(command.arguments.to ?? '')
    ? missing
    : [...missing, `to (${targets.join(', ') || 'nowhere'})`];
}

/** The events of a taken row; a `via` state adds a hop of its own to the history, before the row's. */
function movesOf(
  protocol: Protocol,
  entry: Judged,
  item: WorkItem,
  command: Command,
  gathered: Gathered,
): readonly Moved[] {
  const { row, index, verdicts } = entry;
  const targets = targetsOf(protocol, row, item);
  const to = targets.length === 1 ? (targets[0] ?? item.state) : (command.arguments.to ?? '');
  const { name, at, actor, reason, proof } = command;
  const { subjects, facts } = gathered;
  // Written out: this runs for every command, and merging parts by spread was most of its time.
  const move: Moved = {
    type: 'moved',
    at,
    by: actor.id,
    origin: item.state,
    command: name,
    arguments: command.arguments,
    reason,
    proof: proof?.id ?? '',
    subjects,
    facts,
    verdicts,
    row: index,
    from: row.via || item.state,
    to,
  };
  if (row.via === '') return [move];
  const nothing = { command: '', arguments: {}, proof: '', subjects: {}, facts: {}, verdicts: [], row: -1 };
  return [{ ...move, ...nothing, reason: `implied by ${name}`, from: item.state, to: row.via }, move];
}

function refuseUnlisted(protocol: Protocol, item: WorkItem, command: string): Refused {
  const listed = protocol.forbidden.find(
    (f) => f.command === command && expand(protocol, f.from).includes(item.state),
  );
  if (listed !== undefined) {
    return refuse('no-transition', listed.because, [unsatisfied('table', listed.because, listed.instead)]);
  }
  if (!protocol.rows.some((row) => row.command === command)) {
    return refuse('unknown-command', `the protocol ${protocol.name} has no command ${command}`);
  }
  const because = protocol.states[item.state]?.final
    ? `${item.state} is final: nothing leads out of it`
    : `${command} does not lead out of ${item.state}`;
  return refuse('no-transition', because);
}

function refuse(code: RefusalCode, because: string, verdicts: readonly Verdict[] = []): Refused {
  return { kind: 'refused', code, because, verdicts };
}

function unique(verdicts: readonly Verdict[]): readonly Verdict[] {
  const key = (v: Verdict) => `${v.guard}\u0000${v.because}`;
  return [...new Map(verdicts.map((v) => [key(v), v])).values()];
}
