import { expect } from 'vitest';
import type { Profile } from '../../src/mcp/profile.ts';
import type { Session } from '../session.ts';
import { type Answered, type Talk, talk } from './in-memory.ts';

/** Several agents, each with a server of its own in this process. */
export interface Hands {
  call(actor: string, tool: string, input?: Record<string, unknown>): Promise<Answered>;
  /** A call that must be taken: the state that the item is in after it. */
  to(actor: string, tool: string, input: Record<string, unknown>): Promise<string>;
  talkOf(actor: string): Talk;
  close(): Promise<void>;
}

/** What an agent that is offered only its own list can do. Steps of the lifecycle get a reason where none is given. */
export async function handsOf(s: Session, profile: Profile, actors: readonly string[]): Promise<Hands> {
  const talks = new Map<string, Talk>();
  for (const actor of actors) talks.set(actor, await talk(s, actor, profile));
  const talkOf = (actor: string) => talks.get(actor) as Talk;
  const call: Hands['call'] = (actor, tool, input = {}) => talkOf(actor).call(tool, input);
  return {
    call,
    talkOf,
    async to(actor, tool, input) {
      const why = tool === 'give_guidance' ? {} : { reason: 'as it should be' };
      const answer = await call(actor, tool, { ...why, ...input });
      expect(answer.isError, `${tool}: ${answer.text}`).toBe(false);
      return answer.data.item?.status ?? '';
    },
    async close() {
      for (const { close } of talks.values()) await close();
    },
  };
}
