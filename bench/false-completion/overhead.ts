import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measured, median } from '../figure.ts';
import { criteriaText } from './criteria.ts';
import { acceptanceText, type Material } from './material.ts';
import { write } from './pairs.ts';
import { type Desk, ended, type Workshop } from './workshop.ts';

const TIERS = { light: 'value <= 1.3', standard: 'value <= 2', strict: null } as const;
type Tier = keyof typeof TIERS;
const SERIAL = 20;

/** How much longer a verdict takes than `npm test` on the same commit, one after the other, with base's results known. */
export async function overhead(workshop: Workshop, pairs: readonly Material[]): Promise<readonly Measured[]> {
  const chosen = pairs.filter(({ words }) => words.includes('additive')).slice(0, SERIAL);
  const rest = pairs.filter((pair) => !chosen.includes(pair)).slice(0, SERIAL - chosen.length);
  const ratios: Record<Tier, number[]> = { light: [], standard: [], strict: [] };
  for (const material of [...chosen, ...rest]) {
    const times = await timesOf(workshop, material);
    for (const tier of Object.keys(TIERS) as Tier[]) ratios[tier].push(times[tier] / times.plain);
  }
  return (Object.keys(TIERS) as Tier[]).map((tier) => ({
    figure: `overhead ${tier}`,
    n: ratios[tier].length,
    value: median(ratios[tier]),
    unit: 'x npm test',
    goal: TIERS[tier],
  }));
}

async function timesOf(workshop: Workshop, material: Material): Promise<Record<Tier | 'plain', number>> {
  const desk = workshop.desk();
  try {
    write(desk.top, material.base);
    for (const tier of Object.keys(TIERS) as Tier[])
      write(desk.top, {
        [`.countersign/criteria/${tier}.yaml`]: criteriaText(tier, material.program, desk.modules),
      });
    await desk.git('add', '-A');
    await desk.git('commit', '-q', '-m', 'base');
    await desk.git('checkout', '-q', '-b', 'work');
    const examples = join(desk.root, 'acceptance.json');
    writeFileSync(examples, acceptanceText(material));
    write(desk.top, { ...material.source, ...material.tests });
    await desk.git('add', '-A');
    await desk.git('commit', '-q', '-m', 'mend');
    const plain = () => timed(() => ended('npm', ['test', '--silent'], desk.top, desk.env));
    await plain();
    await verifying(desk, 'standard', []);
    return {
      plain: await plain(),
      light: await verifying(desk, 'light', []),
      standard: await verifying(desk, 'standard', []),
      strict: await verifying(desk, 'strict', ['--acceptance', examples]),
    };
  } finally {
    desk.remove();
  }
}

/** A new item for each, in a list of its own, so that one that is blocked does not stand in the way of the next. */
async function verifying(desk: Desk, tier: Tier, words: readonly string[]): Promise<number> {
  const list = `${tier}-${Math.round(performance.now())}`;
  const added = await desk.cli('', 'add', 'Mend', '--criteria', tier, '--list', list, ...words);
  const { data } = JSON.parse(added.out) as { data: { id: string } };
  const claimed = await desk.cli('builder', 'claim', data.id);
  if (claimed.code !== 0) throw new Error(`claim: ${claimed.out}`);
  return timed(() => desk.cli('checker', 'verify', data.id));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
