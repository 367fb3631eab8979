import { z } from 'zod';
import type { Caller } from '../../engine/caller.ts';
import { EngineError } from '../../engine/engine-error.ts';
import type { Ports } from '../../engine/ports.ts';
import { takeLease, tellLease } from '../../engine/staged/lease-hands.ts';
import { assertSession, foreign, leaseOf, OPERATIONS, readLease, shown } from '../../engine/staged/leases.ts';
import { because } from '../fields.ts';
import type { Reply } from '../reply.ts';
import { STEPS, tool } from '../tool.ts';
import { session, told } from './staged-fields.ts';

const LEASE_ACTS = ['show', 'take', 'release', 'beat'] as const;

/** Who holds the main worktree or a task; only a person at a terminal takes it away from somebody (PROTO-65, PROTO-71). */
export const lease = tool({
  name: 'lease',
  title: 'Who holds what',
  description: 'Shows, takes, gives back or renews the main worktree (main), or a task by its name.',
  input: z.strictObject({
    what: z.string().max(64).describe('main, or a task'),
    act: z.enum(LEASE_ACTS),
    session: session.optional(),
    operation: z.enum(OPERATIONS).optional(),
    reason: because.optional(),
  }),
  annotations: STEPS,
  roles: ['coordinator'],
  run: (desk, { what, act, session: id = '', operation = OPERATIONS[0], reason = '' }) =>
    desk.work((ports, caller) => leased(ports, caller, { what, act, session: id, operation, reason })),
});

interface Leasing {
  readonly what: string;
  readonly act: (typeof LEASE_ACTS)[number];
  readonly session: string;
  readonly operation: string;
  readonly reason: string;
}

async function leased(ports: Ports, caller: Caller, asked: Leasing): Promise<Reply> {
  const { what, act, session: id, operation, reason } = asked;
  const stream = leaseOf(what);
  if (act === 'show') {
    const { holder } = await readLease(ports, stream);
    return told(
      { what, holder: holder ?? null },
      holder === undefined
        ? `nobody holds ${shown(stream)}`
        : `${shown(stream)}: session ${holder.session} (${holder.actor}), since ${holder.since}`,
    );
  }
  assertSession(id);
  if (act === 'take') {
    if (what !== 'main')
      throw new EngineError('BAD_INPUT', 'a task is taken up, not held alone', 'task_check, then task_start');
    const { kind, holder } = await takeLease(ports, caller, { stream, session: id, operation });
    if (kind === 'held') throw foreign(stream, holder);
    return told({ what, kind, holder }, `session ${id} holds ${shown(stream)}`);
  }
  await tellLease(ports, caller, { stream, session: id, what: act, reason });
  return told({ what, [act]: true }, act === 'release' ? `${shown(stream)} is free` : 'seen now');
}
