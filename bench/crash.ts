import { killAt, killProgram } from './crash/kill-at.ts';
import { type KillReport, killRounds } from './crash/kills.ts';
import { OPERATIONS, PROJECTING } from './crash/life.ts';
import { everyPoint, type PointResult, throwAt } from './crash/points.ts';
import { type Figure, figure, type MeasureOptions } from './figure.ts';
import { benchRepository } from './scratch/repository.ts';

const KILLS = 500;
const GOAL = 'value = 0';

/**
 * Crashes. `crash kills` ends real processes of the command line with SIGKILL at random moments; `crash points` makes
 * every single call to store, git, files, evidence, runner and keys of claim, verify and complete fail, once before and
 * once after its work, by an error and by SIGKILL. Each value is the number of violations found; the first are printed.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const kills = await randomKills(options);
  const points = await systematic(options);
  for (const line of [...kills.problems, ...points.flatMap(described)].slice(0, 20)) console.error(line);
  const bad = points.filter(({ problems }) => problems.length > 0).length;
  const unit = 'violations';
  return [
    figure(
      { figure: 'crash kills', n: kills.kills, value: kills.problems.length, unit, goal: GOAL },
      options,
    ),
    figure(
      { figure: 'crash kills, taken over', n: kills.kills, value: kills.takenOver, unit: 'verifications' },
      options,
    ),
    figure(
      { figure: 'crash kills, answers kept', n: kills.kills, value: kills.acknowledged, unit: 'answers' },
      options,
    ),
    figure({ figure: 'crash points', n: points.length, value: bad, unit, goal: GOAL }, options),
  ];
}

async function randomKills({ bin }: MeasureOptions): Promise<KillReport> {
  const bench = await benchRepository(PROJECTING);
  try {
    return await killRounds(bench, bin, KILLS, Math.random);
  } finally {
    bench.remove();
  }
}

async function systematic({ root }: MeasureOptions): Promise<readonly PointResult[]> {
  const program = await killProgram(root);
  const results: PointResult[] = [];
  try {
    for (const operation of OPERATIONS) {
      const thrown = everyPoint(operation, throwAt);
      for await (const result of thrown) results.push(result);
      const killed = everyPoint(operation, (place) => killAt(program.path, place));
      for await (const result of killed) results.push(result);
    }
    return results;
  } finally {
    program.remove();
  }
}

const described = ({ operation, call, when, how, problems }: PointResult) =>
  problems.map((problem) => `${operation}, ${how} ${when} ${call}: ${problem}`);
