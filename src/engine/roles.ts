import type { RosterRefusal } from '../identity/roster-decision.ts';
import { BUILT_IN } from '../protocols/index.ts';

/** The roles that some protocol knows. */
export function knownRoles(): readonly string[] {
  return [...new Set(Object.values(BUILT_IN).flatMap((protocol) => protocol.roles))];
}

/** A role that no protocol knows would never be let through any gate: it is refused where it is given. */
export function unknownRole(roles: readonly string[]): RosterRefusal | undefined {
  const unknown = roles.find((role) => !knownRoles().includes(role));
  if (unknown === undefined) return undefined;
  const because = `no protocol knows the role ${JSON.stringify(unknown)}; known: ${knownRoles().join(', ')}`;
  return { ok: false, code: 'bad-roles', because };
}
