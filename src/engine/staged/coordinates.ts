import { staged } from '../../protocols/staged.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';

const ROLES: readonly string[] = staged.openers;

/**
 * What is done around a task is done by whoever may coordinate one, or by a person: the name of a session is no secret, and
 * opens nothing by itself (PROTO-53, PROTO-250, CX-17). Throws NO_CREDENTIAL.
 */
export function assertCoordinates({ actor }: Pick<Caller, 'actor'>, what: string): void {
  if (actor.kind === 'human' || actor.roles.some((role) => ROLES.includes(role))) return;
  throw new EngineError(
    'NO_CREDENTIAL',
    `only ${ROLES.join(' or ')} may ${what}, and ${actor.id} is ${actor.roles.join(', ') || 'without a role'}`,
    'whoever coordinates the task does it',
  );
}
