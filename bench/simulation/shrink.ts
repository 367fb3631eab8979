import { play, type Result } from './run.ts';
import { dropped, HONEST, type Meddling, type Schedule } from './schedule.ts';

/** Schedules that are tried at most while one is made shorter. */
const TRIES = 400;

/**
 * Drops steps of a schedule that goes wrong, many at once first, as long as the same invariant is broken. A seed that
 * does not go wrong is answered as it went.
 */
export async function shrunk(schedule: Schedule, meddling: Meddling = HONEST): Promise<Result> {
  let best = await play(schedule, meddling);
  if (best.broken === undefined) return best;
  const { invariant, step } = best.broken;
  let tries = 0;
  const fails = async (shorter: Schedule) => {
    tries += 1;
    const result = await play(shorter, meddling);
    if (result.broken?.invariant !== invariant) return false;
    best = result;
    return true;
  };
  await fails({ ...schedule, steps: schedule.steps.slice(0, step + 1) });
  for (let size = Math.ceil(best.schedule.steps.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < best.schedule.steps.length && tries < TRIES; )
      if (!(await fails(dropped(best.schedule, at, size)))) at += size;
  return best;
}

/** What is told of a schedule that went wrong: what broke, how to play it again, and what happened in it. */
export function toldOf(seed: number, { broken, schedule, story }: Result): string {
  if (broken === undefined) return `seed ${seed} holds`;
  return [
    `seed ${seed}, step ${broken.step + 1}: ${broken.invariant}: ${broken.because}`,
    `again: ${againWith(seed)}`,
    `${schedule.steps.length} steps are left of it:`,
    ...story.map((line) => `  ${line}`),
  ].join('\n');
}

/** The command that plays one seed again. */
export const againWith = (seed: number): string => `COUNTERSIGN_SEED=${seed} npm run bench -- simulate`;
