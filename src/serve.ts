import { chmodSync, lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect } from 'node:net';
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server';
import type { Context } from 'hono';
import { SEAMS, VERSION } from './compose.ts';
import { EngineError } from './engine/engine-error.ts';
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
import { type ServeOptions, serveOptions } from './serve-options.ts';
import { standingOn } from './served-composition.ts';
import { facesOf } from './served-faces.ts';
import { locateRepository } from './workspace/repository.ts';

/** How long answers that are under way may take once the server is to end. */
const GRACE_MS = 10_000;
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
    const ground = standingOn({ seams, repo, store, place }, options.fetch);
    const opened = ground.adapters(repo, repo.top);
    const { served, stop } = await facesOf(ground, opened, VERSION, repository);
    const folders = [placesOf(repo).state, place.directory];
    const app = appOf(served, settingsOf(options, (await coversKeys(log)) ? folders : [], log));
    const server = listener(options, app.fetch as never);
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = KEEP_ALIVE_MS;
    const stopTicking = ticking(opened, options.tickSeconds, log);
    try {
      const url = await listening(server, options);
      around.out(`${JSON.stringify({ url, repository, version: VERSION, pid: process.pid })}\n`);
      log({ level: 'info', msg: 'listening', url });
      await aborted(around.signal);
      log({ level: 'info', msg: 'stopping' });
      await closed(server);
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

function settingsOf(options: ServeOptions, folders: readonly string[], log: Settings['log']): Settings {
  const isSocket = options.socket !== '';
  const peers = new WeakMap<object, Peer>();
  const levels = new WeakMap<Peer, string>();
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
    from: callerOf,
    own: () => isSocket,
  };
}

/** Users of one machine share its address; what one of them gets wrong keeps no other waiting. */
function callerOf(from: Peer | undefined): string {
  if (from === undefined) return 'socket';
  const uid = isOfThisMachine(from.address) ? uidOf(from) : undefined;
  return uid === undefined ? from.address : `user ${uid} of this machine`;
}

function listener(
  options: ServeOptions,
  fetch: Parameters<typeof createAdaptorServer>[0]['fetch'],
): ServerType {
  if (options.tlsKey === '')
    return createAdaptorServer({ fetch, createServer, overrideGlobalObjects: false });
  const serverOptions = { key: readFileSync(options.tlsKey), cert: readFileSync(options.tlsCert) };
  return createAdaptorServer({ fetch, createServer: createTls, serverOptions, overrideGlobalObjects: false });
}

async function listening(server: ServerType, options: ServeOptions): Promise<string> {
  const { host, port, socket, tlsKey } = options;
  if (socket !== '') await freed(socket);
  const mask = socket === '' ? undefined : process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) => reject(notListening(cause, options)));
      server.listen(socket === '' ? { host, port } : { path: socket }, () => resolve());
    });
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  if (socket !== '') {
    chmodSync(socket, 0o600);
    return `unix:${socket}`;
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `${tlsKey === '' ? 'http' : 'https'}://${urlName(host)}:${bound}`;
}

/** As a host is written in an address, and in the header that names it. */
const urlName = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function notListening(cause: NodeJS.ErrnoException, { host, port, socket }: ServeOptions): EngineError {
  const where = socket === '' ? `${host}:${port}` : socket;
  const hint = cause.code === 'EADDRINUSE' ? 'another server is there: name another --port or --socket' : '';
  return new EngineError(
    'BAD_INPUT',
    `nothing can listen at ${where} (${cause.code ?? cause.message})`,
    hint,
    { cause },
  );
}

/** What a server that died left behind is taken away; a socket that answers is somebody's. */
async function freed(path: string): Promise<void> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  // Also a file refuses a connection: only a socket is a server's.
  if (!there.isSocket())
    throw new EngineError('BAD_INPUT', `${path} is there already, and no socket`, 'name another --socket');
  const answers = await new Promise<boolean>((resolve) => {
    const probe = connect({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
  if (answers) throw new EngineError('BAD_INPUT', `${path} is there already`, 'name another --socket');
  unlinkSync(path);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** No new connections; what is being answered has a while to end. */
async function closed(server: ServerType): Promise<void> {
  const end = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  if ('closeIdleConnections' in server) server.closeIdleConnections();
  const timer = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, GRACE_MS);
  await end;
  clearTimeout(timer);
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
