import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { OWNER, openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';
import { authorizationOf, letSignIn, type Server, startServer, throughServer } from './server.ts';

let program: Program;
let session: Session;
let server: Server;
let s: Session;

beforeAll(async () => {
  program = buildProgram();
  session = await openSession();
  await letSignIn(session, OWNER);
  server = await startServer(program, session);
  s = throughServer(session, server, OWNER);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  session.close();
  program.remove();
});

const as = (actor: string) => authorizationOf(session, actor, OWNER);

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: text });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe('who calls', () => {
  test.each([
    ['nothing', ''],
    ['a token that was never issued', `Bearer cs_${'a'.repeat(43)}`],
    ['a wrong passphrase', `Basic ${Buffer.from(`${OWNER}:wrong wrong wrong`).toString('base64')}`],
    [
      'an agent with a passphrase',
      `Basic ${Buffer.from(`${DEVELOPER}:correct horse battery`).toString('base64')}`,
    ],
    ['another scheme', 'Digest abc'],
  ])('%s is not let in, and hears how', async (_, authorization) => {
    const headers: Record<string, string> = authorization === '' ? {} : { authorization };
    const { status, text, headers: told } = await post('/v1/commands', { words: ['list'] }, headers);
    expect(status).toBe(401);
    expect(told.get('www-authenticate')).toContain('Bearer');
    expect(JSON.parse(text)).toMatchObject({ ok: false, error: { code: 'NO_CREDENTIAL' } });
  });

  test('a token speaks for its actor alone: neither for another agent nor for a person', async () => {
    for (const name of ['orchestrator', OWNER]) {
      const words = ['--json', '--actor', name, 'add', 'Not mine'];
      const { text } = await post('/v1/commands', { words }, { authorization: await as(DEVELOPER) });
      expect(text).toContain('NO_CREDENTIAL');
      expect(text).toContain('{"exit":7}');
    }
    expect((await s.text(OWNER, 'list')).out).not.toContain('Not mine');
  });

  test('a revoked token is not let in from the next request on', async () => {
    const id = await session.register('short-lived', ['specialist']);
    const authorization = await as('short-lived');
    expect((await post('/v1/commands', { words: ['list'] }, { authorization })).status).toBe(200);
    expect((await s.say('', 'token', 'revoke', id)).code).toBe(0);
    expect((await post('/v1/commands', { words: ['list'] }, { authorization })).status).toBe(401);
  });

  test('a token that a person has issued goes to the client, and lies with no server', async () => {
    await session.register('newcomer', ['specialist']);
    const body = { words: ['token', 'issue', 'newcomer', '--print'] };
    const { text } = await post('/v1/commands', body, {
      authorization: await as(''),
      'idempotency-key': 'issued',
    });
    const frames = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { token?: { token: string } });
    const token = frames.find((frame) => frame.token !== undefined)?.token?.token ?? '';
    expect(token).toMatch(/^cs_/);
    const headers = { authorization: `Bearer ${token}` };
    expect((await post('/v1/commands', { words: ['list'] }, headers)).status).toBe(200);
    const kept = await session.with(async ({ ports }) => JSON.stringify(await ports.store.events(0, 10_000)));
    expect(kept).not.toContain(token);
  });

  test('nothing of the machine of the server is read for a client', async () => {
    const secret = await session.with(async ({ credentials }) => `${credentials.folder}/tokens/orchestrator`);
    const id = await bring(s, 'in_progress', '--list', 'reading');
    const others = ['/etc/passwd', `${session.repo.top}/.git/config`, `${session.repo.top}/../state`];
    for (const path of [secret, ...others]) {
      const words = ['claim', id, '--no-change', '--reason', 'nothing to do', '--evidence', path];
      const { text } = await post('/v1/commands', { words }, { authorization: await as(DEVELOPER) });
      expect(text).toMatch(/"exit":[235]/);
    }
  });
});

