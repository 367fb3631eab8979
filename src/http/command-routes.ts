import type { Hono } from 'hono';
import { type Asked, askedOf } from './asked.ts';
import type { questions } from './channels.ts';
import { type Frame, lineOf, type Typed } from './frames.ts';
import type { Client, CommandShape, Env, Served } from './served.ts';
import { problem, statusOf } from './status.ts';
import { wordsOf } from './words.ts';

type Questions = ReturnType<typeof questions>;

/** Command lines, piece by piece, and every command as an operation of its own. */
export function commandRoutes(app: Hono<Env>, served: Served, asked: Questions): void {
  app.post('/v1/commands', async (c) => {
    const given = askedOf(await c.req.json());
    const id = c.req.header('idempotency-key') ?? '';
    return streamed(served, asked, { client: c.var.client, given, id, signal: c.req.raw.signal });
  });
  app.get('/v1/places', () => {
    const { places, credentials } = served.opened;
    return Response.json({ state: places.state, secrets: credentials.folder });
  });
  app.post('/v1/answers/:id', async (c) => {
    const { line = '', passphrase = '', because = '' } = ((await c.req.json()) ?? {}) as Partial<Typed>;
    const typed = { line: String(line), passphrase: String(passphrase), because: String(because) };
    if (asked.answer(c.req.param('id'), c.var.client.who.name, typed)) return Response.json({ ok: true });
    return problem(404, {
      code: 'NOT_FOUND',
      message: 'nobody waits for this answer',
      hint: 'run the command again',
    });
  });
  app.post('/v1/commands/:name{.+}', async (c) => {
    const shape = shapeOf(await served.commands(), c.req.param('name'));
    if (shape === undefined)
      return problem(404, {
        code: 'NOT_FOUND',
        message: `there is no command ${c.req.param('name')}`,
        hint: 'GET /openapi.json',
      });
    const body = (await c.req.text()) || '{}';
    const given = { ...NOTHING_ASKED, words: ['--json', ...wordsOf(shape, JSON.parse(body))] };
    const id = c.req.header('idempotency-key') ?? '';
    return whole(served, { client: c.var.client, given, id, signal: c.req.raw.signal });
  });
}

const NOTHING_ASKED: Asked = {
  words: [],
  cwd: '',
  folder: '',
  head: '',
  session: '',
  interactive: false,
  color: false,
  files: new Map(),
  reached: undefined,
};

const NOBODY_ASKED = 'what a person confirms is asked for at a terminal, and not in this operation';

const shapeOf = (shapes: readonly CommandShape[], path: string): CommandShape | undefined =>
  shapes.find(({ words }) => words.join('/') === path);

interface Call {
  readonly client: Client;
  readonly given: Asked;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Each piece of the answer as soon as it is said. */
function streamed(served: Served, asked: Questions, { client, given, id, signal }: Call): Response {
  const gone = new AbortController();
  signal.addEventListener('abort', () => gone.abort(), { once: true });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(out) {
      const say = (frame: Frame) => {
        if (!gone.signal.aborted) out.enqueue(encoder.encode(lineOf(frame)));
      };
      const channel = asked.channel(client.who.name, say, gone.signal);
      say({ exit: await served.command(client, given, channel, id) });
      if (!gone.signal.aborted) out.close();
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  });
}

/** One JSON document, with the status that the exit code stands for. Files that the command wrote, and a token, come in it. */
async function whole(served: Served, { client, given, id, signal }: Call): Promise<Response> {
  let text = '';
  const files: { [path: string]: string } = {};
  let brought: object = {};
  const say = (frame: Frame) => {
    if ('out' in frame) text += frame.out;
    if ('file' in frame) {
      files[frame.file.path] = frame.file.base64;
      brought = { ...brought, files };
    }
    if ('token' in frame) brought = { ...brought, token: frame.token };
  };
  // A document is answered whole: nobody would hear a question before the end of it.
  const ask = async () => ({ line: '', passphrase: '', because: NOBODY_ASKED });
  const exit = await served.command(client, given, { say, signal, ask }, id);
  const headers = { 'content-type': 'application/json', 'countersign-exit': String(exit) };
  return new Response(withAll(text, brought), { status: statusOf(exit), headers });
}

/** The document with what came beside it, which nobody else keeps for the client. */
const withAll = (text: string, brought: object): string =>
  Object.keys(brought).length === 0
    ? text
    : `${JSON.stringify({ ...(JSON.parse(text) as object), ...brought })}\n`;
