import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedSet } from './false-completion/generate.ts';
import { fits, type Material } from './false-completion/material.ts';
import { pairMaterial } from './false-completion/pair-material.ts';
import { PAIRS } from './false-completion/pairs.ts';
import { STORIES } from './false-completion/process/index.ts';
import { groundsIn, plannedStories, tellStory } from './false-completion/process/tell-story.ts';
import { buildProgram } from './false-completion/program.ts';
import { REMOVALS, type Removal } from './false-completion/removals.ts';
import { REVIEW_REMOVALS } from './false-completion/review-removals.ts';
import { SCENARIOS } from './false-completion/scenarios/index.ts';
import { runTrial, type Trial } from './false-completion/trial.ts';
import { openWorkshop, type Workshop } from './false-completion/workshop.ts';
import { type Figure, figure, type MeasureOptions } from './figure.ts';

/**
 * Takes out each control in turn and tells the story that it is there for. The removal is noticed when the work is now
 * accepted, or when the reason that this control gave is no longer given. With the control the reason must be there.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const modules = join(options.root, 'node_modules');
  const place = await openWorkshop(options.bin, modules);
  try {
    const bench = { modules, scratch: place.root };
    const materials = [
      ...generatedSet(4, 'node'),
      ...(await Promise.all(PAIRS.slice(0, 2).map((pair) => pairMaterial(pair, bench)))),
    ];
    let noticed = 0;
    for (const removal of REMOVALS) {
      const folder = join(place.root, `without-${removal.name}`);
      const bin = await buildProgram(options.root, folder, removal);
      if (await isNoticed(removal, place, bin, materials)) noticed += 1;
    }
    for (const removal of REVIEW_REMOVALS) {
      const bin = await withoutControl(options, place, removal);
      if (await isNoticedInReviews(removal, place, bin)) noticed += 1;
    }
    const n = REMOVALS.length + REVIEW_REMOVALS.length;
    const floor = { name: 'controls', value: n };
    const unit = 'removed controls noticed';
    return [figure({ figure: 'removals', n, value: noticed, unit, floor, goal: 'ratio = 1' }, options)];
  } finally {
    place.remove();
  }
}

async function isNoticed(
  removal: Removal,
  whole: Workshop,
  bin: string,
  materials: readonly Material[],
): Promise<boolean> {
  const scenario = SCENARIOS.find(({ id }) => id === removal.scenario);
  const material = materials.find((one) => scenario !== undefined && fits(one, scenario.material));
  if (scenario === undefined || material === undefined) throw new Error(`no story ${removal.scenario}`);
  const told = (place: Workshop) => runTrial(place, scenario, material, { compare: false });
  const before = await told(whole);
  const after = await told(whole.with(bin));
  return isNoticedIn(removal, before, after);
}

/** A control of reviews is told of by a story, on its first ground. */
export async function isNoticedInReviews(removal: Removal, whole: Workshop, bin: string): Promise<boolean> {
  const [planned] = plannedStories(
    STORIES.filter(({ id }) => id === removal.scenario),
    true,
  );
  if (planned === undefined) throw new Error(`no story ${removal.scenario}`);
  const told = (place: Workshop) => tellStory(place, groundsIn(place), planned);
  return isNoticedIn(removal, await told(whole), await told(whole.with(bin)));
}

/** The product without a control of reviews: its agents are watched by the same watcher, beside its start file. */
export async function withoutControl(
  { root, bin }: Pick<MeasureOptions, 'root' | 'bin'>,
  place: Workshop,
  removal: Removal,
): Promise<string> {
  const built = await buildProgram(root, join(place.root, `without-${removal.name}`, 'dist'), removal);
  copyFileSync(join(dirname(bin), WATCHER), join(dirname(built), WATCHER));
  return built;
}

const WATCHER = 'countersign-watch.cjs';

function isNoticedIn({ control, reason, scenario }: Removal, before: Trial, after: Trial): boolean {
  const ended = ({ accepted, reasons }: Trial) => (accepted ? 'accepted' : reasons.join(', '));
  const noticed =
    !before.accepted &&
    before.reasons.includes(reason) &&
    (after.accepted || !after.reasons.includes(reason));
  console.error(
    `  ${noticed ? 'noticed' : 'NOT NOTICED'}: ${control} (${scenario}: ${ended(before)} -> ${ended(after)})`,
  );
  return noticed;
}
