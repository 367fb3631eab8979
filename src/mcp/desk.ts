import type { Caller } from '../engine/caller.ts';
import type { Opened } from '../engine/composition.ts';
import type { Ports } from '../engine/ports.ts';
import { projectChanges } from '../engine/project.ts';
import { withoutCommits } from '../engine/without-commits.ts';
import { agentOf } from './agent.ts';
import type { Offers } from './offers.ts';
import type { Reply } from './reply.ts';
import { type Runs, runsOf } from './runs.ts';

/** The store as one actor works with it through a server. */
export interface Desk {
  readonly ports: Ports;
  /** With the places that files are projected into. */
  readonly opened: Opened;
  /** The tools that exact calls may name. */
  readonly offered: Offers;
  /** Verifications that this server runs. */
  readonly runs: Runs;
  /** Who calls, by the credential as it is now: a token may have been revoked since the last call. */
  readonly caller: () => Promise<Caller>;
  /** Looks at something: nothing is written. */
  readonly look: (task: (ports: Ports, caller: Caller) => Promise<Reply>) => Promise<Reply>;
  /** Does one thing, then brings the projected files up to date. */
  readonly work: (task: (ports: Ports, caller: Caller) => Promise<Reply>) => Promise<Reply>;
}

/** `runs` are those of the server, where it serves more than one client. */
export function deskOf(opened: Opened, actor: string, offered: Offers, runs: Runs = runsOf()): Desk {
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
    opened,
    offered,
    runs,
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
