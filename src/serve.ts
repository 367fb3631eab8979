import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { SEAMS, VERSION } from './compose.ts';
import { errorTold } from './engine/error-told.ts';
import { attend } from './engine/phases/attend.ts';
import { tick } from './engine/tick.ts';
import type { Here } from './forward.ts';
import { appOf, type LogEntry, type Settings } from './http/app.ts';
import { LOOPBACK_NAMES } from './http/origins.ts';
import { isOfThisMachine, type Peer, uidOf } from './http/peer.ts';
import { placeOf, stateHome } from './identity/places.ts';
import { levelOf } from './level.ts';
import { openForMany, placesOf } from './open-store.ts';
import { closed, listener, listening, silentOnes, urlName } from './serve-listen.ts';
import { type ServeOptions, serveOptions } from './serve-options.ts';
import { standingOn } from './served-composition.ts';
import { facesOf } from './served-faces.ts';
import { locateRepository } from './workspace/repository.ts';

/** Longer than proxies keep a connection, so that they close it and not we while they send. */
const KEEP_ALIVE_MS = 75_000;
const LARGEST_BODY = 8 * 1024 * 1024;
const RATE = { burst: 2_000, perSecond: 1_000 };
const FAILURES = { burst: 10, perSecond: 0.2 };

/** Serves the store of the repository around `cwd` until a signal comes. Answers the exit code. */
export async function serve(
  words: readonly string[],
  cwd: string,
  around: Pick<Here, 'env' | 'out' | 'err' | 'signal'>,
): Promise<number> {
  const log = (entry: LogEntry) =>
    around.err(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
  try {
    const options = serveOptions(words);
    const seams = { ...SEAMS, env: around.env };
    const repo = locateRepository(cwd, around.env);
    const store = await openForMany(repo, around.env);
    const repository = await store.repositoryId();
    const place = placeOf(stateHome(around.env), repository);
    const ground = standingOn(
      { seams, repo, store, place },
      {
        remote: options.fetch,
        failed: (because) => log({ level: 'warn', msg: `${options.fetch} could not be looked in`, because }),
      },
    );
    const opened = ground.adapters(repo, repo.top);
    const { served, stop } = await facesOf(ground, opened, VERSION, repository);
    const folders = [placesOf(repo).state, place.directory];
    const app = appOf(
      served,
      settingsOf(options, (await coversKeys(log)) ? folders : [], log, around.signal),
    );
    const server = listener(options, app.fetch as never);
    const silent = silentOnes(server, options);
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = KEEP_ALIVE_MS;
    const stopTicking = ticking(opened, options.tickSeconds, log);
    try {
      const url = await listening(server, options, around.env);
      around.out(`${JSON.stringify({ url, repository, version: VERSION, pid: process.pid })}\n`);
      log({ level: 'info', msg: 'listening', url });
      await aborted(around.signal);
      log({ level: 'info', msg: 'stopping' });
      await closed(server, silent, () => log({ level: 'warn', msg: 'answers were cut off' }));
      await stop();
    } finally {
      await stopTicking();
      await store.close();
    }
    log({ level: 'info', msg: 'stopped' });
    return 0;
  } catch (error) {
    const { code, message, hint } = errorTold(error);
    around.err(`countersign serve: ${message} (${code})\n${hint === '' ? '' : `next: ${hint}\n`}`);
    return code === 'BAD_INPUT' ? 2 : 8;
  }
}

/**
 * Whether the programs of a commit, which this user runs, are kept from this user's files. Where they are not, whoever writes
 * a test reads the keys, and nothing is separated.
 */
async function coversKeys(log: Settings['log']): Promise<boolean> {
  const { probeIsolation } = await import('./runner/isolate.ts');
  const { disk } = await probeIsolation();
  if (disk === 'covered') return true;
  log({ level: 'warn', msg: 'checks can read the files of this user: no client counts as separated', disk });
  return false;
}

function settingsOf(
  options: ServeOptions,
  folders: readonly string[],
  log: Settings['log'],
  ending: AbortSignal,
): Settings {
  const isSocket = options.socket !== '';
  const peers = new WeakMap<object, Peer>();
  const levels = new WeakMap<Peer, string>();
  const callers = new WeakMap<Peer, string>();
  const peer = (c: Context): Peer | undefined => {
    if (isSocket) return undefined;
    const { socket } = (c.env as HttpBindings).incoming;
    const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
    const here = { address: localAddress, port: localPort };
    const known = peers.get(socket) ?? { address: remoteAddress, port: remotePort, here };
    peers.set(socket, known);
    return known;
  };
  // A connection stays whose it is.
  const level = (from: Peer | undefined): string => {
    // Behind a proxy every client seems to come from it.
    if (options.behindProxy || from === undefined) return 'cooperative';
    const found = levels.get(from) ?? levelOf(from, folders);
    levels.set(from, found);
    return found;
  };
  return {
    names: new Set(
      [...LOOPBACK_NAMES, urlName(options.host), ...options.names].map((name) => name.toLowerCase()),
    ),
    largestBody: LARGEST_BODY,
    rate: RATE,
    failures: FAILURES,
    now: () => performance.now(),
    log,
    peer,
    level,
    from(peer) {
      if (peer === undefined) return 'socket';
      const caller = callers.get(peer) ?? callerOf(peer);
      callers.set(peer, caller);
      return caller;
    },
    ending,
    own: () => isSocket,
  };
}

/** Users of one machine share its address; what one of them gets wrong keeps no other waiting. */
function callerOf(from: Peer): string {
  const uid = isOfThisMachine(from.address) ? uidOf(from) : undefined;
  return uid === undefined ? from.address : `user ${uid} of this machine`;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Times that run out and agents that end are seen to while nobody asks. */
function ticking(opened: Parameters<typeof attend>[0], seconds: number, log: Settings['log']) {
  let under: Promise<void> | undefined;
  const once = async () => {
    try {
      await tick(opened.ports);
      await attend(opened);
    } catch (error) {
      log({ level: 'error', msg: 'what is due could not be seen to', because: errorTold(error).message });
    }
  };
  // A round that takes long is not followed by all that it held up.
  const timer = setInterval(() => {
    under ??= once().finally(() => {
      under = undefined;
    });
  }, seconds * 1_000);
  return async () => {
    clearInterval(timer);
    await under;
  };
}
