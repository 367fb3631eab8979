import { join } from 'node:path';
import type { Opened } from '../src/engine/composition.ts';
import type { Ports } from '../src/engine/ports.ts';
import { type Crew, openCrew } from '../tests/staged/crew.ts';
import { PLANNED, TASK } from '../tests/staged/walk.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';

const FILES = 5_000;
const AGENTS = ['architect', 'quality', 'tester', 'security', 'style', 'performance', 'builder'];
const INITS = 3;
const ROUNDS = 21;

/** Milliseconds that the ports spent in git since it was last asked. */
interface GitTime {
  readonly wrap: (ports: Ports) => Ports;
  take(): number;
}

/**
 * Tasks in stages on a repository of 5,000 files with seven agents: from the start to all worktrees, the nine points of
 * the requirements, and the seven guards before the building. What they take in all, against what git alone took of it.
 * The gates are looked at while somebody else has the store open, as the servers of the agents have it.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const time = gitTime();
  const inits: Taken[] = [];
  let crew = await crewOf(time);
  let held: Opened | undefined;
  try {
    for (let round = 0; round < INITS; round++) {
      if (round > 0) {
        crew.close();
        crew = await crewOf(time);
      }
      inits.push(await taken(time, () => init(crew)));
    }
    held = await crew.session.composition.open();
    await said(crew, ['task', 'document', TASK], ['task', 'gather', TASK]);
    for (const agent of AGENTS) {
      await said(crew, ['task', 'invoke', TASK, '--agent', agent]);
      await crew.reports(agent);
    }
    const nine = await rounds(time, () => said(crew, ['task', 'gate', TASK]));
    await said(crew, ['task', 'synthesize', TASK]);
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED(AGENTS));
    await said(crew, ['task', 'present-plan', TASK]);
    await crew.approves();
    await said(crew, ['task', 'acknowledge-delegation', TASK]);
    const seven = await rounds(time, () => said(crew, ['task', 'gate', TASK]));
    return [
      rated('gates init', inits, options),
      rated('gates nine points', nine, options),
      rated('gates seven guards', seven, options),
    ];
  } finally {
    await held?.ports.store.close();
    crew.close();
  }
}

interface Taken {
  readonly all: number;
  readonly git: number;
}

function rated(name: string, runs: readonly Taken[], options: MeasureOptions): Figure {
  const value = median(runs.map(({ all }) => all));
  const ratio = median(runs.map(({ all, git }) => all / git));
  const unit = `ms, ${FILES} files, ${AGENTS.length} agents`;
  const floor = { name: 'git alone', value: value / ratio };
  return figure({ figure: name, n: runs.length, value, unit, floor, goal: 'ratio <= 1.3' }, options);
}

async function crewOf(time: GitTime): Promise<Crew> {
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, n) => [`src/part-${n % 100}/file-${n}.js`, `export const n = ${n};\n`]),
  );
  const crew = await openCrew({ files, wrap: time.wrap });
  for (const agent of ['performance', 'builder']) await crew.session.register(agent, ['stakeholder']);
  return crew;
}

async function init(crew: Crew): Promise<void> {
  const { top } = crew.session.repo;
  for (const command of ['check', 'start']) {
    const { code, out } = await crew.say(top, 'lead', 's-1', 'task', command, TASK);
    if (code !== 0) throw new Error(out);
  }
  const given = ['--risk', 'MEDIUM', '--agents', AGENTS.join(','), '--reason', 'src'];
  await said(
    crew,
    ['task', 'classify', TASK],
    ['task', 'assess', TASK, ...given],
    ['task', 'worktrees', TASK],
  );
}

async function said(crew: Crew, ...lines: readonly (readonly string[])[]): Promise<void> {
  for (const words of lines) {
    const { code, out } = await crew.go(...words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${out}`);
  }
}

async function rounds(time: GitTime, work: () => Promise<void>): Promise<readonly Taken[]> {
  await work();
  const runs: Taken[] = [];
  for (let n = 0; n < ROUNDS; n++) runs.push(await taken(time, work));
  return runs;
}

async function taken(time: GitTime, work: () => Promise<void>): Promise<Taken> {
  time.take();
  const began = performance.now();
  await work();
  return { all: performance.now() - began, git: time.take() };
}

function gitTime(): GitTime {
  let spent = 0;
  let depth = 0;
  const watched = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const began = performance.now();
          depth += 1;
          try {
            return value.apply(target, args) as unknown;
          } finally {
            depth -= 1;
            if (depth === 0) spent += performance.now() - began;
          }
        };
      },
    });
  return {
    wrap: (ports) => ({ ...ports, git: watched(ports.git), workspace: watched(ports.workspace) }),
    take() {
      const was = spent;
      spent = 0;
      return was;
    },
  };
}
