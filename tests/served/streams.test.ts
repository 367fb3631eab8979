import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appOf } from '../../src/http/app.ts';
import type { Served } from '../../src/http/served.ts';
import { buildProgram, type Program } from '../cli/program.ts';
import { OWNER, openSession, type Session } from '../session.ts';
import { authorizationOf, letSignIn, type Server, startServer, throughServer } from './server.ts';

let program: Program;
let session: Session;
let server: Server;
beforeAll(async () => {
  program = buildProgram();
  session = await openSession();
  await letSignIn(session, OWNER);
  server = await startServer(program, session);
});
afterAll(async () => {
  await server.stop();
  session.close();
  program.remove();
});

/** An open stream of events; `ended` is settled when its body has come to its end in good order. */
async function follow(actor: string) {
  const headers = { authorization: await authorizationOf(session, actor, OWNER) };
  const gone = new AbortController();
  const answer = await fetch(`${server.url}/v1/events`, { headers, signal: gone.signal });
  return { status: answer.status, close: () => gone.abort(), ended: answer.text().catch(() => 'cut off') };
}

test('a subscription of MCP hears that nothing of it is promised, and is complete', async () => {
  const version = '2026-07-28';
  const method = 'subscriptions/listen';
  const named = 'io.modelcontextprotocol';
  const _meta = {
    [`${named}/protocolVersion`]: version,
    [`${named}/clientInfo`]: { name: 'test', version: '1' },
    [`${named}/clientCapabilities`]: {},
  };
  const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const notifications = { ...all, resourceSubscriptions: ['countersign://items'] };
  const answer = await fetch(`${server.url}/mcp/core`, {
    method: 'POST',
    headers: {
      authorization: await authorizationOf(session, 'orchestrator', OWNER),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { notifications, _meta } }),
  });
  const said = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
  const [acknowledged, complete] = said.map((line) => JSON.parse(line.slice('data: '.length)));
  expect(acknowledged).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: {} },
  });
  expect(complete).toMatchObject({ id: 7, result: { resultType: 'complete' } });
});

describe('an open stream of events', () => {
  test('ends with the token that opened it', async () => {
    const id = await session.register('reader', ['specialist']);
    const stream = await follow('reader');
    expect(stream.status).toBe(200);
    const through = throughServer(session, server, OWNER);
    expect((await through.say('', 'token', 'revoke', id)).code).toBe(0);
    expect(await stream.ended).toContain('event: ');
  });

  test('leaves places to others: a caller has 32', async () => {
    const open = await Promise.all(Array.from({ length: 32 }, () => follow('orchestrator')));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    expect((await follow('orchestrator')).status).toBe(429);
    const other = await follow('verification-agent');
    expect(other.status).toBe(200);
    for (const { close } of [...open, other]) close();
    for (;;) {
      const { status, close } = await follow('orchestrator');
      close();
      if (status === 200) break;
    }
  });

  test('does not hold up the end of the server', async () => {
    const stream = await follow('orchestrator');
    expect(await server.stop()).toBe(0);
    expect(await stream.ended).not.toBe('cut off');
    expect(server.log().map(({ msg }) => msg)).not.toContain('answers were cut off');
  });
});

test('requests are counted by where they come from, whatever a header says', async () => {
  const served = { version: '0', repository: 'r' } as Served;
  const app = appOf(served, {
    ...{ names: new Set(['localhost']), largestBody: 1, now: () => 0, log: () => {} },
    rate: { burst: 2, perSecond: 1 },
    failures: { burst: 1, perSecond: 1 },
    ...{ peer: () => undefined, level: () => 'cooperative', own: () => false },
    from: () => 'user 1000 of this machine',
    ending: new AbortController().signal,
  });
  const ask = async (n: number) => {
    const headers = { host: 'localhost', authorization: `Bearer invented-${n}` };
    return (await app.request('http://localhost/health', { headers })).status;
  };
  expect([await ask(1), await ask(2), await ask(3)]).toEqual([200, 200, 429]);
});
