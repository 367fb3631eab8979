import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { crowd } from '../tests/agents/crowd.ts';
import { openRuns, processesOf, type Runs } from '../tests/agents/runs.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';

const CROWD = 40;
const STARTS = 21;
const REST_MS = 30_000;

/**
 * Forty agents at once, a third of them killed by SIGKILL with their watchers, a third hanging and killed by us; what forty
 * watchers cost while their agents say nothing; and how long a run takes to start.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const { outcomes, open, left, lostLines } = await among((runs) => crowd(runs, CROWD));
  console.error(
    Object.entries(outcomes)
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join(', '),
  );
  const counted = [
    { figure: 'agents on record', value: CROWD - open, unit: `of ${CROWD} runs`, goal: `value = ${CROWD}` },
    { figure: 'agents left', value: left.length, unit: 'processes', goal: 'value = 0' },
    { figure: 'agents lost lines', value: lostLines, unit: 'lines', goal: 'value = 0' },
  ].map((one) => figure({ ...one, n: CROWD }, options));
  const rest = await among(atRest);
  const shares = [
    { figure: 'agents at rest', value: rest / CROWD, unit: '% of a core a run', goal: 'value < 1' },
    { figure: 'agents at rest, all', value: rest, unit: `% of a core, ${CROWD} runs` },
  ].map((one) => figure({ ...one, n: CROWD }, options));
  return [...counted, ...shares, await among((runs) => starts(runs, options))];
}

async function among<T>(act: (runs: Runs) => Promise<T>): Promise<T> {
  const runs = openRuns();
  try {
    return await act(runs);
  } finally {
    await runs.remove();
  }
}

/** Per cent of one core that all watchers take together while nothing happens. */
async function atRest(runs: Runs): Promise<number> {
  const names = Array.from({ length: CROWD }, (_, n) => `quiet-${n}`);
  const folders = await Promise.all(names.map((name) => runs.shell(name, 'echo here; exec sleep 600')));
  const watchers = folders.map((folder) => processesOf(folder).watcher);
  // What the start of a program leaves to do is done by then.
  await pause(5000);
  const before = watchers.map(cpuMs);
  const began = performance.now();
  await pause(REST_MS);
  const took = watchers.reduce((sum, pid, n) => sum + cpuMs(pid) - (before[n] ?? 0), 0);
  return (took / (performance.now() - began)) * 100;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const TICK_MS = 1000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout);

/** Processor time of all threads of a process (proc(5): utime, stime). */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11]) + Number(words[12])) * TICK_MS;
}

/** One after the other, in turn with a Node that does nothing: a run starts a Node of its own. */
async function starts(runs: Runs, options: MeasureOptions): Promise<Figure> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const began = performance.now();
    await runs.shell(`start-${n}`, 'exec sleep 600');
    const launched = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    own.push(launched - began);
    bare.push(performance.now() - launched);
  }
  const floor = { name: 'node -e 0', value: median(bare) };
  return figure(
    { figure: 'agents start', n: STARTS, value: median(own), unit: 'ms until the child runs', floor },
    options,
  );
}
