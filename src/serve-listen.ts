import { chmodSync, lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { EngineError } from './engine/engine-error.ts';
import { isLoopback } from './http/peer.ts';
import type { ServeOptions } from './serve-options.ts';

/** How long answers that are under way may take once the server is to end. */
const GRACE_MS = 10_000;
/** Connections that nobody uses any more are looked for so often while the server ends. */
const IDLE_MS = 50;

/** The server of a process, over TLS where there is a key. Throws BAD_INPUT. */
export function listener(
  options: ServeOptions,
  fetch: Parameters<typeof createAdaptorServer>[0]['fetch'],
): ServerType {
  if (options.tlsKey === '')
    return createAdaptorServer({ fetch, createServer, overrideGlobalObjects: false });
  const serverOptions = { key: pemIn(options.tlsKey), cert: pemIn(options.tlsCert) };
  try {
    return createAdaptorServer({
      fetch,
      createServer: createTls,
      serverOptions,
      overrideGlobalObjects: false,
    });
  } catch (cause) {
    throw new EngineError(
      'BAD_INPUT',
      `${options.tlsCert} and ${options.tlsKey} are no certificate with its private key (${(cause as Error).message})`,
      'give both as PEM: --tls-cert FILE --tls-key FILE',
      { cause },
    );
  }
}

function pemIn(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const because = `${path} cannot be read (${code ?? message})`;
    throw new EngineError('BAD_INPUT', because, 'name files that are there: --tls-cert FILE --tls-key FILE', {
      cause,
    });
  }
}

/** Listens where the options say, or at the socket that the system holds for this process, and answers the address. Throws BAD_INPUT. */
export async function listening(
  server: ServerType,
  options: ServeOptions,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { host, port, socket, tlsKey } = options;
  const held = heldSockets(env);
  if (held > 0) return listeningAtHeld(server, options, held);
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

/** Where the first of the sockets stands that the system hands over (sd_listen_fds). */
const FIRST_HELD = 3;

/** How many sockets the system holds for this process: it names the process, as children get the same variables. */
function heldSockets(env: NodeJS.ProcessEnv): number {
  if (env.LISTEN_PID !== String(process.pid)) return 0;
  const sockets = Number(env.LISTEN_FDS ?? '0');
  return Number.isInteger(sockets) ? sockets : 0;
}

/** While no server runs, the system holds the port, so that nobody else can listen there. Throws BAD_INPUT. */
async function listeningAtHeld(server: ServerType, options: ServeOptions, held: number): Promise<string> {
  const { host, socket, tlsKey, behindProxy } = options;
  if (held !== 1 || socket !== '')
    throw new EngineError(
      'BAD_INPUT',
      `the system holds ${held} sockets`,
      'one ListenStream, and no --socket',
    );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(notListening(cause, options)));
    server.listen({ fd: FIRST_HELD }, () => resolve());
  });
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) return refused(server, 'is no address and port');
  if (!isLoopback(bound.address) && tlsKey === '' && !behindProxy)
    return refused(
      server,
      `at ${bound.address} can be reached from other machines, and tokens would go there in the clear`,
    );
  return `${tlsKey === '' ? 'http' : 'https'}://${urlName(host)}:${bound.port}`;
}

function refused(server: ServerType, why: string): never {
  server.close();
  throw new EngineError(
    'BAD_INPUT',
    `the socket that the system holds ${why}`,
    'ListenStream=127.0.0.1:8137',
  );
}

/** As a host is written in an address, and in the header that names it. */
export const urlName = (host: string): string => (host.includes(':') ? `[${host}]` : host);

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

/** No new connections; what is being answered has a while to end. `cut` is told when that was not enough. */
export async function closed(
  server: ServerType,
  silent: ReadonlySet<Socket>,
  cut: () => void,
): Promise<void> {
  const end = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Whose answer has come to its end waits for a next request, which is not taken any more; who never asked, for the first.
  const idle = setInterval(() => {
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  }, IDLE_MS);
  const timer = setTimeout(() => {
    cut();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, GRACE_MS);
  await end;
  clearInterval(idle);
  clearTimeout(timer);
}

/** The connections over which nothing was asked yet. Requests know those of TLS, not the ones below them. */
export function silentOnes(server: ServerType, { tlsKey }: ServeOptions): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on(tlsKey === '' ? 'connection' : 'secureConnection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }: { socket: Socket }) => silent.delete(socket));
  return silent;
}
