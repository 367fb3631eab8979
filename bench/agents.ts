import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { kill } from '../src/agents/kill.ts';
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
    { figure: 'agents at rest', value: rest.cpu / CROWD, unit: '% of a core a run', goal: 'value < 1' },
    { figure: 'agents at rest, all', value: rest.cpu, unit: `% of a core, ${CROWD} runs`, goal: 'value < 1' },
    { figure: 'agents memory', value: rest.megabytes, unit: 'MB a watcher' },
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

/** Per cent of one core that all watchers take together while nothing happens, and the memory of each. */
async function atRest(runs: Runs): Promise<{ readonly cpu: number; readonly megabytes: number }> {
  const names = Array.from({ length: CROWD }, (_, n) => `quiet-${n}`);
  const folders = await Promise.all(names.map((name) => runs.shell(name, 'echo here; exec sleep 600')));
  const watchers = folders.map((folder) => processesOf(folder).watcher);
  // What the start of a program leaves to do is done by then.
  await pause(15_000);
  const before = watchers.map(cpuMs);
  const began = performance.now();
  await pause(REST_MS);
  const took = watchers.reduce((sum, pid, n) => sum + cpuMs(pid) - (before[n] ?? 0), 0);
  return { cpu: (took / (performance.now() - began)) * 100, megabytes: median(watchers.map(memory)) };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Processor time of all threads of a process, in milliseconds (the first word of schedstat, nanoseconds). */
function cpuMs(pid: number): number {
  const spent = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]),
  );
  return spent.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Memory that a process has for itself, with its part of what it shares, in MB. */
function memory(pid: number): number {
  const [, kilobytes = 'NaN'] =
    /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
  return Number(kilobytes) / 1024;
}

/** One after the other, in turn with a Node that does nothing: a run starts a Node of its own. */
async function starts(runs: Runs, options: MeasureOptions): Promise<Figure> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const began = performance.now();
    const run = await runs.shell(`start-${n}`, 'exec sleep 600');
    own.push(performance.now() - began);
    await kill(run, 'the bench', 'it has started');
    const next = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    bare.push(performance.now() - next);
  }
  const floor = { name: 'node -e 0', value: median(bare) };
  return figure(
    { figure: 'agents start', n: STARTS, value: median(own), unit: 'ms until the child runs', floor },
    options,
  );
}
