import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, writeOnce } from './durable-file.ts';
import type { ProcessId } from './process-row.ts';
import { END_REASONS, type EndReason, type RunSpec } from './run.ts';

/** What was asked for, in `run.json`: without the prompt, and without the values of the environment. */
export interface Launched {
  readonly id: string;
  /** Value of the variable by which processes of this run are known. */
  readonly mark: string;
  readonly adapter: string;
  /** Digest of what the watcher is told and nobody else: an end that holds it was recorded by the watcher. */
  readonly seal: string;
  readonly launchedAt: string;
  /** Name of the machine; '' where it was not written down, and counts as this one. */
  readonly host: string;
  readonly boot: string;
  readonly launcher: ProcessId;
}

/** Who watches whom, in `watch.json`. */
export interface Watching {
  readonly boot: string;
  readonly watcher: ProcessId;
  /** Undefined before it runs. */
  readonly child: ProcessId | undefined;
  readonly startedAt: string;
}

/** The watcher's sign of life, in `beat.json`. */
export interface Beat {
  readonly at: string;
  readonly costUsd: number;
  readonly said: string;
}

/** Who asked first that a run be ended, in `kill.json`. */
export interface Asked {
  readonly at: string;
  readonly by: string;
  readonly reason: string;
}

/** How a run ended, in `end.json`, written once. */
export interface End {
  readonly reason: EndReason;
  readonly exitCode: number | null;
  readonly signal: string;
  readonly killedBy: string;
  readonly killReason: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly heartbeatAt: string;
  readonly outputAt: string;
  readonly bytes: number;
  readonly costUsd: number;
  readonly said: string;
  /** What the seal of the run is the digest of; '' where somebody else records the end. */
  readonly sealKey: string;
}

const FORMAT = 'countersign/agent-run/1';

/** False when the folder holds a run already. */
export function writeLaunched(folder: string, spec: RunSpec, launched: Launched): boolean {
  const { env, stdin, ...asked } = spec;
  const names = Object.keys(env).sort();
  return writeOnce(join(folder, 'run.json'), line({ format: FORMAT, ...asked, ...launched, env: names }));
}

/** Not synced, like the beat: after a loss of power the processes are gone, and the next look finds another boot. */
export const writeWatching = (folder: string, watching: Watching): void =>
  replaceFile(join(folder, 'watch.json'), line(watching), false);

export const writeBeat = (folder: string, beat: Beat): void =>
  replaceFile(join(folder, 'beat.json'), line(beat), false);

/** False when somebody has asked already; the first counts. */
export const writeAsked = (folder: string, asked: Asked): boolean =>
  writeOnce(join(folder, 'kill.json'), line(asked));

/** Records the end; false when one is recorded already. One that is damaged counts as none. */
export function writeEnd(folder: string, end: End): boolean {
  if (writeOnce(join(folder, 'end.json'), line(end))) return true;
  if (readEnd(folder) !== undefined) return false;
  replaceFile(join(folder, 'end.json'), line(end));
  return true;
}

export function readLaunched(folder: string): Launched | undefined {
  const it = read(folder, 'run.json');
  if (it === undefined || text(it.mark) === '') return undefined;
  return {
    id: text(it.id),
    mark: text(it.mark),
    adapter: text(it.adapter),
    seal: text(it.seal),
    launchedAt: text(it.launchedAt),
    host: text(it.host),
    boot: text(it.boot),
    launcher: processOf(it.launcher) ?? { pid: 0, start: '' },
  };
}

export function readWatching(folder: string): Watching | undefined {
  const it = read(folder, 'watch.json');
  const watcher = processOf(it?.watcher);
  if (it === undefined || watcher === undefined) return undefined;
  return { boot: text(it.boot), watcher, child: processOf(it.child), startedAt: text(it.startedAt) };
}

export function readBeat(folder: string): Beat | undefined {
  const it = read(folder, 'beat.json');
  return it && { at: text(it.at), costUsd: amount(it.costUsd), said: text(it.said) };
}

export function readAsked(folder: string): Asked | undefined {
  const it = read(folder, 'kill.json');
  return it && { at: text(it.at), by: text(it.by), reason: text(it.reason) };
}

export function readEnd(folder: string): End | undefined {
  const it = read(folder, 'end.json');
  const reason = END_REASONS.find((known) => known === it?.reason);
  if (it === undefined || reason === undefined || text(it.endedAt) === '') return undefined;
  return {
    reason,
    exitCode: typeof it.exitCode === 'number' ? it.exitCode : null,
    signal: text(it.signal),
    killedBy: text(it.killedBy),
    killReason: text(it.killReason),
    startedAt: text(it.startedAt),
    endedAt: text(it.endedAt),
    heartbeatAt: text(it.heartbeatAt),
    outputAt: text(it.outputAt),
    bytes: amount(it.bytes),
    costUsd: amount(it.costUsd),
    said: text(it.said),
    sealKey: text(it.sealKey),
  };
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** Undefined for what is missing, damaged or no object: all the same to who reads. */
function read(folder: string, name: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const amount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

function processOf(value: unknown): ProcessId | undefined {
  const { pid, start } = (value ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || (pid as number) < 2 || typeof start !== 'string') return undefined;
  return { pid: pid as number, start };
}
