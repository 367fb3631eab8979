import { ENGINE } from '../../kernel/actor.ts';
import { NOTHING_GATHERED } from '../../kernel/command.ts';
import type { Facts } from '../../kernel/event.ts';
import type { Fence } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import { execute, type Outcome, plain } from '../execute.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';

/** The engine as whoever records what nobody said. */
export const BY_ENGINE: Caller = { actor: ENGINE, proof: undefined, token: undefined };

export interface EngineStep {
  readonly command: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
  readonly facts: Facts;
  readonly fence: Fence | undefined;
}

/** Records on a run or a reviewer what became of its process. */
export function engineStep(ports: Ports, handle: Handle, asked: EngineStep): Promise<Outcome> {
  const { command, reason, facts, fence } = asked;
  return execute(ports, BY_ENGINE, {
    ...plain,
    ...{ ref: handle.id, name: command, reason, arguments: asked.arguments },
    gather: () => ({ ...NOTHING_GATHERED, facts }),
    extend: (write) => {
      if (fence !== undefined) write.fences.push(fence);
    },
  });
}
