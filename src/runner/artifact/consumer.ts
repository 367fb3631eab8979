import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessResult, runProcess } from '../process.ts';
import { type OwnFiles, watchFiles } from './own-files.ts';
import type { Means } from './pack.ts';

/** Where programs that use a package run: folders with names that say nothing, and an environment that says nothing. */
export interface Consumer extends Means {
  /** Holds the package; the programs work here. */
  readonly place: string;
  /** What is made for the place lies here, outside of it. */
  readonly exchange: string;
  /** What was installed in the place. */
  readonly files: OwnFiles;
  /** Per process. */
  readonly timeoutMs: number;
  readonly maxOutput: number;
  /** When the programs of this consumer must all have ended, by the clock of this process in milliseconds. */
  readonly until: number;
}

const tells =
  /^(CI|TZ|LANG|NO_COLOR|FORCE_COLOR|INIT_CWD|GIT_CEILING_DIRECTORIES)$|test|jest|mocha|^(NODE|NPM)_|countersign/i;

/** Folders of its own below the run's temporary folder, and the run's environment without what tells of a run. */
export async function makeConsumer(means: Means, timeoutMs: number, maxOutput: number): Promise<Consumer> {
  const top = await mkdtemp(`${means.env.TMPDIR}/`);
  const folder = async (name: string) => {
    await mkdir(join(top, name), { mode: 0o700 });
    return join(top, name);
  };
  const [place, exchange] = [await folder('app'), await folder('io')];
  const kept = Object.entries(means.env).filter(([name]) => !tells.test(name));
  const env = { ...Object.fromEntries(kept), HOME: await folder('user'), TMPDIR: await folder('tmp') };
  const until = performance.now() + 10 * timeoutMs;
  const files = watchFiles(join(place, 'node_modules'));
  return { ...means, place, exchange, files, timeoutMs, maxOutput, until, env };
}

// The shell between us and the program is what a person would have there. So is a pipe: /dev/stdin cannot be opened where
// standard input is a socket, which is what Node gives a child.
const script = 'cat | "$@"; exit $?';

/**
 * Runs a program of the place with this standard input, and looks at the installed files before and after. Where that can
 * be, it sees no more of the disk than the place.
 */
export async function runInPlace(
  consumer: Consumer,
  argv: readonly string[],
  stdin: string,
): Promise<ProcessResult> {
  consumer.files.look();
  const ended = await runProcess({
    argv: ['/bin/sh', '-c', script, 'sh', ...argv],
    cwd: consumer.place,
    env: consumer.env,
    timeoutMs: Math.max(1, Math.min(consumer.timeoutMs, Math.ceil(consumer.until - performance.now()))),
    maxOutput: consumer.maxOutput,
    signal: consumer.signal,
    wrap: consumer.isolation.alone,
    stdin,
  });
  consumer.files.look();
  return ended;
}

/** A name for the consumer's own program, as people choose them. */
export const programName = (): string =>
  `${['index', 'main', 'app', 'server', 'start', 'run'][randomInt(6)] ?? 'index'}.js`;
