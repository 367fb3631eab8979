import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { addActor, addToken } from '../../src/engine/actors.ts';
import { addItems, type Bench, type BenchSession } from './repository.ts';

/** A server of the product as a process of its own, which listens. */
export interface Serving {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the built program over the store of the repository; throws when it ends instead of listening. */
export async function serve(bench: Bench, bin: string): Promise<Serving> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
    cwd: bench.top,
    env: bench.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await told(child);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function told(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const piece of child.stdout ?? []) {
    said += String(piece);
    if (said.includes('\n')) break;
  }
  return (JSON.parse(said) as { url: string }).url;
}

/** Registers who gives items out and who gets them; answers the token of the first. */
export async function orchestrator({ ports, caller }: BenchSession): Promise<string> {
  const limits = { roles: [], items: [], expiresAt: '' };
  await addActor(ports, caller, { id: 'boss', kind: 'agent', roles: ['workflow-orchestrator'], parent: '' });
  await addActor(ports, caller, { id: 'hand', kind: 'agent', roles: ['specialist'], parent: '' });
  const issued = await addToken(ports, caller, { actor: 'boss', ...limits });
  if (!issued.ok) throw new Error(issued.because);
  return issued.token;
}

const EVERYTHING = { list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: 500 };

/** Opens so many items, at most 500 with those that are there; answers how clients call them, in order. */
export async function addRefs(session: BenchSession, count: number): Promise<readonly string[]> {
  const ids = await addItems(session, count);
  const rows = await session.ports.store.items(EVERYTHING);
  return ids.map((id) => `T-${rows.find((row) => row.id === id)?.number ?? 0}`);
}

export interface Walked {
  /** Of each step that was taken, in ms. */
  readonly times: readonly number[];
  /** Steps a second. */
  readonly rate: number;
}

/**
 * One client an item gives it out and takes it back; the clients are dealt to the servers in turn. A client that meets
 * another on the same item tries again.
 */
export async function walk(
  servers: readonly Serving[],
  token: string,
  refs: readonly string[],
  steps: number,
): Promise<Walked> {
  const times: number[] = [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const step = async (url: string, word: string, body: object) => {
    const began = performance.now();
    const answer = await fetch(`${url}/v1/commands/${word}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    if (answer.status === 200) times.push(performance.now() - began);
    else if (answer.status !== 409) throw new Error(`${word} was answered with ${answer.status}`);
  };
  const began = performance.now();
  await Promise.all(
    refs.map(async (item, client) => {
      const url = servers[client % servers.length]?.url ?? '';
      for (let n = 0; n < steps; n += 2) {
        await step(url, 'dispatch', { item, to: 'hand' });
        await step(url, 'release', { item, reason: 'measured' });
      }
    }),
  );
  return { times, rate: (times.length * 1_000) / (performance.now() - began) };
}
