import { atLeast, demandedLevel, type Independence, independence } from './actor.ts';
import { an } from './an.ts';
import { type Command, NOTHING_GATHERED } from './command.ts';
import { actorOf, type Context, type World } from './context.ts';
import type { Accepted, Refused } from './decide.ts';
import { mayTake, rolesOf } from './decide.ts';
import type { Facts, Recorded } from './event.ts';
import type { Evidence } from './evidence.ts';
import { freshEvidence } from './freshness.ts';
import { judge } from './guards/index.ts';
import { type EvidenceRow, expand, type Protocol } from './protocol.ts';
import { opens, unsatisfied, type Verdict } from './verdict.ts';
import type { WorkItem } from './work-item.ts';

/** What is to be recorded. `asker` is who asked for it; for the runner's evidence the command's actor is the engine. */
export interface Finding {
  readonly kind: string;
  readonly outcome: string;
  readonly facts: Facts;
  readonly asker: Command['actor'];
}

/**
 * Evidence enters here and nowhere else: the protocol says who may give which kind, in which state, and whether
 * a second verdict on the same subject is allowed. Its independence is computed, not declared.
 */
export function record(
  protocol: Protocol,
  item: WorkItem,
  command: Command,
  finding: Finding,
  world: World,
): Accepted<Recorded> | Refused {
  const rows = protocol.evidence
    .map((row, index) => ({ row, index }))
    .filter(({ row }) => row.kind === finding.kind);
  if (rows.length === 0)
    return refuse('unknown-command', `the protocol ${protocol.name} knows no ${finding.kind}`);
  const here = rows.filter(({ row }) => expand(protocol, row.in).includes(item.state));
  if (here.length === 0)
    return refuse('no-transition', `${an(finding.kind)} cannot be given while the item is ${stateOf(item)}`);
  const fitting = here.filter(({ row }) => row.outcomes.includes(finding.outcome));
  if (fitting.length === 0) {
    const legal = here.flatMap(({ row }) => row.outcomes).join(' or ');
    return refuse('bad-arguments', `${an(finding.kind)} says ${legal}, not ${finding.outcome}`);
  }
  const allowed = fitting.filter(({ row }) => mayTake(protocol, row.by, item.state, command));
  if (allowed.length === 0) {
    const roles = [...new Set(fitting.flatMap(({ row }) => rolesOf(protocol, row.by, item.state)))];
    return refuse('wrong-role', `Only ${roles.join(' or ')} may give ${an(finding.kind)}`);
  }
  const context: Context = { counters: protocol.counters, item, command, world, gathered: NOTHING_GATHERED };
  const level = levelOf(item, finding, command, world);
  const judged = allowed.map((entry) => ({
    ...entry,
    verdicts: [
      ...entry.row.requires.map((guard) => judge(guard, context)),
      ...notTwice(entry.row, item, command.actor.id, level),
    ],
  }));
  const open = judged.find(({ verdicts }) => verdicts.every(opens));
  if (open === undefined) {
    const closed = judged.flatMap(({ verdicts }) => verdicts.filter((v) => !opens(v)));
    return { ...refuse('gate-closed', `this ${finding.kind} cannot be recorded`), verdicts: closed };
  }
  const event = eventOf(open, command, finding, level);
  return { kind: 'accepted', events: [event], verdicts: open.verdicts };
}

function eventOf(
  { row, index }: { readonly row: EvidenceRow; readonly index: number },
  command: Command,
  finding: Finding,
  level: Independence,
): Recorded {
  return {
    type: 'recorded',
    at: command.at,
    by: command.actor.id,
    row: index,
    kind: row.kind,
    outcome: finding.outcome,
    requestedBy: finding.asker.id,
    independence: level,
    facts: finding.facts,
    proof: command.proof?.id ?? '',
  };
}

/** Independence of what `asker` asks about this item: judged against everybody who built it. */
function levelOf(item: WorkItem, { asker }: Finding, command: Command, world: World): Independence {
  const builders = (item.marks.builder ?? []).map((id) => actorOf(world, id));
  return independence(asker, builders, command.proof !== undefined);
}

/**
 * A verdict below the level that the item demands decides nothing, so it does not bar one from further away:
 * otherwise whoever asks first, from too near, would lock the item for good.
 */
function notTwice(row: EvidenceRow, item: WorkItem, by: string, level: Independence): readonly Verdict[] {
  if (!row.once) return [];
  const minimum = demandedLevel(item.settings.independence);
  const bars = (e: Evidence) => atLeast(e.independence, minimum) || atLeast(e.independence, level);
  const earlier = freshEvidence(item, row.kind).filter((e) => (!row.each || e.by === by) && bars(e));
  if (earlier.length === 0) return [];
  const because = `there is already a ${row.kind} on this ${row.on}, saying ${earlier.at(-1)?.outcome}`;
  return [unsatisfied('once', because, `only a changed ${row.on} can be judged again`)];
}

const stateOf = ({ state }: WorkItem) => state.replaceAll('_', ' ');

function refuse(code: Refused['code'], because: string): Refused {
  return { kind: 'refused', code, because, verdicts: [] };
}
