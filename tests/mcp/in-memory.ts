import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { agentOf } from '../../src/mcp/agent.ts';
import { deskOf } from '../../src/mcp/desk.ts';
import type { Profile } from '../../src/mcp/profile.ts';
import { offeredTo, offersOf, PROFILES } from '../../src/mcp/profiles.ts';
import { serverOf } from '../../src/mcp/server.ts';
import type { Session } from '../session.ts';

/** What a tool answered: its data, and what a model reads. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  readonly links: readonly string[];
  readonly data: {
    readonly ok: boolean;
    readonly code?: string;
    readonly message?: string;
    readonly missing?: readonly unknown[];
    readonly item?: { readonly id: string; readonly status: string };
    readonly next?: readonly {
      readonly by?: string;
      readonly tool?: string;
      readonly [more: string]: unknown;
    }[];
    readonly [more: string]: unknown;
  };
}

/** The official client, talking to the server as one actor of a session, in this process. */
export interface Talk {
  readonly client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<Answered>;
  close(): Promise<void>;
}

/** `every`: with all tools of the profile, whatever the roles, as if a client called what its list does not hold. */
export async function talk(
  session: Session,
  actor: string,
  profile: Profile = 'two-phase',
  every = false,
): Promise<Talk> {
  const opened = await session.composition.open();
  const { actor: who } = await agentOf(opened, actor);
  const desk = deskOf(opened, actor, offersOf(profile, who));
  const tools = every ? PROFILES[profile] : offeredTo(profile, who);
  const server = serverOf(desk, { profile, tools, version: 'test' });
  const client = new Client({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    client,
    call: async (name, input = {}) => answered(await client.callTool({ name, arguments: input })),
    async close() {
      await client.close();
      await desk.runs.stop();
      await opened.ports.store.close();
    },
  };
}

export function answered(result: Awaited<ReturnType<Client['callTool']>>): Answered {
  const content = result.content as readonly { type: string; text?: string; uri?: string }[];
  return {
    isError: result.isError === true,
    text: content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : [])).join('\n'),
    links: content.flatMap(({ type, uri }) => (type === 'resource_link' ? [uri ?? ''] : [])),
    data: (result.structuredContent ?? {}) as Answered['data'],
  };
}
