import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { OWNER, openSession, type Session } from '../session.ts';
import { DEVELOPER } from '../two-phase/bring.ts';
import { authorizationOf, letSignIn, type Server, startServer } from './server.ts';

let program: Program;
let session: Session;
let server: Server;
let agent: string;
let person: string;
const folder = mkdtempSync(join(tmpdir(), 'countersign-attacked-'));

beforeAll(async () => {
  program = buildProgram();
  session = await openSession();
  await letSignIn(session, OWNER);
  server = await startServer(program, session);
  agent = await authorizationOf(session, DEVELOPER, OWNER);
  person = await authorizationOf(session, '', OWNER);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  session.close();
  program.remove();
  rmSync(folder, { recursive: true });
});

const post = (path: string, authorization: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers: { authorization, ...headers }, body });

test('a token that was printed under a request id is not in the log', async () => {
  const path = '/v1/commands/token/issue';
  const body = JSON.stringify({ name: DEVELOPER, print: true });
  const printed = await (await post(path, person, body, { 'idempotency-key': 'once' })).text();
  const [token = 'none'] = /cs_[\w-]+/.exec(printed) ?? [];
  expect(token).not.toBe('none');
  const log = await post('/v1/commands', person, JSON.stringify({ words: ['export'] }));
  expect(await log.text()).not.toContain(token);
  expect((await post(path, person, body, { 'idempotency-key': 'once' })).status).toBe(409);
});

test('a pipe in a folder that a client names keeps nobody waiting', async () => {
  spawnSync('mkfifo', [join(folder, '.git')]);
  const body = JSON.stringify({ words: ['list'], cwd: folder });
  expect((await post('/v1/commands', agent, body)).status).toBe(200);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test('proof push of a client writes into no folder and to no unknown remote', async () => {
  for (const words of [
    ['proof', 'push', '--folder', folder],
    ['proof', 'push', '--remote', folder],
  ])
    expect(await (await post('/v1/commands', agent, JSON.stringify({ words }))).text()).toContain(
      '{"exit":7}',
    );
});

interface Document {
  readonly ok: boolean;
  readonly data: object;
  readonly files: { readonly [path: string]: string };
  readonly token: { readonly actor: string; readonly token: string };
}

test('an operation brings what its command wrote, and a token that it minted, in its document', async () => {
  const asked = async (command: string, body: object) =>
    (await (await post(`/v1/commands/${command}`, person, JSON.stringify(body))).json()) as Document;
  const { ok, data, files } = await asked('export', { output: 'log.jsonl' });
  expect({ ok, data }).toMatchObject({ ok: true, data: { path: 'log.jsonl' } });
  const log = Buffer.from(files['log.jsonl'] ?? '', 'base64').toString('utf8');
  expect(log).toContain('repository-opened');
  const { token } = await asked('token/issue', { name: 'orchestrator' });
  expect(token.actor).toBe('orchestrator');
  expect((await post('/v1/commands/list', `Bearer ${token.token}`, '{}')).status).toBe(200);
  expect(await asked('list', {})).not.toHaveProperty('files');
});

test.each([
  ['is not there', 'nowhere.pem', /nowhere\.pem cannot be read \(ENOENT\)/],
  ['is none', 'notes.pem', /notes\.pem are no certificate with its private key/],
])('a certificate that %s is told, and is no defect', (_, name, says) => {
  const file = join(folder, name);
  if (name === 'notes.pem') writeFileSync(file, 'mine');
  const words = ['serve', '--port', '0', '--tls-cert', file, '--tls-key', file];
  const { repo, env } = session;
  const told = spawnSync(process.execPath, [program.path, ...words], {
    cwd: repo.top,
    env,
    encoding: 'utf8',
  });
  expect([told.status, told.stderr]).toEqual([2, expect.stringMatching(says)]);
  expect(told.stderr).toContain('next: ');
  expect(told.stderr).not.toContain('defect');
});

test('a file is no socket to be replaced', () => {
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'mine');
  const { repo, env } = session;
  const { status } = spawnSync(process.execPath, [program.path, 'serve', '--socket', file], {
    cwd: repo.top,
    env,
  });
  expect(status).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('whoever guessed too often does not hear that a guess is right; a token is let in', async () => {
  const wrong = `Basic ${Buffer.from(`${OWNER}:wrong wrong wrong`).toString('base64')}`;
  for (let i = 0; i < 11; i++) await post('/v1/commands/list', wrong, '{}');
  expect((await post('/v1/commands/list', person, '{}')).status).toBe(429);
  expect((await post('/v1/commands/list', agent, '{}')).status).toBe(200);
});

test('a client that breaks off in its body is no defect of the server', async () => {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = `POST /v1/commands/add HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${agent}\r\nContent-Length: 99\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(`${head}{`, () => resolve()));
  const answered = () => server.log().filter(({ path }) => path === '/v1/commands/add');
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  while (answered().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered()).toEqual([expect.objectContaining({ status: 499 })]);
});
