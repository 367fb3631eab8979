import type { Roster } from '../identity/roster.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Refused } from '../kernel/decide.ts';
import type { Caller } from './caller.ts';
import { EngineError } from './engine-error.ts';
import type { Ports } from './ports.ts';
import { readRoster } from './roster.ts';

// Whoever was let in may have lost a role, their token or their place before what they asked for is decided: a person reads
// what they confirm, checks run for minutes, a worker runs for days.

/** The refusal of whoever has left since they were let in, or whose token was revoked; undefined while they stand. */
export function lostStanding({ actor, token }: Caller, roster: Roster): Refused | undefined {
  if (actor.kind === 'system') return undefined;
  if (roster.members.get(actor.id)?.retired) return refused(`${actor.id} has left this repository`);
  return isRevoked(token?.id ?? '', roster) ? refused(`the token of ${actor.id} was revoked`) : undefined;
}

/** A token ends with each one that it was issued under, and with whoever holds that. */
function isRevoked(id: string, { members, tokens }: Roster): boolean {
  const above = new Set<string>();
  for (let token = tokens.get(id); token !== undefined; token = tokens.get(token.under)) {
    if (token.revoked || members.get(token.actor)?.retired) return true;
    if (above.has(token.id)) return true;
    above.add(token.id);
  }
  return false;
}

/** The actor with those of the roles that it still has. */
export function asOfNow(actor: Actor, { members }: Roster): Actor {
  const now = members.get(actor.id);
  if (actor.kind === 'system' || now === undefined) return actor;
  return { ...actor, roles: actor.roles.filter((role) => now.roles.includes(role)) };
}

/** For what is decided on the caller as it was let in. Throws NO_CREDENTIAL where it lost anything since. */
export function assertStands(caller: Caller, roster: Roster): void {
  const lost = lostStanding(caller, roster);
  if (lost !== undefined) throw new EngineError('NO_CREDENTIAL', lost.because);
  const { id, roles } = caller.actor;
  if (asOfNow(caller.actor, roster).roles.length === roles.length) return;
  throw new EngineError(
    'NO_CREDENTIAL',
    `the roles of ${id} were changed meanwhile; nothing was written`,
    'try again',
  );
}

/** The same, as the roster is now. */
export const stillStands = async (ports: Pick<Ports, 'store'>, caller: Caller): Promise<void> =>
  assertStands(caller, (await readRoster(ports)).roster);

const refused = (because: string): Refused => ({
  kind: 'refused',
  code: 'wrong-role',
  because,
  verdicts: [],
});
