import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '../attestation/digest.ts';
import { adapterNamed } from './adapters/index.ts';
import { AgentsError } from './agents-error.ts';
import { makeFolder } from './durable-file.ts';
import { MARK } from './end-processes.ts';
import { look } from './look.ts';
import { bootId, processId } from './processes.ts';
import { type Launched, readEnd, writeLaunched } from './records.ts';
import type { RunSpec, RunState } from './run.ts';
import { settle } from './settle.ts';

/** What the watcher is told on its standard input: environment and prompt are nobody else's business. */
export interface WatchOrder {
  readonly spec: RunSpec;
  readonly mark: string;
  /** What the seal of the run is the digest of. */
  readonly sealKey: string;
}

/** A watcher that says nothing for so long is left to `look` and `settle`. */
const PATIENCE_MS = 30_000;

/**
 * Starts a watcher of its own for the run, which outlives this process and starts the child. Answers when the child runs, or
 * with the end of a run that could not be started. A folder is good for one run: AgentsError RUN_EXISTS for a second one, and
 * a run that was settled before its launch stays ended. `watcher` is the start file of the watcher.
 */
export async function launch(spec: RunSpec, watcher: string = watcherFile()): Promise<RunState> {
  refuse(spec);
  makeFolder(spec.folder);
  if (readEnd(spec.folder) !== undefined) return look(spec.folder);
  const mark = `${spec.id}.${randomUUID()}`;
  const sealKey = randomUUID();
  if (!writeLaunched(spec.folder, spec, launchedNow(spec, mark, sha256Hex(sealKey)))) {
    throw new AgentsError('RUN_EXISTS', `${spec.folder} holds a run already`);
  }
  writeFileSync(join(spec.folder, 'prompt'), spec.stdin, { mode: 0o600 });
  await startWatcher(watcher, { spec, mark, sealKey });
  const state = look(spec.folder);
  return state.state === 'lost' ? settle(spec.folder) : state;
}

function refuse(spec: RunSpec): void {
  const say = (problem: string) => {
    throw new AgentsError('BAD_RUN', `run ${spec.id}: ${problem}`);
  };
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(spec.id)) say('the id must be safe as a name of a file');
  if (!isAbsolute(spec.folder) || !isAbsolute(spec.cwd)) say('folder and cwd must be absolute');
  if (spec.argv.length === 0 || spec.argv[0] === '') say('there is no program');
  if (spec.report.length > 0 && !isAbsolute(spec.reportCwd)) say('reportCwd must be absolute');
  const words = [...spec.argv, ...spec.report, ...Object.entries(spec.env).flat()];
  if (words.some((word) => word.includes('\0'))) say('a word holds a NUL');
  adapterNamed(spec.adapter);
}

const launchedNow = (spec: RunSpec, mark: string, seal: string): Launched => ({
  id: spec.id,
  mark,
  adapter: spec.adapter,
  seal,
  launchedAt: new Date().toISOString(),
  host: hostname(),
  boot: bootId(),
  launcher: processId(process.pid),
});

/** Resolves when the watcher has closed its standard output: the child runs, or will not. */
function startWatcher(watcher: string, order: WatchOrder): Promise<void> {
  const { folder } = order.spec;
  const log = openSync(join(folder, 'watcher.log'), 'a', 0o600);
  // A watcher that carried the mark of the run it was started in would be ended with it.
  const { [MARK]: _, ...env } = process.env;
  const child = spawn(process.execPath, [watcher, folder], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', log],
  });
  closeSync(log);
  // It may be killed before it has read everything.
  child.stdin?.on('error', () => {}).end(JSON.stringify(order));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(patience);
      child.stdout?.destroy();
      child.unref();
      resolve();
    };
    const patience = setTimeout(done, PATIENCE_MS);
    child.stdout?.on('close', done).resume();
    child.on('error', done);
  });
}

const here = () => (typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url));

/** The start file of the watcher, beside the other start files of this program. */
function watcherFile(): string {
  const folder = dirname(here());
  const start = folder.endsWith('/dist/bin') ? folder : join(folder, '../../dist/bin');
  return join(start, 'countersign-watch.cjs');
}
