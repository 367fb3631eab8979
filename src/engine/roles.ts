import type { RosterRefusal } from '../identity/roster-decision.ts';
import { BUILT_IN } from '../protocols/index.ts';
import type { Ports } from './ports.ts';
import { everyProtocol } from './project-protocols.ts';

/** The roles that some protocol of the engine knows. */
export function knownRoles(): readonly string[] {
  return [...new Set(Object.values(BUILT_IN).flatMap((protocol) => protocol.roles))];
}

/** A role that no protocol knows, the project's own included, would never be let through any gate: it is refused where it is given. */
export async function unknownRole(
  ports: Pick<Ports, 'git'>,
  roles: readonly string[],
): Promise<RosterRefusal | undefined> {
  if (roles.every((role) => knownRoles().includes(role))) return undefined;
  const known = [...new Set((await everyProtocol(ports)).flatMap((protocol) => protocol.roles))];
  const unknown = roles.find((role) => !known.includes(role));
  if (unknown === undefined) return undefined;
  const because = `no protocol knows the role ${JSON.stringify(unknown)}; known: ${known.join(', ')}`;
  return { ok: false, code: 'bad-roles', because };
}
