import { ENGINE } from '../../src/kernel/actor.ts';
import type { Command } from '../../src/kernel/command.ts';
import { decide } from '../../src/kernel/decide.ts';
import type { ItemEvent } from '../../src/kernel/event.ts';
import { evolve } from '../../src/kernel/evolve.ts';
import { type EvidenceRow, expand, type Protocol } from '../../src/kernel/protocol.ts';
import { record } from '../../src/kernel/record.ts';
import type { WorkItem } from '../../src/kernel/work-item.ts';
import { PROOF } from '../given.ts';
import type { Piece } from './board.ts';
import { actorsOf, type Team } from './cast.ts';

/** Where nobody has to lead on. A goal and its tasks rest when they are verified. */
const ENDS: { readonly [protocol: string]: readonly string[] } = {
  'two-phase': ['completed'],
  lifecycle: ['completed', 'failed'],
  'goal-task': ['verified', 'abandoned'],
  goal: ['verified', 'cancelled'],
};

const DEEPEST = 4;
const MOST = 60;

/** I13, every state that is no end has a way out for somebody: where it is, everything being in order outside. */
export function hasExit({ table, item, ghost }: Piece, cast: Team): boolean {
  if (ENDS[table.name]?.includes(item.state) || ghost.known.has('superseded')) return true;
  // What others do is theirs: they are taken to be done with it.
  let moments: readonly WorkItem[] = [{ ...item, members: {} }];
  const known = new Set<string>();
  for (let depth = 0; depth < DEEPEST; depth++) {
    const later: WorkItem[] = [];
    for (const next of onward(table, moments, cast, ghost.handedIn)) {
      if (next.state !== item.state || next.evidence.some(({ kind }) => kind === 'superseded')) return true;
      const key = JSON.stringify([next.marks, next.evidence.slice(item.evidence.length)]);
      if (!known.has(key)) later.push(next);
      known.add(key);
    }
    moments = later.slice(0, MOST);
  }
  return false;
}

/** Everything that somebody can do next, each with what the item is then. */
function* onward(table: Protocol, moments: readonly WorkItem[], cast: Team, handedIn: boolean) {
  for (const item of moments) {
    const after = (events: readonly ItemEvent[]) => events.reduce((i, e) => evolve(table, i, e), item);
    for (const events of steps(table, item, cast)) yield after(events);
    for (const [row, outcome] of saidIn(table, item, handedIn))
      for (const events of findings(table, item, cast, row, outcome)) yield after(events);
  }
}

const hands = (cast: Team) =>
  actorsOf(cast).map((actor) => ({ actor, proof: actor.kind === 'human' ? PROOF : undefined }));

function* steps(table: Protocol, item: WorkItem, cast: Team): Iterable<readonly ItemEvent[]> {
  const rows = table.rows.filter((row) => row.command !== '' && expand(table, row.from).includes(item.state));
  const probes = Object.fromEntries(
    table.probes.map((name) => [name, { status: 'satisfied' as const, because: name, fix: '' }]),
  );
  const targets = [...cast.map(({ id }) => id), ...Object.keys(table.states)];
  const rest = { summary: 'done', notes: 'tried', guidance: 'so', commit: 'c', task: 'none' };
  for (const name of new Set(rows.map((row) => row.command))) {
    for (const hand of hands(cast)) {
      for (const to of rows.some((row) => row.command === name && asks(row)) ? targets : ['']) {
        const command: Command = {
          ...{ id: '', name, at: item.enteredAt, reason: 'said', arguments: { ...rest, to } },
          ...hand,
        };
        const world = { roster: actorsOf(cast), groups: {} };
        const decision = decide(table, item, command, world, {
          ...{ probes, facts: {}, subjects: { commit: 'next', plan: 'next' } },
        });
        if (decision.kind === 'accepted') yield decision.events;
      }
    }
  }
}

const asks = ({ takes, to }: Protocol['rows'][number]) => takes.includes('to') || /^[*@]/.test(to);

/** What may be found or said where the item stands; without something handed in the engine has nothing to run. */
const saidIn = (table: Protocol, item: WorkItem, handedIn: boolean) =>
  table.evidence
    .filter((row) => expand(table, row.in).includes(item.state) && (handedIn || !row.by.includes('engine')))
    .flatMap((row) => row.outcomes.map((outcome) => [row, outcome] as const));

function* findings(
  table: Protocol,
  item: WorkItem,
  cast: Team,
  { kind, by }: EvidenceRow,
  outcome: string,
): Iterable<readonly ItemEvent[]> {
  for (const { actor: asker, proof } of hands(cast)) {
    const actor = by.includes('engine') ? ENGINE : asker;
    const command = { id: '', name: kind, at: item.enteredAt, reason: '', arguments: {}, actor, proof };
    const world = { roster: actorsOf(cast), groups: {} };
    const decision = record(table, item, command, { kind, outcome, facts: {}, asker }, world);
    if (decision.kind === 'accepted') yield decision.events;
  }
}
