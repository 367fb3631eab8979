import { POLICY } from '../actor.ts';
import type { Command } from '../command.ts';
import { decide } from '../decide.ts';
import type { ItemEvent, Moved, Noted } from '../event.ts';
import type { Policy, Protocol } from '../protocol.ts';
import { settle } from '../settle.ts';
import { type Place, presentValues, withPass } from './place.ts';
import type { Places, Run } from './run.ts';
import { observed, type Watcher } from './watch.ts';

const MOST_ROUNDS = 200;

/** One transaction: the events, the rows that follow by themselves, and all that policies do because of them. */
export function transact(
  run: Run,
  before: Places,
  id: string,
  events: readonly ItemEvent[],
  watch: Watcher,
): Places {
  const places: { [id: string]: Place } = { ...before };
  const queue: {
    readonly id: string;
    readonly note?: Noted;
    readonly send?: string;
    readonly events: readonly ItemEvent[];
  }[] = [{ id, events }];
  for (let round = 0; ; round++) {
    const next = queue.shift();
    if (next === undefined) return places;
    if (round > MOST_ROUNDS) {
      watch.found('settle-loop', `the policies of ${run.setup.name} never come to rest`);
      return places;
    }
    const told = tellAndSettle(run, places, next, watch);
    for (const moved of told) queue.push(...echoes(run, places, next.id, moved));
  }
}

/** Applies what one item is told, sends it the command, settles it; answers the moves it made. */
function tellAndSettle(
  run: Run,
  places: { [id: string]: Place },
  {
    id,
    events,
    send = '',
  }: { readonly id: string; readonly events: readonly ItemEvent[]; readonly send?: string },
  watch: Watcher,
): readonly Moved[] {
  const protocol = run.setup.streams[id]?.protocol;
  const start = places[id];
  if (protocol === undefined || start === undefined) return [];
  const moves: Moved[] = [];
  let place = start;
  const take = (event: ItemEvent) => {
    place = observed(run, protocol, place, event, watch);
    if (event.type === 'moved') moves.push(event);
  };
  events.forEach(take);
  if (send !== '') {
    const decision = decide(protocol, place.item, commandOf(send), run.world);
    if (decision.kind === 'accepted') decision.events.forEach(take);
    else
      watch.found('policy', `${protocol.name} refuses ${send} in ${place.item.state}: ${decision.because}`);
  }
  const settled = settle(protocol, place.item, run.world, '');
  if (settled.loop)
    watch.found('settle-loop', `${protocol.name} never comes to rest around ${place.item.state}`);
  else settled.events.forEach(take);
  places[id] = place;
  return moves;
}

const commandOf = (name: string): Command => ({
  id: '',
  name,
  actor: POLICY,
  at: '',
  reason: '',
  arguments: {},
  proof: undefined,
});

/** What the policies tell others because of one move. */
function echoes(run: Run, places: { [id: string]: Place }, id: string, moved: Moved) {
  const protocol = run.setup.streams[id]?.protocol;
  const place = places[id];
  if (protocol === undefined || place === undefined) return [];
  const fitting = protocol.policies.filter((policy) => fits(policy, moved));
  return fitting.flatMap((policy) =>
    (run.setup.links[id]?.[policy.tell] ?? []).map((target) => {
      carryPasses(places, place, target, policy);
      const events = policy.note === '' ? [] : [noteOf(protocol, place, id, moved, policy)];
      return { id: target, events, send: policy.send };
    }),
  );
}

function fits(policy: Policy, { to, command }: Moved): boolean {
  return policy.enters.includes('*') || policy.enters.includes(to) || policy.commands.includes(command);
}

function noteOf(protocol: Protocol, { item }: Place, id: string, { to }: Moved, policy: Policy): Noted {
  return {
    type: 'noted',
    at: '',
    by: 'policy',
    group: policy.note,
    member: id,
    state: to,
    category: protocol.states[to]?.category ?? '',
    asked: policy.asks === '' ? '' : (item.subjects[policy.asks]?.digest ?? ''),
    marks: Object.fromEntries(policy.carry.map((mark) => [mark, item.marks[mark] ?? []])),
    moves: policy.moves,
  };
}

/** A verdict given in one item counts in the other when the policy carries the mark of its giver. */
function carryPasses(places: { [id: string]: Place }, from: Place, target: string, policy: Policy) {
  const place = places[target];
  const carried = from.passes.filter((pass) => pass.as !== '' && policy.carry.includes(pass.as));
  if (place === undefined || carried.length === 0 || policy.moves.length > 0) return;
  const on = presentValues(place.item);
  const passes = carried.reduce((all, pass) => withPass(all, { ...pass, on }), place.passes);
  places[target] = { ...place, passes };
}
