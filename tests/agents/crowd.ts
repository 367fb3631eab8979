import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from '../../src/agents/kill.ts';
import { look } from '../../src/agents/look.ts';
import { carrying, processes, rowOf } from '../../src/agents/processes.ts';
import type { RunState } from '../../src/agents/run.ts';
import { settle } from '../../src/agents/settle.ts';
import { ended, numberIn, processesOf, type Runs, until } from './runs.ts';

/** What becomes of a member: it ends itself, is killed by SIGKILL with its watcher, or hangs and is killed by us. */
const FATES = ['honest', 'struck', 'hanging'] as const;
type Fate = (typeof FATES)[number];

export interface CrowdResult {
  /** `fate reason`, such as `struck lost`, and how often. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Runs without an end on record. */
  readonly open: number;
  /** Numbers of watchers, children and strays that still are processes, zombies among them. */
  readonly left: readonly number[];
  /** Lines that a program had written and the transcript has not, or in another order. */
  readonly lostLines: number;
}

interface Member {
  readonly fate: Fate;
  readonly run: string;
  readonly copy: string;
  readonly pids: readonly number[];
  readonly mark: string;
}

/** Each line goes to the transcript, then into a copy; a stray in a session of its own outlives it. */
const script = (fate: Fate, copy: string) => `setsid sleep 600 & echo $! > '${copy}.stray'
n=0
line() { n=$((n + 1)); echo "line $n"; echo "line $n" >> '${copy}'; }
line
${fate === 'honest' ? 'while [ $n -lt 40 ]; do line; sleep 0.05; done' : ''}
${fate === 'struck' ? 'while :; do line; sleep 0.05; done' : ''}
${fate === 'hanging' ? 'sleep 600' : ''}`;

/** Runs `count` agents at once, a third of each fate, and tells what became of all of them. */
export async function crowd(runs: Runs, count: number): Promise<CrowdResult> {
  const members = await Promise.all(Array.from({ length: count }, (_, n) => member(runs, n)));
  await Promise.all(members.map(async (one) => meet(one)));
  const states = members.map(({ run }) => look(run));
  const all = members.flatMap(({ pids }) => pids);
  // An ended process may wait a moment for whoever has to ask for its exit code.
  const left = () => [...all.filter((pid) => rowOf(pid) !== undefined), ...stillMarked(members)];
  await until('nothing is left', () => left().length === 0).catch(() => {});
  return {
    outcomes: counted(members.map(({ fate }, n) => `${fate} ${states[n]?.reason}`)),
    open: states.filter(({ state }) => state !== 'ended').length,
    left: left(),
    lostLines: members.reduce((sum, one) => sum + lostLines(one), 0),
  };
}

async function member(runs: Runs, n: number): Promise<Member> {
  const fate = FATES[n % FATES.length] as Fate;
  const copy = join(runs.folder, `copy-${n}`);
  const run = await runs.shell(`member-${n}`, script(fate, copy));
  const stray = await numberIn(`${copy}.stray`);
  await until('its first line', () => existsSync(copy));
  const { watcher, child } = processesOf(run);
  const { mark } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  return { fate, run, copy, pids: [watcher, child, stray], mark };
}

async function meet({ fate, run, pids }: Member): Promise<RunState> {
  if (fate === 'honest') return ended(run);
  if (fate === 'hanging') return kill(run, 'the lead', 'it hangs');
  const [watcher = 0, child = 0] = pids;
  process.kill(watcher, 'SIGKILL');
  process.kill(child, 'SIGKILL');
  await until('the loss', () => look(run).state === 'lost');
  return settle(run);
}

function stillMarked(members: readonly Member[]): readonly number[] {
  const known = new Set(processes().map(({ pid }) => pid));
  return members
    .flatMap(({ mark }) => [...carrying(`COUNTERSIGN_RUN=${mark}`)])
    .filter((pid) => known.has(pid));
}

/** Every line that is in the copy has to be in the transcript, which may have one more: the last, when the blow fell. */
function lostLines({ run, copy }: Member): number {
  const lines = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const kept = lines(join(run, 'transcript.out'));
  const lost = lines(copy).filter((line, n) => kept[n] !== line).length;
  return lost + Math.max(0, kept.length - lines(copy).length - 1);
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
