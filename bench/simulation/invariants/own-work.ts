import type { ItemEvent } from '../../../src/kernel/event.ts';
import type { Chronicle, Told } from '../chronicle.ts';
import type { Invariant } from './invariant.ts';
import { isRelated, makersOf } from './makers.ts';

/** Steps that are somebody's own pass on work; said here a second time. */
const PASSES: { readonly [protocol: string]: readonly string[] } = {
  'two-phase': ['verify', 'block'],
  lifecycle: ['approve'],
  'goal-task': ['approve', 'verify'],
  goal: ['verify-goal', 'integrate'],
};
/** Words that are. */
const WORDS: ReadonlySet<string> = new Set(['quality', 'sign-off', 'review', 'waiver']);

/** Nobody confirms work of their own lineage: not by a step, not by a word. */
export const nobodyConfirmsOwnWork: Invariant = (chronicle) =>
  chronicle.touched.flatMap((told) => {
    const fresh = chronicle.fresh.filter(({ stream }) => stream === `item/${told.id}`).length;
    return told.events
      .slice(-fresh)
      .flatMap((event, n) => ownWork(chronicle, told, event, told.events.length - fresh + n));
  });

function ownWork(chronicle: Chronicle, told: Told, event: ItemEvent, at: number): readonly string[] {
  const { protocol, item } = told;
  const isPass =
    (event.type === 'moved' && (PASSES[protocol.name] ?? []).includes(event.command)) ||
    (event.type === 'recorded' && WORDS.has(event.kind) && protocol.name !== 'staged');
  if (!isPass) return [];
  const makers = [...makersOf(chronicle, told, at)].filter((maker) => isRelated(chronicle, maker, event.by));
  if (makers.length === 0) return [];
  const what = event.type === 'moved' ? event.command : event.kind;
  return [`${event.by} says ${what} of ${protocol.name} ${item.number}, which ${makers.join(', ')} made`];
}
