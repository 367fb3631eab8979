import type { Caller } from '../../engine/caller.ts';
import { completeItem } from '../../engine/complete-item.ts';
import { dispatch } from '../../engine/dispatch.ts';
import { execute, type Outcome, plain } from '../../engine/execute.ts';
import { acknowledge, failuresShown } from '../../engine/failure-review.ts';
import { loadItem } from '../../engine/handle.ts';
import type { Ports } from '../../engine/ports.ts';
import { completionReport } from '../../engine/reports.ts';
import { start } from '../../engine/start.ts';
import type { Desk } from '../desk.ts';
import { linksOf } from '../links.ts';
import { outcomeReply, type Reply } from '../reply.ts';

export interface Move {
  readonly item: string;
  readonly reason?: string | undefined;
  readonly to?: string | undefined;
}

/** A step that needs no more than the item, or whom to give it to. */
interface Kind {
  readonly take: (
    ports: Ports,
    caller: Caller,
    move: Move,
  ) => Promise<Outcome & { warnings?: readonly string[] }>;
  readonly done: (outcome: Outcome, move: Move) => string;
}

/** A command of the table that is decided on the item alone. */
const plainly = (name: string, done: string): Kind => ({
  take: (ports, caller, { item: ref, reason = '' }) =>
    execute(ports, caller, { ...plain, ref, name, reason }),
  done: ({ handle }) => `${handle.display} ${done}`,
});

export const MOVES = {
  dispatch: {
    take: (ports, caller, { item: ref, to = '', reason = '' }) =>
      dispatch(ports, caller, { ref, to, reason }),
    done: ({ handle }, { to }) => `${handle.display} dispatched to ${to}`,
  },
  start: {
    take: (ports, caller, { item: ref }) => start(ports, caller, ref),
    done: ({ handle }) => `${handle.display} started: commit the work, then claim it`,
  },
  release: plainly('release', 'released'),
  retry: plainly('retry', 'reset to pending: a new attempt begins, nothing is carried over'),
  ack: {
    take: async (ports, caller, { item: ref }) =>
      acknowledge(ports, caller, ref, failuresShown(await loadItem(ports, ref)).digest),
    done: ({ handle }) => `${handle.display}: failures acknowledged`,
  },
  complete: {
    take: (ports, caller, { item: ref, reason = '' }) => completeItem(ports, caller, ref, reason),
    done: ({ handle }) => completionReport(handle),
  },
} satisfies { readonly [command: string]: Kind };

export type MoveName = keyof typeof MOVES;
export const MOVE_NAMES = Object.keys(MOVES) as [MoveName, ...MoveName[]];

export const isMoveName = (command: string): command is MoveName => Object.hasOwn(MOVES, command);

export function take({ work, offered }: Desk, name: MoveName, move: Move): Promise<Reply> {
  const kind: Kind = MOVES[name];
  return work(async (ports, caller) => {
    const outcome = await kind.take(ports, caller, move);
    const { warnings = [] } = outcome;
    const done = [kind.done(outcome, move), ...warnings.map((w) => `note: ${w}`)].join('\n');
    const more = warnings.length === 0 ? {} : { warnings };
    return outcomeReply(outcome, offered, name, done, more, linksOf(outcome.handle));
  });
}
