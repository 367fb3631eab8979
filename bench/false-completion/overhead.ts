import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measured, median } from '../figure.ts';
import { criteriaText } from './criteria.ts';
import { ended } from './ended.ts';
import { acceptanceText, fits, type Material } from './material.ts';
import type { Desk, Workshop } from './workshop.ts';
import { write } from './write-files.ts';

const TIERS = { light: 'value <= 1.3', standard: 'value <= 2', strict: null } as const;
type Tier = keyof typeof TIERS;
const ORDER = Object.keys(TIERS) as Tier[];
const SERIAL = 20;
// The package of qs needs another one, and its pair has no lockfile that names it.
const PACKED = '-qs additive';

/** How much longer a verdict takes than `npm test` on the same commit, one after the other, with base's results known. */
export async function overhead(workshop: Workshop, pairs: readonly Material[]): Promise<readonly Measured[]> {
  const additive = pairs.filter((pair) => fits(pair, 'additive'));
  const rest = pairs.filter((pair) => !additive.includes(pair));
  const ratios: Record<Tier, number[]> = { light: [], standard: [], strict: [] };
  let broken = 0;
  for (const material of [...additive, ...rest].slice(0, SERIAL)) {
    const times = await timesOf(workshop, material).catch((error: unknown) => String(error));
    if (typeof times === 'string') {
      broken += 1;
      console.error(`  not told: overhead in ${material.id}: ${times}`);
      continue;
    }
    const { plain, ...verdicts } = times;
    const told = ORDER.flatMap((tier) => {
      const took = verdicts[tier];
      if (took !== undefined) ratios[tier].push(took / plain);
      return took === undefined ? [] : [`${tier} ${Math.round(took)}`];
    });
    console.error(`  ${material.id}: npm test ${Math.round(plain)} ms, ${told.join(', ')}`);
  }
  const figures: readonly Measured[] = ORDER.filter((tier) => ratios[tier].length > 0).map((tier) => ({
    figure: `overhead ${tier}`,
    n: ratios[tier].length,
    value: median(ratios[tier]),
    unit: 'x npm test',
    goal: TIERS[tier],
  }));
  return [...figures, { figure: 'overhead not told', n: SERIAL, value: broken, unit: 'pairs', goal: '= 0' }];
}

type Times = { readonly plain: number } & { readonly [tier in Tier]?: number };

async function timesOf(workshop: Workshop, material: Material): Promise<Times> {
  const desk = workshop.desk();
  try {
    write(desk.top, material.base);
    for (const tier of ORDER)
      write(desk.top, {
        [`.countersign/criteria/${tier}.yaml`]: criteriaText(tier, material.program, desk.modules),
      });
    await desk.git('add', '-A');
    await desk.git('commit', '-q', '-m', 'base');
    await desk.git('branch', 'base');
    const examples = join(desk.root, 'acceptance.json');
    writeFileSync(examples, acceptanceText(material));
    const plain = async () => {
      const [{ code }, took] = await timed(() => ended('npm', ['test', '--silent'], desk.top, desk.env));
      if (code !== 0) throw new Error(`${material.id}: npm test ends with ${code}`);
      return took;
    };
    await verifying(desk, material, 'standard', []);
    await plain();
    // In turn, so that a machine that gets busy on the way is busy for all of them.
    const [before, light, standard, after] = [
      await plain(),
      await verifying(desk, material, 'light', []),
      await verifying(desk, material, 'standard', []),
      await plain(),
    ];
    const times = { plain: (before + after) / 2, light, standard };
    if (!fits(material, PACKED)) return times;
    return { ...times, strict: await verifying(desk, material, 'strict', ['--acceptance', examples]) };
  } finally {
    desk.remove();
  }
}

/** A new item for each, in a list of its own, with a change of its own: one change counts for one item. Throws when the work is not accepted: that would be another way to end. */
async function verifying(
  desk: Desk,
  material: Material,
  tier: Tier,
  more: readonly string[],
): Promise<number> {
  const list = `${tier}-${Math.round(performance.now())}`;
  await desk.git('checkout', '-q', '-B', 'work', 'base');
  write(desk.top, { ...material.source, ...material.tests, [`notes/${list}.md`]: `${list}\n` });
  await desk.git('add', '-A');
  await desk.git('commit', '-q', '-m', `mend: ${list}`);
  const added = await desk.cli('', 'add', 'Mend', '--criteria', tier, '--list', list, ...more);
  const { data } = JSON.parse(added.out) as { data: { id: string } };
  const claimed = await desk.cli('builder', 'claim', data.id);
  if (claimed.code !== 0) throw new Error(`claim: ${claimed.out}`);
  if (material.words.includes('changes-expectation') && tier !== 'light')
    await desk.cli('checker', 'sign-off', data.id);
  const [verified, took] = await timed(() => desk.cli('checker', 'verify', data.id));
  if (verified.code !== 0) throw new Error(`${material.id}, ${tier}: ${verified.out}${verified.err}`);
  return took;
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  const value = await work();
  return [value, performance.now() - began];
}
