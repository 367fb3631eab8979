import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Opened } from '../engine/composition.ts';
import { EngineError } from '../engine/engine-error.ts';
import { agentOf } from './agent.ts';
import { deskOf } from './desk.ts';
import { PROFILE_NAMES, type Profile } from './profile.ts';
import { offeredTo, offersOf } from './profiles.ts';
import { runsOf } from './runs.ts';
import { serverOf } from './server.ts';

/** How much a request may have is the server's to say, before anybody reads it. */
const BOUNDED_BEFORE = { maxRequestBodySize: Number.MAX_SAFE_INTEGER };

/** MCP over Streamable HTTP, in both generations: every request is whole, and whose it is says its credential. */
export function mcpOverHttp(version: string) {
  const runs = runsOf();
  return {
    /** Throws NOT_FOUND for a profile that there is not, NO_CREDENTIAL for a person. */
    async answer(opened: Opened, actor: string, profile: string, request: Request): Promise<Response> {
      const known = profileOf(profile);
      const { actor: who } = await agentOf(opened, actor);
      const desk = deskOf(opened, actor, offersOf(known, who), runs);
      const tools = offeredTo(known, who);
      const handler = createMcpHandler(
        () => serverOf(desk, { profile: known, tools, version }),
        BOUNDED_BEFORE,
      );
      return handler.fetch(request);
    },
    /** Stops verifications that run, and waits until they have ended. */
    stop: () => runs.stop(),
  };
}

function profileOf(name: string): Profile {
  const found = PROFILE_NAMES.find((known) => known === name);
  if (found !== undefined) return found;
  throw new EngineError('NOT_FOUND', `there is no profile ${name}`, `known: ${PROFILE_NAMES.join(', ')}`);
}