describe('what is asked', () => {
  test.each([
    ['{', 400],
    ['[]', 400],
    ['{"words":"list"}', 400],
    ['{"words":["list"],"more":1}', 400],
    ['{"words":["list"],"files":{"a":"%%"}}', 400],
    ['{"words":["list"],"head":"main"}', 400],
  ])('%s is answered with %i and a next step', async (body, status) => {
    const got = await post('/v1/commands', body, { authorization: await as('') });
    expect(got.status).toBe(status);
    expect(JSON.parse(got.text)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  });

  test('more than eight million bytes are not taken', async () => {
    const got = await post('/v1/commands', 'x'.repeat(9 * 1024 * 1024), { authorization: await as('') });
    expect(got.status).toBe(413);
  });

  test.each(['init', 'key', 'serve', 'uninstall'])(
    '%s is done on the machine of the server',
    async (word) => {
      const { text } = await post('/v1/commands', { words: [word] }, { authorization: await as('') });
      expect(text).toContain('{"exit":7}');
    },
  );

  test('every command is an operation of its own, described by OpenAPI', async () => {
    const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: unknown }> } } }>;
    };
    expect(api.openapi).toBe('3.1.0');
    expect(Object.keys(api.paths).length).toBeGreaterThan(60);
    for (const here of ['actor/passphrase', 'proof/override', 'init', 'serve'])
      expect(api.paths).not.toHaveProperty([`/v1/commands/${here}`]);
    expect(
      api.paths['/v1/commands/goal/create']?.post?.requestBody.content['application/json']?.schema,
    ).toMatchObject({
      required: ['title'],
    });
    const authorization = await as('orchestrator');
    const added = await post(
      '/v1/commands/add',
      { title: 'By an operation', list: 'operations' },
      { authorization },
    );
    expect(added.status).toBe(200);
    const { data } = JSON.parse(added.text) as { data: { id: string } };
    const shown = await post('/v1/commands/show', { item: data.id }, { authorization });
    expect(JSON.parse(shown.text)).toMatchObject({ ok: true, data: { content: 'By an operation' } });
    expect((await post('/v1/commands/show', { item: 'T-9999' }, { authorization })).status).toBe(404);
    expect((await post('/v1/commands/show', { itme: 'T-1' }, { authorization })).status).toBe(400);
    expect((await post('/v1/commands/add', { title: '--json' }, { authorization })).text).toContain(
      '"content":"--json"',
    );
    expect((await post('/v1/commands/nothing', {}, { authorization })).status).toBe(404);
    const denied = await post(
      '/v1/commands/verify',
      { item: data.id },
      { authorization: await as(DEVELOPER) },
    );
    expect([403, 409]).toContain(denied.status);
  });

  test('a request of the same id is applied once and answered the same', async () => {
    const headers = { authorization: await as('orchestrator'), 'idempotency-key': 'once-and-no-more' };
    const body = { words: ['--json', 'add', 'Once', '--list', 'once'] };
    const [first, second] = await Promise.all([
      post('/v1/commands', body, headers),
      post('/v1/commands', body, headers),
    ]);
    const third = await post('/v1/commands', body, headers);
    expect(first.text).toContain('"exit":0');
    expect(second.text).toBe(first.text);
    expect(third.text).toBe(first.text);
    expect(JSON.parse((await s.text('', '--json', 'list', '--list', 'once')).out)).toMatchObject({
      data: { progress: { total: 1 } },
    });
    const other = await post('/v1/commands', { words: ['add', 'Another'] }, headers);
    expect(other.text).toContain('was used for something else');
    // Ids are each client's own.
    const foreign = { ...headers, authorization: await as('') };
    expect((await post('/v1/commands', { words: ['add', 'Mine'] }, foreign)).text).toContain('"exit":0');
  });
});

