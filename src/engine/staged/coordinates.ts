import { staged } from '../../protocols/staged.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';

const ROLES: readonly string[] = staged.openers;

export const mayCoordinate = ({ actor }: Pick<Caller, 'actor'>): boolean =>
  actor.kind === 'human' || actor.roles.some((role) => ROLES.includes(role));

/**
 * What is done around a task is done by whoever may coordinate one, or by a person: the name of a session is no secret, and
 * opens nothing by itself (PROTO-53, PROTO-250, CX-17). Throws NO_CREDENTIAL.
 */
export function assertCoordinates(caller: Pick<Caller, 'actor'>, what: string): void {
  if (mayCoordinate(caller)) return;
  const { actor } = caller;
  throw new EngineError(
    'NO_CREDENTIAL',
    `only ${ROLES.join(' or ')} may ${what}, and ${actor.id} is ${actor.roles.join(', ') || 'without a role'}`,
    'whoever coordinates the task does it',
  );
}
