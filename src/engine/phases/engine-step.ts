import { ENGINE } from '../../kernel/actor.ts';
import { type Gathered, NOTHING_GATHERED } from '../../kernel/command.ts';
import type { Refused } from '../../kernel/decide.ts';
import type { Facts } from '../../kernel/event.ts';
import type { Fence } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import { execute, type Outcome, plain } from '../execute.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { runOf } from './run-name.ts';

/** The engine as whoever records what nobody said. */
export const BY_ENGINE: Caller = { actor: ENGINE, proof: undefined, token: undefined };

export interface EngineStep {
  readonly command: string;
  /** The process that it speaks of, '' for one that is just being started: what became of another says nothing of this one. */
  readonly of: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
  readonly facts: Facts;
  /** What was looked at for it, by the names of the table. */
  readonly probes?: Gathered['probes'];
  readonly fence: Fence | undefined;
}

/** Records on a run or a reviewer what became of its process. */
export function engineStep(ports: Ports, handle: Handle, asked: EngineStep): Promise<Outcome> {
  const { command, reason, probes = {}, fence } = asked;
  // What was looked at stands with the move, so that an audit can judge it again.
  const facts =
    asked.probes === undefined ? asked.facts : { ...asked.facts, probes: { ...probes } as unknown as Facts };
  return execute(ports, BY_ENGINE, {
    ...plain,
    unasked: true,
    ...{ ref: handle.id, name: command, reason, arguments: asked.arguments },
    evidence: (now) => (runOf(now) === asked.of ? [] : outOfDate(now)),
    gather: () => ({ ...NOTHING_GATHERED, probes, facts }),
    extend: (write) => {
      if (fence !== undefined) write.fences.push(fence);
    },
  });
}

/** Two who see the same process end record one end (CH-17). */
const outOfDate = (now: Handle): Refused => ({
  ...{ kind: 'refused', code: 'no-transition', verdicts: [] },
  because: `${now.display} has another process by now`,
});
