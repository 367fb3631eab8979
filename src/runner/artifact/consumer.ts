import { randomBytes, randomInt } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessResult, runProcess } from '../process.ts';
import type { Means } from './pack.ts';

/** Where programs that use a package run: folders with names that say nothing, and an environment that says nothing. */
export interface Consumer extends Means {
  /** Holds the package; the programs work here. */
  readonly place: string;
  /** What goes in and comes out lies here, outside of the place. */
  readonly exchange: string;
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
  return { ...means, place, exchange, timeoutMs, maxOutput, until, env };
}

// The shell between us and the program is what a person would have there; it also opens the files.
const script = 'i=$1; o=$2; shift 2; exec <"$i"; rm -f "$i"; "$@" 3>"$o"; exit $?';

/** Runs a program of the place with this standard input, and answers as well what it wrote to descriptor 3. */
export async function runInPlace(
  consumer: Consumer,
  argv: readonly string[],
  stdin: string,
): Promise<ProcessResult & { readonly channel: string }> {
  const [into, out] = [fresh(consumer.exchange), fresh(consumer.exchange)];
  await writeFile(into, stdin, { mode: 0o600 });
  const ended = await runProcess({
    argv: ['/bin/sh', '-c', script, 'sh', into, out, ...argv],
    cwd: consumer.place,
    env: consumer.env,
    timeoutMs: Math.max(1, Math.min(consumer.timeoutMs, Math.ceil(consumer.until - performance.now()))),
    maxOutput: consumer.maxOutput,
    signal: consumer.signal,
    wrap: consumer.isolation.wrap,
  });
  return { ...ended, channel: readChannel(out, consumer.maxOutput) };
}

/** A name for the consumer's own program, as people choose them. */
export const programName = (): string =>
  `${['index', 'main', 'app', 'server', 'start', 'run'][randomInt(6)] ?? 'index'}.js`;

const fresh = (folder: string) => join(folder, randomBytes(6).toString('hex'));

function readChannel(path: string, max: number): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > max) return '';
  return readFileSync(path, 'utf8');
}
