// Plays the seeds FROM to TO, and prints a JSON line for each: a process of its own, so that several are played at once.
import { play } from './run.ts';
import { scheduleOf } from './schedule.ts';

/** What is told of one seed to whoever began this process. */
export interface SeedPlayed {
  readonly seed: number;
  readonly broken: string;
  readonly events: number;
  readonly steps: number;
  readonly requests: number;
  readonly reached: readonly string[];
}

const [from = '1', to = '0'] = process.argv.slice(2);
for (let seed = Number(from); seed <= Number(to); seed++) {
  const schedule = scheduleOf(seed);
  const { broken, events, answers, reached } = await play(schedule);
  const played: SeedPlayed = {
    ...{ seed, events, steps: schedule.steps.length, reached: [...new Set(reached)] },
    broken: broken === undefined ? '' : `${broken.invariant}: ${broken.because}`,
    requests: answers.done + answers.refused + answers.failed,
  };
  process.stdout.write(`${JSON.stringify(played)}\n`);
}
