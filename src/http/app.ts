import { type Context, Hono } from 'hono';
import { errorTold } from '../engine/error-told.ts';
import { isStillIn } from '../engine/sign-in.ts';
import { momentOf } from './asked.ts';
import { bodyWithin } from './body-within.ts';
import { questions } from './channels.ts';
import { commandRoutes } from './command-routes.ts';
import { eventStream, positionOf, STREAM_HEADERS, seatsFor } from './events.ts';
import { limiter, type Rate } from './limits.ts';
import { observed } from './observed.ts';
import { openApi } from './openapi.ts';
import { foreign, type Names } from './origins.ts';
import type { Peer } from './peer.ts';
import type { Env, Served } from './served.ts';
import { signedIn } from './sign-in-guard.ts';
import { problem, tooMany, tooOften } from './status.ts';

export interface Settings {
  /** Names that requests may be addressed to. */
  readonly names: Names;
  /** Bytes of a body, at most. */
  readonly largestBody: number;
  readonly rate: Rate;
  /** Failed sign-ins of one caller. */
  readonly failures: Rate;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: (entry: LogEntry) => void;
  /** Where the other end of a connection is; undefined for a socket of this machine. */
  readonly peer: (context: Context) => Peer | undefined;
  /** Whose requests and failed sign-ins are counted together: the user of this machine, or the address. */
  readonly from: (peer: Peer | undefined) => string;
  /** The level of protection between a peer and the store. */
  readonly level: (peer: Peer | undefined) => string;
  /** Whether a peer is of the server's own user, so that it may come without a credential. */
  readonly own: (peer: Peer | undefined) => boolean;
  /** The server is to end. */
  readonly ending: AbortSignal;
}

export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The HTTP interface of one store. Nothing listens yet. */
export function appOf(served: Served, settings: Settings): Hono<Env> {
  const app = new Hono<Env>();
  const counts = observed(served.version);
  const asked = questions();
  app.use(entrance(settings, counts));
  app.onError((error, c) => answerError(error, settings, c));
  app.notFound((c) =>
    problem(404, { code: 'NOT_FOUND', message: `there is no ${c.req.path}`, hint: 'GET /openapi.json' }),
  );
  app.get('/health', () =>
    Response.json({ ok: true, version: served.version, repository: served.repository }),
  );
  app.get('/ready', async () => {
    await served.opened.ports.store.head('roster');
    return Response.json({ ok: true });
  });
  app.get('/openapi.json', async () => Response.json(openApi(served.version, await served.commands())));
  app.use(signedIn(served, settings));
  // A body is read for those alone who have shown who they are.
  app.use(bodyWithin(settings.largestBody));
  app.get('/metrics', async () => {
    const headers = { 'content-type': 'text/plain; version=0.0.4' };
    return new Response(await counts.text(served.opened), { headers });
  });
  const seats = seatsFor(MOST_STREAMS);
  app.get('/v1/events', (c) => {
    const after = positionOf(c.req.header('last-event-id') ?? c.req.query('after'));
    // Nobody reads the body of an answer to HEAD, and so nobody would end it.
    if (c.req.method === 'HEAD') return new Response(null, { headers: STREAM_HEADERS });
    const { who } = c.var.client;
    const leave = seats.take(who.name);
    if (leave === undefined) return tooMany();
    counts.following(1);
    return eventStream(served.opened, {
      after,
      signal: AbortSignal.any([c.req.raw.signal, settings.ending]),
      isIn: () => isStillIn(served.opened, who),
      onEnd() {
        counts.following(-1);
        leave();
      },
    });
  });
  commandRoutes(app, served, asked);
  app.post('/v1/hooks', async (c) =>
    Response.json(await served.hook(c.var.client, momentOf(await c.req.json()))),
  );
  app.all('/mcp/:profile?', (c) => served.mcp(c.var.client, c.req.raw, c.req.param('profile') ?? 'core'));
  return app;
}

/** Open streams of one caller, and of all. */
const MOST_STREAMS = { each: 32, all: 512 };

/** Requests that do not come from where they say, or too often, get no further; every answer is written down. */
function entrance(settings: Settings, counts: ReturnType<typeof observed>) {
  const { names, rate, now, log } = settings;
  const limit = limiter(rate, now);
  return async (c: Context<Env>, next: () => Promise<void>) => {
    const began = now();
    const peer = settings.peer(c);
    c.set('peer', peer);
    const strange = foreign(c.req.raw, names);
    // By where it comes from, which nobody can choose: what a header says can be another one each time.
    const wait = limit.wait(settings.from(peer));
    if (strange !== '')
      c.res = problem(403, { code: 'NOT_SERVED', message: strange, hint: 'countersign serve --host NAME' });
    else if (wait > 0) c.res = tooOften(wait);
    else await next();
    const route = c.req.routePath ?? '';
    const { status } = c.res;
    counts.seen(route.startsWith('/') ? route : c.req.path, status, (now() - began) / 1_000);
    log({
      level: status >= 500 ? 'error' : 'info',
      msg: 'answered',
      method: c.req.method,
      path: c.req.path,
      status,
      ms: Math.round(now() - began),
      actor: c.get('client')?.who.name,
      level_of_protection: c.get('client')?.level,
      request: c.req.header('idempotency-key'),
    });
  };
}

function answerError(error: Error, { log }: Settings, c: Context): Response {
  // A client that is gone before its body had come hears nothing more.
  if (c.req.raw.signal.aborted && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
    return new Response(null, { status: 499 });
  if (error instanceof SyntaxError) {
    const message = `the body is no JSON: ${error.message}`;
    return problem(400, { code: 'BAD_INPUT', message, hint: 'GET /openapi.json' });
  }
  const told = errorTold(error);
  const status = STATUS_OF[told.code] ?? 500;
  if (status === 500) log({ level: 'error', msg: 'a defect', path: c.req.path, error: told.message });
  // What is in a stack is for the log alone.
  return problem(
    status,
    status === 500 ? { ...told, message: 'a defect of the server; its log has it' } : told,
  );
}

const STATUS_OF: { readonly [code: string]: number } = {
  BAD_INPUT: 400,
  NO_CREDENTIAL: 401,
  NOT_SERVED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BUSY: 503,
  GIT_FAILED: 503,
  GIT_MISSING: 503,
  UNAVAILABLE: 503,
  DAMAGED: 503,
};