describe('where requests come from', () => {
  /** `fetch` would not send another Host. */
  const plain = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const sent = request({ hostname, port, path: '/health', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });

  test('a name that is not the server’s, and a page of another origin, are refused', async () => {
    expect(await plain({ host: 'localhost' })).toBe(200);
    expect(await plain({ host: '[::1]:99' })).toBe(200);
    expect(await plain({ host: 'evil.example' })).toBe(403);
    expect(await plain({ host: 'localhost', origin: 'http://evil.example' })).toBe(403);
    expect(await plain({ host: 'localhost', origin: 'null' })).toBe(403);
    expect(await plain({ host: 'localhost', origin: 'http://localhost:3000' })).toBe(200);
  });

  test('health and metrics', async () => {
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ ok: true });
    expect(await (await fetch(`${server.url}/ready`)).json()).toEqual({ ok: true });
    const headers = { authorization: await as('') };
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
    expect(text).toMatch(/^countersign_http_requests_total\{route="\/v1\/commands",status="200"\} \d+$/m);
    expect(text).toMatch(/^countersign_events_total [1-9]\d*$/m);
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{.*\})? -?[\d.]+(e-?\d+)?)$/);
  });

  test('the log says who asked for what, and holds no secret', async () => {
    const told = server.log();
    expect(told.some(({ msg, actor }) => msg === 'answered' && actor === 'orchestrator')).toBe(true);
    expect(JSON.stringify(told)).not.toMatch(/cs_[\w-]{20}|correct horse/);
  });
});

describe('followers', () => {
  /** Events of a stream until `enough` of them came. */
  async function follow(after: number, enough: number, lastId?: number) {
    const stop = new AbortController();
    const headers = {
      authorization: await as(''),
      ...(lastId === undefined ? {} : { 'last-event-id': `${lastId}` }),
    };
    const answer = await fetch(`${server.url}/v1/events?after=${after}`, { headers, signal: stop.signal });
    const ids: number[] = [];
    let text = '';
    for await (const piece of answer.body ?? []) {
      text += Buffer.from(piece).toString('utf8');
      ids.splice(0, ids.length, ...[...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)));
      if (ids.length >= enough) break;
    }
    stop.abort();
    return ids;
  }

  test('get every event once, in order, also what comes while they look, and go on where they were', async () => {
    const known = await session.with(({ ports }) => ports.store.eventCount());
    const following = follow(known, 4);
    for (let i = 0; i < 4; i++) await s.say('orchestrator', 'add', `followed ${i}`, '--list', 'followed');
    const ids = await following;
    expect(ids.slice(0, 4)).toEqual(Array.from({ length: 4 }, (_, i) => known + 1 + i));
    expect((await follow(0, 2, known + 1)).slice(0, 2)).toEqual([known + 2, known + 3]);
  });

  test('of a position that is none hear so', async () => {
    const headers = { authorization: await as('') };
    expect((await fetch(`${server.url}/v1/events?after=x`, { headers })).status).toBe(400);
  });
});

describe('a server that ends', () => {
  test('by a signal, in the middle of an answer, gives the answer; killed, it loses nothing that it acknowledged', async () => {
    const own = await openSession();
    await letSignIn(own, OWNER);
    const there = await startServer(program, own);
    const through = throughServer(own, there, OWNER);
    const id = await bring(through, 'claimed');
    const verified = through.say('verification-agent', 'verify', id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await there.stop()).toBe(0);
    expect([0, 130, 3]).toContain((await verified).code);
    const again = await startServer(program, own);
    const back = throughServer(own, again, OWNER);
    const adding = Array.from({ length: 30 }, (_, i) =>
      back.say('orchestrator', 'add', `n ${i}`, '--list', 'killed'),
    );
    const settled = Promise.allSettled(adding);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await again.stop('SIGKILL');
    const acknowledged = (await settled).flatMap((one) =>
      one.status === 'fulfilled' && one.value.code === 0 ? [one.value.data.id] : [],
    );
    for (const one of acknowledged) expect((await own.say('', 'show', one)).code).toBe(0);
    work(own);
    expect((await own.say('', 'audit', 'verify')).code).toBe(0);
    own.close();
  });
});
