import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atOnce } from './false-completion/at-once.ts';
import { generatedSet } from './false-completion/generate.ts';
import type { Material } from './false-completion/material.ts';
import { overhead } from './false-completion/overhead.ts';
import { pairMaterial, pairProblem } from './false-completion/pair-material.ts';
import { PAIRS } from './false-completion/pairs.ts';
import { type Part, partOf } from './false-completion/part.ts';
import { STORIES } from './false-completion/process/index.ts';
import {
  groundName,
  type NotTold,
  type PlannedStory,
  plannedStories,
  tellAll,
} from './false-completion/process/tell-story.ts';
import type { Bench } from './false-completion/recorded-calls.ts';
import { type Broken, isForTheRightReason, isRight, planned, runAll } from './false-completion/run-trials.ts';
import { completed, type Scenario, scenarioProblems } from './false-completion/scenario.ts';
import { SCENARIOS } from './false-completion/scenarios/index.ts';
import { scored, soundness } from './false-completion/score.ts';
import type { Trial } from './false-completion/trial.ts';
import { openWorkshop, type Workshop } from './false-completion/workshop.ts';
import { type Figure, figure, type Measured, type MeasureOptions } from './figure.ts';

const GENERATED = 24;
const TYPESCRIPT = 3;
const ONCE = new Set(['endless', 'output-flooded']);

/** Cheap stories are told in many repositories; those that take long in few. */
function rounds({ id, tier, family, material }: Scenario): number {
  if (ONCE.has(id)) return 1;
  if (tier === 'strict' || material.includes('typescript')) return 2;
  return family === 'H' ? 3 : 7;
}

/**
 * Tells every story in repositories of three kinds and counts how often the product is wrong: false accepts, false blocks,
 * refusals for another reason, and what it costs. Trials that could not be told, and stories that are not what they say,
 * are figures of their own, whose goal is none; they count for nothing else. `FALSE_COMPLETION_ONLY` tells a part.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const given = options.scenarios === undefined ? [] : await scenariosIn(options.scenarios);
  const all = { scenarios: [...SCENARIOS, ...given], stories: STORIES, overhead: true };
  const part = partOf(process.env.FALSE_COMPLETION_ONLY, all, given);
  const workshop = await openWorkshop(options.bin, join(options.root, 'node_modules'));
  try {
    const asksPairs = part.scenarios.length > 0 || part.overhead;
    const pairs = asksPairs ? await pairsIn({ modules: workshop.modules, scratch: workshop.root }) : [];
    const measured: readonly Measured[] = [
      ...(await told(workshop, part, pairs)),
      ...(part.overhead ? await overhead(workshop, pairs) : []),
    ];
    return measured.map((one) => figure(one, options));
  } finally {
    workshop.remove();
  }
}

/** Every pair, as far as each is what it says. */
async function pairsIn(bench: Bench): Promise<readonly Material[]> {
  const found = await atOnce(PAIRS, 2, async (pair) => {
    const material = await pairMaterial(pair, bench);
    return { material, problem: await pairProblem(material, bench) };
  });
  const wrong = found.flatMap(({ problem }) => problem ?? []);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return found.map(({ material }) => material);
}

async function told(
  workshop: Workshop,
  part: Pick<Part, 'scenarios' | 'stories'>,
  pairs: readonly Material[],
): Promise<readonly Measured[]> {
  const generated = [...generatedSet(GENERATED, 'node'), ...generatedSet(TYPESCRIPT, 'vitest')];
  const plan =
    part.scenarios.length === 0 ? [] : planned(part.scenarios, alternating(generated, pairs), rounds);
  const stories = plannedStories(part.stories);
  if (plan.length + stories.length === 0) return [];
  const onEnd = progress(plan.length + stories.length);
  const work = await runAll(workshop, plan, { onEnd });
  const words = await tellAll(workshop, stories, { onEnd });
  const trials = [...work.trials, ...words.trials];
  return [
    ...scored(trials.filter(({ truthful }) => truthful)),
    ...soundness(trials, [...work.broken, ...words.broken]),
  ];
}

/** Two lists as one in which both come up from the beginning. */
function alternating<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, n) => [one[n], other[n]])
    .flat()
    .filter((value) => value !== undefined);
}

function progress(total: number): (told: Trial | Broken | NotTold) => void {
  let done = 0;
  return (told) => {
    if ('because' in told) console.error(`not told: ${nameOf(told)}: ${told.because}`);
    else complain(told);
    done += 1;
    if (done % 50 === 0) console.error(`  ${done} of ${total} trials`);
  };
}

const nameOf = (one: Broken | PlannedStory) =>
  'story' in one
    ? `${one.story.id} on ${groundName(one.ground)}`
    : `${one.scenario.id} in ${one.material.id}`;

/** Everything that is not as it should be, one line each. */
function complain(trial: Trial): void {
  const { scenario, material, accepted, reasons, truthful, said } = trial;
  const broken = trial.baselines === undefined && said !== '' ? ` (${said})` : '';
  const ended = accepted
    ? `accepted${scenario.family === 'S5' || scenario.family === 'S6' ? broken : ''}`
    : `refused: ${reasons.join(', ')}`;
  if (!truthful) console.error(`not what it says: ${scenario.id} in ${material}`);
  else if (!isRight(trial)) console.error(`wrong: ${scenario.id} in ${material} was ${ended}`);
  else if (!isForTheRightReason(trial)) console.error(`luck: ${scenario.id} in ${material} was ${ended}`);
}

/** Scenarios from outside: .json files with one or a list, .mjs files that export `scenarios`. Rejects for a wrong one. */
export async function scenariosIn(folder: string): Promise<readonly Scenario[]> {
  const found: Scenario[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!/\.(json|mjs)$/.test(name)) continue;
    const path = resolve(folder, name);
    const loaded: unknown = name.endsWith('.json')
      ? JSON.parse(readFileSync(path, 'utf8'))
      : ((await import(pathToFileURL(path).href)) as { scenarios: unknown }).scenarios;
    for (const one of Array.isArray(loaded) ? loaded : [loaded]) {
      const scenario = completed(one as Scenario);
      const problems = scenarioProblems(scenario);
      if (problems.length > 0) throw new Error(`${path}: ${problems.join('; ')}`);
      found.push(scenario);
    }
  }
  if (found.length === 0) throw new Error(`there are no scenarios in ${folder}`);
  return found;
}
