import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { kill } from '../../src/agents/kill.ts';
import { launch } from '../../src/agents/launch.ts';
import { look } from '../../src/agents/look.ts';
import { rowOf } from '../../src/agents/processes.ts';
import type { RunSpec, RunState } from '../../src/agents/run.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The watcher as it is shipped, built once for all files of a run of the tests. */
export function watcherFile(): string {
  const folder = process.env.COUNTERSIGN_TEST_RUN ?? mkdtempSync(join(tmpdir(), 'countersign-watcher-'));
  const path = join(folder, 'countersign-watch.cjs');
  if (existsSync(path)) return path;
  const own = mkdtempSync(join(folder, 'watcher-'));
  const script = `import { buildWatcher } from './scripts/bundle.mjs';
await buildWatcher(process.cwd(), ${JSON.stringify(own)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  renameSync(join(own, 'countersign-watch.cjs'), path);
  return path;
}

/** Runs in a throw-away folder with a space in its name. */
export interface Runs {
  readonly folder: string;
  spec(id: string, argv: readonly string[], more?: Partial<RunSpec>): RunSpec;
  /** Launches `sh -c SCRIPT`; answers the folder of the run. */
  shell(id: string, script: string, more?: Partial<RunSpec>): Promise<string>;
  start(spec: RunSpec): Promise<RunState>;
  /** Kills what is left of every run. */
  remove(): Promise<void>;
}

export function openRuns(): Runs {
  const folder = mkdtempSync(join(tmpdir(), 'agent runs '));
  const started: string[] = [];
  const spec: Runs['spec'] = (id, argv, more = {}) => ({
    id,
    folder: join(folder, id),
    cwd: folder,
    argv,
    env: {},
    stdin: '',
    limits: { minutes: 0, bytes: 0, costUsd: 0 },
    adapter: 'command',
    report: [],
    reportCwd: folder,
    ...more,
  });
  const start: Runs['start'] = (asked) => {
    started.push(asked.folder);
    return launch(asked, watcherFile());
  };
  return {
    folder,
    spec,
    start,
    shell: async (id, script, more) => {
      await start(spec(id, ['sh', '-c', script], more));
      return join(folder, id);
    },
    remove: async () => {
      await Promise.all(started.map((run) => kill(run, 'the test', 'it is over')));
      // A watcher may still be packing, which takes its time where somebody flooded.
      for (const run of started) await gone(run);
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Waits until the watcher of a run has ended. */
async function gone(run: string): Promise<void> {
  const line = `/proc/${watcherOf(run)}/cmdline`;
  const isAlive = () => existsSync(line) && readFileSync(line, 'utf8').includes(run);
  for (let n = 0; n < 600 && isAlive(); n++) await new Promise((done) => setTimeout(done, 100));
}

/** Number of the process, 0 where its file is torn or not there. */
function watcherOf(run: string): number {
  try {
    return (JSON.parse(readFileSync(join(run, 'watch.json'), 'utf8')) as { watcher: { pid: number } }).watcher
      .pid;
  } catch {
    return 0;
  }
}

/** Waits until a probe answers something; fails with what it was about after a long while. */
export async function until<T>(what: string, probe: () => T | undefined | false): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const found = probe();
    if (found !== undefined && found !== false) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`it never came to be: ${what}`);
}

export const ended = (run: string): Promise<RunState> =>
  until(`the end of ${run}`, () => {
    const state = look(run);
    return state.state === 'ended' && state;
  });

export const transcript = (run: string): string => readFileSync(join(run, 'transcript.out'), 'utf8');

/** The first line that a run wrote, as a number: how a program here tells which process it is. */
export const numberIn = (path: string): Promise<number> =>
  until(`a number in ${path}`, () => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text.includes('\n') && Number(text.split('\n')[0]);
  });

/** Runs at this moment; a process that has ended and was not asked for its exit code does not. */
export const isThere = (pid: number): boolean => rowOf(pid)?.ended === false;

/** The numbers of watcher and child, from the record of the run. */
export function processesOf(run: string): { readonly watcher: number; readonly child: number } {
  const { watcher, child } = JSON.parse(readFileSync(join(run, 'watch.json'), 'utf8'));
  return { watcher: watcher.pid, child: child.pid };
}
