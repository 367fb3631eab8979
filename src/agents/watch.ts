import { attend, type Stop } from './attend.ts';
import { endProcesses, GRACE_MS, type Quarry } from './end-processes.ts';
import { endNow } from './ending.ts';
import type { Heard } from './listener.ts';
import { bootId, processId } from './processes.ts';
import { type End, readAsked, readEnd, writeEnd, writeWatching } from './records.ts';
import { report } from './report.ts';
import { packTranscript } from './rotate.ts';
import type { RunSpec } from './run.ts';
import { type Exit, type Started, startChild } from './start-child.ts';

/** What an agent leaves running when it has ended itself gets so long. */
const LEFTOVER_GRACE_MS = 2000;
const STOPPING_MS = 250;
const TRIES = 60;

/** How the watcher hears of the world: `ready` is called when the child runs or will not, `told` whether to end. */
export interface Ears {
  readonly ready: () => void;
  readonly told: AbortSignal;
  /** Put into the end that this watcher records. */
  readonly sealKey: string;
}

/**
 * The whole life of a watcher: starts the child, attends it, ends whatever is left of it, records how it ended, and has it
 * reported. An end that somebody else recorded meanwhile stands.
 */
export async function watch(spec: RunSpec, mark: string, { ready, told, sealKey }: Ears): Promise<void> {
  const { folder } = spec;
  const self = { boot: bootId(), watcher: processId(process.pid) };
  writeWatching(folder, { ...self, child: undefined, startedAt: '' });
  const early = readAsked(folder);
  if (readEnd(folder) !== undefined) return;
  if (early !== undefined) {
    const by = { killedBy: early.by, killReason: early.reason };
    const end = endNow(folder, { reason: 'killed', exitCode: null, signal: '', ...by });
    return close(spec, { ...end, sealKey }, ready);
  }
  const started = await startChild(spec, mark);
  if ('problem' in started) {
    const cause = {
      reason: 'not-started',
      exitCode: null,
      signal: '',
      killedBy: '',
      killReason: '',
    } as const;
    return close(spec, { ...endNow(folder, cause), said: started.problem, sealKey }, ready);
  }
  const quarry = { mark, child: started.child, justEnded: false };
  writeWatching(folder, { ...self, child: started.child, startedAt: new Date().toISOString() });
  // Somebody settled the run before it began, and has found nothing to kill.
  if (readEnd(folder) !== undefined) return void (await endProcesses(quarry, 0));
  ready();
  const end = await attended(spec, started, quarry, told);
  return close(spec, { ...end, sealKey }, () => {});
}

async function close(spec: RunSpec, end: End, ready: () => void): Promise<void> {
  const own = await recorded(spec.folder, end);
  ready();
  if (!own) return;
  await report(spec);
  packTranscript(spec.folder);
}

async function attended(spec: RunSpec, { exited }: Started, quarry: Quarry, told: AbortSignal): Promise<End> {
  let stop: Stop | undefined;
  let stopping: Promise<unknown> = Promise.resolve();
  let exit: Exit | undefined;
  const clock = waiter(exited);
  const eyes = attend(spec, told, clock.wake);
  while (exit === undefined) {
    const now = sound(() => eyes.look());
    if (stop === undefined && now !== undefined) {
      stop = now;
      stopping = endProcesses(quarry, GRACE_MS);
    }
    exit = await clock.wait(stop === undefined ? eyes.pause() : STOPPING_MS);
  }
  await stopping;
  await endProcesses({ ...quarry, justEnded: true }, stop === undefined ? LEFTOVER_GRACE_MS : 0);
  return ended(
    spec.folder,
    exit,
    stop ?? lateStop(spec.folder),
    sound(() => eyes.finish()),
  );
}

const ended = (folder: string, exit: Exit, stop: Stop | undefined, heard: Heard | undefined): End =>
  endNow(folder, { reason: 'exited', killedBy: '', killReason: '', ...stop, ...exit }, heard);

/** A kill from outside may have ended the child between two looks. */
function lateStop(folder: string): Stop | undefined {
  const asked = readAsked(folder);
  return asked && { reason: 'killed', killedBy: asked.by, killReason: asked.reason };
}

/** Waits for an end, so long at most, or until woken. One listener, since a run may be looked at for days. */
function waiter(exited: Promise<Exit>) {
  let exit: Exit | undefined;
  let awake = () => {};
  const wake = () => awake();
  void exited.then((value) => {
    exit = value;
    wake();
  });
  const wait = (ms: number) =>
    new Promise<Exit | undefined>((resolve) => {
      const timer = setTimeout(() => awake(), exit === undefined ? ms : 0);
      awake = () => {
        clearTimeout(timer);
        resolve(exit);
      };
    });
  return { wake, wait };
}

/** A disk that is full must not end the watch: what could not be done now is tried at the next look. */
function sound<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    console.error(new Date().toISOString(), error);
    return undefined;
  }
}

/** True when this end is the one on record. Without room on the disk it waits; without a folder there is no record. */
async function recorded(folder: string, end: End): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      return writeEnd(folder, end);
    } catch (error) {
      if (tried === TRIES || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}
