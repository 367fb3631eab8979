import { join } from 'node:path';
import { generatedSet } from './false-completion/generate.ts';
import { fits, type Material } from './false-completion/material.ts';
import { pairMaterial } from './false-completion/pair-material.ts';
import { PAIRS } from './false-completion/pairs.ts';
import { buildProgram } from './false-completion/program.ts';
import { REMOVALS, type Removal } from './false-completion/removals.ts';
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
    const floor = { name: 'controls', value: REMOVALS.length };
    const unit = 'removed controls noticed';
    return [
      figure(
        { figure: 'removals', n: REMOVALS.length, value: noticed, unit, floor, goal: 'ratio = 1' },
        options,
      ),
    ];
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
  const ended = ({ accepted, reasons }: Trial) => (accepted ? 'accepted' : reasons.join(', '));
  const noticed =
    !before.accepted &&
    before.reasons.includes(removal.reason) &&
    (after.accepted || !after.reasons.includes(removal.reason));
  console.error(
    `  ${noticed ? 'noticed' : 'NOT NOTICED'}: ${removal.control} (${scenario.id}: ${ended(before)} -> ${ended(after)})`,
  );
  return noticed;
}
