import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Program } from '../cli/program.ts';
import { type Answered, answered } from './in-memory.ts';

export const GENERATIONS = { legacy: 'legacy', modern: { pin: '2026-07-28' } } as const;
export type Generation = keyof typeof GENERATIONS;

/** A server as a process of its own, and the official client that speaks to it over its pipes. */
export interface Spoken {
  readonly client: Client;
  readonly pid: number;
  call(tool: string, input?: Record<string, unknown>): Promise<Answered>;
  close(): Promise<void>;
}

export async function speakTo(
  program: Program,
  cwd: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  generation: Generation = 'legacy',
): Promise<Spoken> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program.path, 'mcp', ...words],
    cwd,
    env: Object.fromEntries(Object.entries(env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
    stderr: 'pipe',
  });
  const client = new Client(
    { name: 'scripted-agent', version: '1' },
    { versionNegotiation: { mode: GENERATIONS[generation] } },
  );
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, input = {}) => answered(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  };
}
