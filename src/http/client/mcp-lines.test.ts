import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf } from './address.ts';
import { relayMcp } from './mcp-lines.ts';

let page: Server;
let url = '';
beforeAll(async () => {
  page = createServer(({ url: path }, answer) => {
    if (path === '/mcp/goals') {
      const error = { code: -32000, message: 'Payload Too Large' };
      answer.writeHead(413, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
      return;
    }
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<!DOCTYPE html>\n<p>Bad\n<p>gateway\n');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
});
afterAll(() => page.close());

const stand = { cwd: '/', folder: '', head: () => '', commitId: (name: string) => name, files: () => ({}) };

async function* said() {
  yield Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`);
}

test.each([
  ['a page answers in its place', () => url, 'is no server of Countersign (status 502)'],
  ['nobody answers', () => 'http://127.0.0.1:1', 'does not answer (ECONNREFUSED)'],
])('where %s the message hears so once, with what to do', async (_, at, why) => {
  const heard: string[] = [];
  await relayMcp(addressOf(at()), { profile: 'core', authorization: '', stand }, said(), (line) =>
    heard.push(line),
  );
  expect(heard.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32001, message: expect.stringContaining(why) } },
  ]);
  expect(heard[0]).toContain('; next: start it: countersign serve');
});

test('an answer that is about no message is that of the one that was sent', async () => {
  const heard: string[] = [];
  await relayMcp(addressOf(url), { profile: 'goals', authorization: '', stand }, said(), (line) =>
    heard.push(line),
  );
  expect(heard.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'Payload Too Large' } },
  ]);
});
