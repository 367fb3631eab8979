import type { Moved } from '../../../src/kernel/event.ts';
import { lineageOf } from '../cast.ts';
import type { Chronicle, Told } from '../chronicle.ts';

/** Commands by which somebody makes the work of an item theirs; said here a second time, beside the tables. */
const MAKES: { readonly [protocol: string]: readonly string[] } = {
  'two-phase': ['claim'],
  lifecycle: ['begin', 'finish', 'ask-review'],
  'goal-task': ['start', 'submit'],
  'agent-run': ['complete', 'fail'],
};

/** Everybody who made something of an item, up to a place in its log; of a goal and a phase, of what belongs to it. */
export function makersOf(
  chronicle: Chronicle,
  { protocol, events, id }: Told,
  until = events.length,
): ReadonlySet<string> {
  const own = events
    .slice(0, until)
    .filter(
      (event): event is Moved =>
        event.type === 'moved' && (MAKES[protocol.name] ?? []).includes(event.command),
    )
    .map(({ by }) => by);
  return new Set([
    ...own,
    ...partsOf(chronicle, protocol.name, id).flatMap((part) => [...makersOf(chronicle, part)]),
  ]);
}

/** The items that are parts of this one: tasks of a goal, runs of a phase. */
export function partsOf({ items }: Chronicle, protocol: string, id: string): readonly Told[] {
  if (protocol === 'goal') return [...items.values()].filter((told) => goalOf(told) === id);
  if (protocol === 'phase')
    return [...items.values()].filter((told) => told.protocol.name === 'agent-run' && phaseOf(told) === id);
  return [];
}

/** The goal that an item says it belongs to, '' for none. */
export function goalOf({ events }: Told): string {
  const last = events.findLast(
    (event) => event.type === 'linked' && ['goal', 'not-goal'].includes(event.kind),
  );
  return last?.type === 'linked' && last.kind === 'goal' ? last.to : '';
}

function phaseOf({ events }: Told): string {
  const linked = events.findLast((event) => event.type === 'linked' && event.kind === 'phase');
  const [first] = events;
  if (linked?.type === 'linked') return linked.to;
  return first?.type === 'opened' ? String(first.facts.phase ?? '') : '';
}

/** One pair of eyes: somebody, those above and those below. */
export function isRelated({ parents }: Chronicle, one: string, other: string): boolean {
  return lineageOf(one, parents).includes(other) || lineageOf(other, parents).includes(one);
}

/** How far whoever asked stands from who made it, by the words of the design. */
export function distanceOf(
  chronicle: Chronicle,
  asker: string,
  makers: ReadonlySet<string>,
  isProven: boolean,
): string {
  const { people, parents } = chronicle;
  if (people.has(asker)) return isProven ? 'human' : 'automated';
  if ([...makers].some((maker) => isRelated(chronicle, asker, maker))) return 'automated';
  const above = (name: string) => lineageOf(name, parents).slice(0, -1);
  const shares = [...makers].some((maker) => above(maker).some((name) => above(asker).includes(name)));
  return shares ? 'sibling' : 'other-lineage';
}
