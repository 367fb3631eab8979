import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Desk } from './desk.ts';
import { CAPABILITIES, serverInfo } from './hello.ts';
import { instructionsFor } from './instructions.ts';
import { takingAll } from './misread.ts';
import type { Profile } from './profile.ts';
import { registerPrompts } from './prompts.ts';
import { failure, resultOf } from './reply.ts';
import { registerResources } from './resources.ts';
import { shortSchema } from './short-schema.ts';
import type { Tool } from './tool.ts';

/** What one connection is served. */
export interface Served {
  readonly profile: Profile;
  readonly tools: readonly Tool[];
  readonly version: string;
}

/** A server for one connection: the same in both generations of the protocol. */
export function serverOf(desk: Desk, { profile, tools, version }: Served): McpServer {
  const instructions = instructionsFor(profile);
  const options = { instructions, capabilities: CAPABILITIES, cacheHints: CACHE };
  const server = new McpServer(serverInfo(version), options);
  for (const { name, title, description, input, annotations, takesAll, run } of tools) {
    const asked = shortSchema(input);
    const inputSchema = takesAll === true ? takingAll(asked) : asked;
    server.registerTool(
      name,
      { title, description, annotations, inputSchema, outputSchema: ANSWER },
      async (given, context) => {
        try {
          return resultOf(await run(desk, given as never, context));
        } catch (error) {
          return resultOf(failure(error));
        }
      },
    );
  }
  registerResources(server, desk, profile);
  registerPrompts(server, profile);
  return server;
}

/** The list hangs on the credential alone, and that may change at any time. */
const LISTED = { ttlMs: 0, cacheScope: 'private' } as const;
const CACHE = { 'tools/list': LISTED, 'resources/read': LISTED };

/** Every tool answers in this shape; what is its own stands beside. */
const ANSWER = shortSchema(
  z.looseObject({
    ok: z.boolean(),
    code: z.string().optional(),
    message: z.string().optional(),
    item: z.looseObject({ id: z.string(), content: z.string(), status: z.string() }).optional(),
    next: z.array(z.looseObject({})).optional(),
  }),
);
