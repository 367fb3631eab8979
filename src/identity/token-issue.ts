import { isSha256Hex } from '../attestation/digest.ts';
import { active, descends } from './members.ts';
import type { Member, Roster } from './roster.ts';
import {
  type Authority,
  accept,
  barred,
  beyondEngine,
  type RosterDecision,
  type RosterRefusal,
  refuse,
  surplus,
} from './roster-decision.ts';
import type { Issue } from './roster-event.ts';

/** What is asked for; under which token it stands follows from who asks. */
export type TokenRequest = Omit<Issue, 'under'>;

/**
 * Issues a token to an agent. A person may issue for any agent; an agent only for its descendants, and never more
 * roles, items or time than its own token has. Nobody can issue one for a person: what speaks for a person is a
 * proof of the human channel.
 */
export function issueToken(roster: Roster, by: Authority, at: string, request: TokenRequest): RosterDecision {
  const bar = barred(roster, by) ?? malformed(roster, at, request);
  if (bar !== undefined) return bar;
  const member = active(roster, request.actor);
  if ('code' in member) return member;
  if (member.kind === 'human') return refuse('person', 'a token never speaks for a person');
  const role = surplus(request.roles, member.roles);
  if (role !== undefined) return refuse('exceeds', `${member.id} does not hold the role ${role}`);
  if (by.actor.kind !== 'agent')
    return (
      beyondEngine(by, member) ?? accept(by, at, { type: 'token-issued', ...exactly(request), under: '' })
    );
  return issueUnder(roster, by, at, { request, member });
}

/** Revokes a token, and with it every token issued under it. An agent may revoke its own and its descendants'. */
export function revokeToken(roster: Roster, by: Authority, at: string, id: string): RosterDecision {
  const bar = barred(roster, by);
  if (bar !== undefined) return bar;
  const token = roster.tokens.get(id);
  if (token === undefined) return refuse('unknown', `no token has the id ${JSON.stringify(id)}`);
  if (token.revoked) return refuse('revoked', `the token ${id} is revoked already`);
  if (by.actor.kind === 'agent' && !answersFor(roster, by.actor.id, token.actor)) {
    return refuse(
      'not-allowed',
      `${by.actor.id} may revoke only its own tokens and those of its descendants`,
    );
  }
  return accept(by, at, { type: 'token-revoked', id });
}

function issueUnder(
  roster: Roster,
  by: Authority,
  at: string,
  { request, member }: { readonly request: TokenRequest; readonly member: Member },
): RosterDecision {
  const { actor: issuer, token: own } = by;
  // No roles asked for are all of the actor's; written out, they cannot grow later without a person.
  const roles = request.roles.length === 0 ? member.roles : request.roles;
  if (own === undefined) return refuse('not-allowed', `${issuer.id} has no token to issue another one under`);
  if (!descends(roster, member, issuer.id)) {
    return refuse('not-allowed', `${issuer.id} may issue tokens only for its own descendants`);
  }
  const role = surplus(roles, issuer.roles);
  if (role !== undefined)
    return refuse('exceeds', `the token of ${issuer.id} does not carry the role ${role}`);
  if (
    own.items.length > 0 &&
    (request.items.length === 0 || surplus(request.items, own.items) !== undefined)
  ) {
    return refuse('exceeds', `the token of ${issuer.id} is good for fewer items`);
  }
  if (own.expiresAt !== '' && !(Date.parse(request.expiresAt) <= Date.parse(own.expiresAt))) {
    return refuse('exceeds', `the token of ${issuer.id} ends earlier, at ${own.expiresAt}`);
  }
  return accept(by, at, { type: 'token-issued', ...exactly({ ...request, roles }), under: own.id });
}

function malformed(roster: Roster, at: string, request: TokenRequest): RosterRefusal | undefined {
  const { id, token, expiresAt, items, roles } = request;
  if (id === '' || !isSha256Hex(token))
    return refuse('bad-token', 'a token has an id and the hex SHA-256 of itself');
  const same = [...roster.tokens.values()].some((issued) => issued.token === token);
  if (roster.tokens.has(id) || same) return refuse('taken', 'this token or its id was issued before');
  if ([...items, ...roles].includes('')) return refuse('bad-token', 'items and roles of a token have names');
  if (expiresAt !== '' && !(Date.parse(at) < Date.parse(expiresAt))) {
    return refuse('bad-time', 'a token expires at a time (ISO 8601 UTC) later than now, or never');
  }
  return undefined;
}

function answersFor(roster: Roster, agent: string, owner: string): boolean {
  const member = roster.members.get(owner);
  return owner === agent || (member !== undefined && descends(roster, member, agent));
}

/** Only the fields that belong into the event, whatever else the request object carries. */
function exactly({ id, actor, token, expiresAt, items, roles }: TokenRequest): TokenRequest {
  return { id, actor, token, expiresAt, items, roles };
}
