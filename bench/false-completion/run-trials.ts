import { atOnce } from './at-once.ts';
import { fits, type Material } from './material.ts';
import type { Scenario } from './scenario.ts';
import { runTrial, type Trial } from './trial.ts';
import type { Workshop } from './workshop.ts';

/** A story and the repository that it is told in. */
export interface Planned {
  readonly scenario: Scenario;
  readonly material: Material;
  /** The first telling of its story: there the usual ways to decide are asked as well. */
  readonly first: boolean;
}

/**
 * Crosses stories with repositories: `rounds` repositories for each, those that take longest to tell only once or twice.
 * The next story goes on where the last one left off, so that every repository has its turn. Throws for a story that
 * fits nowhere.
 */
export function planned(
  scenarios: readonly Scenario[],
  materials: readonly Material[],
  rounds: (scenario: Scenario) => number,
): readonly Planned[] {
  let turn = 0;
  return scenarios.flatMap((scenario) => {
    const fitting = materials.filter((material) => fits(material, scenario.material));
    if (fitting.length === 0) throw new Error(`${scenario.id} fits no repository: ${scenario.material}`);
    const count = Math.min(rounds(scenario), fitting.length);
    return Array.from({ length: count }, (_, round) => {
      turn += 1;
      return { scenario, material: fitting[turn % fitting.length] as Material, first: round === 0 };
    });
  });
}

/** A trial that could not be told to its end. It counts as a failure of the bench, never as a refusal. */
export interface Broken extends Planned {
  readonly because: string;
}

/** Tells all of them, so many at once; answers in order. */
export async function runAll(
  workshop: Workshop,
  plan: readonly Planned[],
  options: {
    readonly atOnce?: number;
    readonly onEnd?: (told: Trial | Broken) => void;
  } = {},
): Promise<{ readonly trials: readonly Trial[]; readonly broken: readonly Broken[] }> {
  const told = await atOnce(plan, options.atOnce ?? 2, async (one): Promise<Trial | Broken> => {
    const ended = await trialOf(workshop, one);
    options.onEnd?.(ended);
    return ended;
  });
  return {
    trials: told.flatMap((one) => ('because' in one ? [] : [one])),
    broken: told.flatMap((one) => ('because' in one ? [one] : [])),
  };
}

async function trialOf(workshop: Workshop, one: Planned): Promise<Trial | Broken> {
  try {
    return await runTrial(workshop, one.scenario, one.material, { compare: one.first });
  } catch (error) {
    return { ...one, because: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a trial ended as its story says, for a reason that the story names. */
export const isRight = ({ scenario, accepted }: Trial): boolean =>
  accepted === (scenario.expect === 'accept');
export const isForTheRightReason = (trial: Trial): boolean =>
  isRight(trial) &&
  (trial.accepted || trial.reasons.some((reason) => trial.scenario.reasons.includes(reason)));
