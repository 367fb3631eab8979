import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server as Listener } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { openSession, type Session } from '../session.ts';

let program: Program;
let session: Session;
beforeAll(async () => {
  program = buildProgram();
  session = await openSession();
});
afterAll(() => {
  session.close();
  program.remove();
});

/** The address of a socket that this process holds, as systemd would, and its descriptor. */
async function held(host: string) {
  const listener: Listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));
  const { port } = listener.address() as { port: number };
  const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
  return { port, fd, listener };
}

/** Starts the program with one socket, told of it as systemd tells. */
function serve(fd: number, ...words: readonly string[]) {
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"';
  const line = ['-c', script, 'sh', process.execPath, program.path, 'serve', ...words];
  const stdio: ('pipe' | 'ignore' | number)[] = ['ignore', 'pipe', 'pipe', fd];
  const child = spawn('sh', line, { cwd: session.repo.top, env: session.env, stdio });
  const said = { out: '', err: '' };
  child.stdout?.on('data', (piece) => {
    said.out += piece;
  });
  child.stderr?.on('data', (piece) => {
    said.err += piece;
  });
  return { child, said, ended: once(child, 'close') };
}

test('a server takes the socket that the system holds', async () => {
  const { port, fd, listener } = await held('127.0.0.1');
  const { child, said, ended } = serve(fd);
  while (!said.out.includes('\n') && child.exitCode === null) await new Promise((r) => setTimeout(r, 20));
  const url = `http://127.0.0.1:${port}`;
  expect(JSON.parse(said.out)).toMatchObject({ url });
  // From here on the server alone takes what comes.
  await new Promise((resolve) => listener.close(resolve));
  expect((await fetch(`${url}/health`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a socket that other machines reach is refused without TLS', async () => {
  const { fd, listener } = await held('0.0.0.0');
  const { said, ended } = serve(fd);
  expect(await ended).toEqual([2, null]);
  expect(said.err).toMatch(/can be reached from other machines/);
  listener.close();
});

test('a socket beside --socket is refused', async () => {
  const { fd, listener } = await held('127.0.0.1');
  const { said, ended } = serve(fd, '--socket', `${session.repo.root}/x.sock`);
  expect(await ended).toEqual([2, null]);
  expect(said.err).toMatch(/one ListenStream/);
  listener.close();
});
