import { ENGINE } from './actor.ts';
import { type Command, NOTHING_GATHERED } from './command.ts';
import type { World } from './context.ts';
import { type Guard, judge } from './guards/index.ts';
import type { Protocol } from './protocol.ts';
import type { Verdict } from './verdict.ts';
import type { WorkItem } from './work-item.ts';

/** The engine's own command of no name: nobody asks, nothing is given. */
export function unasked(at: string): Command {
  return { id: '', name: '', actor: ENGINE, at, reason: '', arguments: {}, proof: undefined };
}

/** What guards say of an item as it stands, with nobody doing anything to it: its promises, whether it is closed. */
export function judgeStanding(
  { counters }: Pick<Protocol, 'counters'>,
  guards: readonly Guard[],
  item: WorkItem,
  world: World,
): readonly Verdict[] {
  const context = { counters, item, command: unasked(''), world, gathered: NOTHING_GATHERED };
  return guards.map((guard) => judge(guard, context));
}
