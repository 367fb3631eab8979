import { ENGINE } from '../actor.ts';
import type { Command } from '../command.ts';
import { decide, mayTake, rowsFor } from '../decide.ts';
import type { ItemEvent } from '../event.ts';
import { expand, type Protocol, type Row } from '../protocol.ts';
import { settle } from '../settle.ts';
import { targetsOf } from '../target.ts';
import type { WorkItem } from '../work-item.ts';
import { evidenceWays } from './evidence-ways.ts';
import { type Hand, handsOn, prefix, type Way } from './hands.ts';
import { type Answer, answersTo, newDigests, subjectMoved } from './outside.ts';
import type { Run } from './run.ts';

/** What may happen next to one item, and the commands that somebody may give but whose gate is closed. */
export interface Ways {
  readonly open: readonly Way[];
  readonly closed: readonly string[];
}

export function waysOf(run: Run, id: string, item: WorkItem): Ways {
  const protocol = run.setup.streams[id]?.protocol;
  if (protocol === undefined) return { open: [], closed: [] };
  const hands = [...handsOn(run, id), { actor: ENGINE, proof: undefined }];
  const names = new Set(
    protocol.rows
      .filter((row) => row.command !== '' && expand(protocol, row.from).includes(item.state))
      .map((row) => row.command),
  );
  const tried = [...names].flatMap((name) =>
    hands.map((hand) => commandWays(run, id, protocol, item, name, hand)),
  );
  const open = [
    ...tried.flatMap((ways) => ways.open),
    ...evidenceWays(run, id, protocol, item, hands),
    ...subjectWays(run, id, protocol, item),
    ...settleWays(run, id, protocol, item),
  ];
  return { open, closed: [...new Set(tried.flatMap((ways) => ways.closed))] };
}

function commandWays(
  run: Run,
  id: string,
  protocol: Protocol,
  item: WorkItem,
  name: string,
  { actor, proof }: Hand,
): Ways {
  const rows = rowsFor(protocol, item, name)
    .map(({ row }) => row)
    .filter((row) => mayTake(protocol, row.by, item.state, { actor, proof }));
  if (rows.length === 0) return { open: [], closed: [] };
  const answers = answersTo(run, id, item, rows);
  const open = argumentsFor(run, protocol, rows, item).flatMap((given) => {
    const command: Command = { id: '', name, actor, at: '', reason: 'said', arguments: given, proof };
    const values = Object.values(given).join(', ');
    const label = `${actor.id}: ${prefix(run, id)}${name}${values === '' ? '' : `(${values})`}`;
    const decided = outcomesOf(id, protocol, item, command, rows.length, answers);
    return decided.map((events) => ({ events, by: actor.kind, label }));
  });
  return { open, closed: open.length === 0 ? [name] : [] };
}

/** What the command does, for whatever the outside answers: one way for each row that may decide. */
function outcomesOf(
  id: string,
  protocol: Protocol,
  item: WorkItem,
  command: Command,
  most: number,
  answers: readonly Answer[],
): readonly (readonly ItemEvent[])[] {
  const taken = new Map<number, readonly ItemEvent[]>();
  for (const { world, probes } of answers) {
    const decision = decide(protocol, item, command, world, {
      probes,
      subjects: newDigests(id, item),
      facts: {},
    });
    if (decision.kind === 'accepted') taken.set(decision.events.at(-1)?.row ?? -1, decision.events);
    if (taken.size === most) break;
  }
  return [...taken.values()];
}

/** Every choice of arguments: actors for marks, a state where the row leaves one open. */
function argumentsFor(
  run: Run,
  protocol: Protocol,
  rows: readonly Row[],
  item: WorkItem,
): readonly { readonly [name: string]: string }[] {
  const actors = run.roster.actors.filter((a) => a.roles.length > 0).map((a) => a.id);
  const choices = rows.flatMap((row) => {
    const targets = targetsOf(protocol, row, item);
    const takes = row.takes.filter((name) => name !== 'reason');
    const names = [...takes, ...(targets.length > 1 ? ['to'] : [])];
    return names.reduce<readonly { readonly [name: string]: string }[]>(
      (all, name) => {
        const values = Object.values(row.names).includes(name)
          ? actors
          : name === 'to'
            ? targets
            : ['something'];
        return all.flatMap((given) => values.map((value) => ({ ...given, [name]: value })));
      },
      [{}],
    );
  });
  return [...new Map(choices.map((given) => [JSON.stringify(given), given])).values()];
}

/** The outside changes a subject where the table lets it. */
function subjectWays(run: Run, id: string, protocol: Protocol, item: WorkItem): readonly Way[] {
  const movable = Object.entries(protocol.subjects).filter(([, s]) =>
    expand(protocol, s.in).includes(item.state),
  );
  return movable.flatMap(([name, { by }]) =>
    handsOn(run, id)
      .filter((hand) => mayTake(protocol, by, item.state, hand))
      .map(({ actor }) => ({
        events: [subjectMoved(id, item, name, actor.id)],
        by: actor.kind,
        label: `${actor.id}: ${prefix(run, id)}changes the ${name}`,
      })),
  );
}

/** The outside says something else about a group, and a row without a command follows. */
function settleWays(run: Run, id: string, protocol: Protocol, item: WorkItem): readonly Way[] {
  const rows = rowsFor(protocol, item, '').map(({ row }) => row);
  if (rows.length === 0) return [];
  return answersTo(run, id, item, rows).flatMap(({ world }) => {
    const { events, loop } = settle(protocol, item, world, '');
    if (events.length === 0 || loop) return [];
    return [
      { events, by: 'system' as const, label: `outside: ${prefix(run, id)}${events[0]?.from} moves on` },
    ];
  });
}
