import type { Caller } from '../engine/caller.ts';
import type { Opened } from '../engine/composition.ts';
import { callerOf } from '../engine/credential.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Ports } from '../engine/ports.ts';
import { projectChanges } from '../engine/project.ts';
import { withoutCommits } from '../engine/without-commits.ts';
import type { Reply } from './reply.ts';
import { type Runs, runsOf } from './runs.ts';

/** The store as one actor works with it through a server. */
export interface Desk {
  readonly ports: Ports;
  /** The tools that some role is offered: what exact calls may name. */
  readonly offered: ReadonlySet<string>;
  /** Verifications that this server runs. */
  readonly runs: Runs;
  /** Who calls, by the credential as it is now: a token may have been revoked since the last call. */
  readonly caller: () => Promise<Caller>;
  /** Looks at something: nothing is written. */
  readonly look: (task: (ports: Ports, caller: Caller) => Promise<Reply>) => Promise<Reply>;
  /** Does one thing, then brings the projected files up to date. */
  readonly work: (task: (ports: Ports, caller: Caller) => Promise<Reply>) => Promise<Reply>;
}

export function deskOf(opened: Opened, actor: string, offered: ReadonlySet<string>): Desk {
  const { ports } = opened;
  const caller = () => agentOf(opened, actor);
  const told = async (work: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await work();
    } catch (error) {
      throw withoutCommits(ports, error) ?? error;
    }
  };
  return {
    ports,
    offered,
    runs: runsOf(),
    caller,
    look: async (task) => told(async () => task(ports, await caller())),
    work: async (task) =>
      told(async () => {
        const done = await task(ports, await caller());
        const remarks = await projectChanges(opened);
        return remarks.length === 0 ? done : { ...done, text: [done.text, ...remarks].join('\n') };
      }),
  };
}

/** The agent that a server speaks for. A person never calls through one: nothing would show that it is the person. */
export async function agentOf(opened: Opened, actor: string): Promise<Caller> {
  const hint = 'countersign init --with claude-code, or: countersign mcp --actor NAME';
  if (actor === '') throw new EngineError('NO_CREDENTIAL', 'a server speaks for an agent: name it', hint);
  const caller = await callerOf(opened, actor);
  if (caller.actor.kind === 'agent') return caller;
  throw new EngineError('NO_CREDENTIAL', `${actor} is no agent: people speak at a terminal`, hint);
}
