import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { enlist } from '../../src/engine/enlist.ts';
import type { Bench } from '../scratch/repository.ts';

/** A server of the product as a process, spoken to in plain JSON-RPC: no client library is measured with it. */
export interface Wire {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  request(method: string, params: object): Promise<{ readonly result?: Result; readonly error?: object }>;
  call(name: string, input: object): Promise<Result>;
  end(): Promise<void>;
}

export interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly item?: { readonly id: string }; readonly [more: string]: unknown };
  readonly [more: string]: unknown;
}

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** Starts a server for an actor, and has it say hello. */
export async function wire(bench: Bench, bin: string, actor: string): Promise<Wire> {
  const words = [bin, 'mcp', '--actor', actor, '--profile', 'two-phase'];
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const child = spawn(process.execPath, words, { cwd: bench.top, env: bench.env, stdio });
  const waiting = new Map<number, (answer: { result?: Result; error?: object }) => void>();
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line) as { id?: number; result?: Result; error?: object };
      waiting.get(answer.id ?? -1)?.(answer);
    }
  });
  child.stdin.on('error', () => {});
  void gone.then(() => {
    for (const answer of waiting.values()) answer({ error: { message: 'the server is gone' } });
  });
  let last = 0;
  const request: Wire['request'] = (method, params) => {
    last += 1;
    const id = last;
    const answered = new Promise<{ result?: Result; error?: object }>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered.finally(() => waiting.delete(id));
  };
  await request('initialize', HELLO);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    child,
    request,
    async call(name, input) {
      const { result, error } = await request('tools/call', { name, arguments: input });
      return result ?? { isError: true, error };
    },
    async end() {
      child.stdin.end();
      await gone;
    },
  };
}

/** Agents of the bench: one that gives out the work, one that builds. */
export async function team(bench: Bench): Promise<void> {
  const opened = await bench.compose().open();
  await enlist(opened, '', 'lead', ['workflow-orchestrator']);
  await enlist(opened, '', 'builder', ['specialist']);
  await opened.ports.store.close();
}
