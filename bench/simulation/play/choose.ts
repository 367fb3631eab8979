import { handleOf, type Reading } from '../chronicle.ts';
import type { Dice } from '../dice.ts';
import type { Schedule } from '../schedule.ts';
import type { Town } from '../town.ts';
import { OPENINGS } from './openings.ts';
import { PHASE_PLAYERS } from './phases.ts';
import type { Request } from './request.ts';
import { onTask } from './staged.ts';
import { byTable } from './table.ts';

/** Something new, or one of the items that there are, brought on or kept from it. */
export async function choose(
  town: Town,
  reading: Reading,
  schedule: Pick<Schedule, 'protocols' | 'isGloomy'>,
  dice: Dice,
): Promise<Request | undefined> {
  const live = [...reading.items.values()].filter(
    ({ protocol, item }) => protocol.states[item.state]?.final !== true,
  );
  const wanted = dice.pick(schedule.protocols);
  if (live.length === 0 || dice.chance(live.length < 3 ? 0.12 : 0.02)) return OPENINGS[wanted]?.(town, dice);
  // What has come far is brought on rather than what has not.
  const [one, other] = [dice.pick(live), dice.pick(live)];
  const told = one.events.length > other.events.length ? one : other;
  const { protocol } = told;
  const play = protocol.name === 'staged' ? onTask : (PHASE_PLAYERS[protocol.name] ?? byTable);
  const { isGloomy } = schedule;
  return play(town, handleOf(told), dice, { world: await reading.worldOf(told), isGloomy });
}
