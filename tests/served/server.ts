import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from '../cli/program.ts';
import type { Session } from '../session.ts';

/** A server as a process of its own, over the store of a session. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** What it wrote to its log so far, one document a line. */
  log(): readonly { readonly msg: string; readonly [field: string]: unknown }[];
  /** Asks it to end, and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const PASSPHRASE = 'correct horse battery';

/** Starts the program as shipped and waits until it listens. */
export async function startServer(
  program: Program,
  { repo, env }: Pick<Session, 'repo' | 'env'>,
  words: readonly string[] = ['--port', '0'],
): Promise<Server> {
  const child = spawn(process.execPath, [program.path, 'serve', ...words], {
    cwd: repo.top,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => {
    said.out += piece;
  });
  child.stderr.on('data', (piece) => {
    said.err += piece;
  });
  const { url } = JSON.parse(await firstLine(child, said)) as { url: string };
  return {
    url,
    pid: child.pid ?? 0,
    log: () =>
      said.err
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { msg: string }),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

async function firstLine(child: ChildProcess, said: { out: string; err: string }): Promise<string> {
  while (!said.out.includes('\n')) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said.err}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return said.out.split('\n', 1)[0] ?? '';
}

/** Lets the person of a session sign in by a passphrase. */
export const letSignIn = (session: Session, person: string): Promise<void> =>
  session.with(({ credentials }) => credentials.keepPassphrase(person, PASSPHRASE));

/** The header by which an actor of a session is known; '' is its person. */
export async function authorizationOf(session: Session, actor: string, person: string): Promise<string> {
  if (actor === '' || actor === person)
    return `Basic ${Buffer.from(`${person}:${PASSPHRASE}`).toString('base64')}`;
  return `Bearer ${await session.with(async ({ credentials }) => credentials.read(actor))}`;
}

/** The same session, each of whose commands is one request to a server. */
export function throughServer(
  session: Session,
  server: Pick<Server, 'url'>,
  person: string,
  cwd = session.repo.top,
): Session {
  const text: Session['text'] = async (actor, ...words) => {
    const { url } = server;
    const authorization = await authorizationOf(session, actor, person);
    const files = Object.fromEntries(words.flatMap((word) => broughtBy(session, word)));
    const body = JSON.stringify({ words, cwd, files });
    const headers = { authorization, 'content-type': 'application/json' };
    const told = { code: -1, out: '', err: '' };
    // A server that dies over it says nothing more: no exit code is heard.
    const said = await fetch(`${url}/v1/commands`, { method: 'POST', headers, body })
      .then((answer) => answer.text())
      .catch(() => '');
    for (const line of said.split('\n')) {
      if (line === '') continue;
      const frame = JSON.parse(line) as { out?: string; err?: string; exit?: number };
      told.out += frame.out ?? '';
      told.err += frame.err ?? '';
      told.code = frame.exit ?? told.code;
    }
    return told;
  };
  return {
    ...session,
    // The server has the time of the machine.
    now: () => new Date().toISOString(),
    text,
    from: (folder) => throughServer(session, server, person, folder),
    async say(actor, ...words) {
      const told = await text(actor, '--json', ...words);
      return { ...told, ...JSON.parse(told.out) };
    },
  };
}

function broughtBy(session: Session, word: string): readonly [string, string][] {
  const bytes = session.composition.files.has(word) ? session.composition.files.read(word) : undefined;
  return bytes === undefined ? [] : [[word, bytes.toString('base64')]];
}
