import type { Caller } from '../engine/caller.ts';
import type { Opened } from '../engine/composition.ts';
import { callerOf } from '../engine/credential.ts';
import { EngineError } from '../engine/engine-error.ts';

/** The agent that a server speaks for. A person never calls through one: nothing would show that it is the person. */
export async function agentOf(opened: Opened, actor: string): Promise<Caller> {
  const hint = 'countersign init --with claude-code, or: countersign mcp --actor NAME';
  if (actor === '') throw new EngineError('NO_CREDENTIAL', 'a server speaks for an agent: name it', hint);
  const caller = await callerOf(opened, actor);
  if (caller.actor.kind === 'agent') return caller;
  throw new EngineError('NO_CREDENTIAL', `${actor} is no agent: people speak at a terminal`, hint);
}
