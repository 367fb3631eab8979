import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../attestation/digest.ts';
import type { Actor } from '../kernel/actor.ts';
import { actorFrom, type IssuedToken, type Roster } from './roster.ts';

/** So many bytes nobody can guess. Tests bring their own. */
export type Random = (bytes: number) => Uint8Array;

/** A new token, 256 bits, and the hash that the roster may know. The token itself belongs in one private file. */
export function mintToken(random: Random): { readonly token: string; readonly hash: string } {
  const token = `cs_${Buffer.from(random(32)).toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

/** True for text that mintToken could have made. */
export function isToken(text: string): boolean {
  return /^cs_[A-Za-z0-9_-]{43}$/.test(text);
}

/** Hex SHA-256 of the token's text. Enough for 256 random bits: there is nothing to guess that salt would slow down. */
export function hashToken(token: string): string {
  return sha256Hex(token);
}

export type Authentication =
  /** `actor` has the roles that the token still carries; `token.items` says for which items, [] = all. */
  { readonly ok: true; readonly actor: Actor; readonly token: IssuedToken } | AuthenticationFailure;

export interface AuthenticationFailure {
  readonly ok: false;
  readonly code: 'unknown' | 'expired' | 'revoked' | 'retired';
  readonly because: string;
}

/**
 * The actor behind a token, with no more roles than the token, and every token it was issued under, still carry at
 * `now` (ISO 8601 UTC). Never a person: a token cannot speak for one. The answer does not repeat the token.
 */
export function authenticate(roster: Roster, token: string, now: string): Authentication {
  const issued = isToken(token) ? find(roster, token) : undefined;
  if (issued === undefined) return fail('unknown', 'no such token was issued for this repository');
  const worth = worthOf(roster, issued, now, new Set());
  return worth.ok ? { ok: true, actor: worth.actor, token: issued } : worth;
}

/** Compares with every hash in constant time, so that the time taken tells nothing about any of them. */
function find(roster: Roster, token: string): IssuedToken | undefined {
  const hash = Buffer.from(hashToken(token), 'latin1');
  const other = Buffer.alloc(hash.length);
  let found: IssuedToken | undefined;
  for (const issued of roster.tokens.values()) {
    if (issued.token.length !== hash.length) continue;
    other.write(issued.token, 'latin1');
    if (timingSafeEqual(other, hash)) found = issued;
  }
  return found;
}

type Worth = { readonly ok: true; readonly actor: Actor } | AuthenticationFailure;

function worthOf(roster: Roster, token: IssuedToken, now: string, seen: Set<string>): Worth {
  const member = roster.members.get(token.actor);
  if (member === undefined) return fail('unknown', `the token ${token.id} belongs to nobody registered`);
  if (member.kind !== 'agent') return fail('unknown', 'a token never speaks for a person');
  if (member.retired) return fail('retired', `${member.id} is retired`);
  if (token.revoked) return fail('revoked', `the token ${token.id} is revoked`);
  // Written so that a time nobody can read counts as over.
  if (token.expiresAt !== '' && !(Date.parse(now) < Date.parse(token.expiresAt))) {
    return fail('expired', `the token ${token.id} ended at ${token.expiresAt}`);
  }
  const roles = member.roles.filter((role) => token.roles.length === 0 || token.roles.includes(role));
  if (token.under === '') return { ok: true, actor: actorFrom(roster, member, roles) };

  const above = roster.tokens.get(token.under);
  if (above === undefined || seen.has(above.id))
    return fail('unknown', `${token.id} stands under no issued token`);
  const limit = worthOf(roster, above, now, seen.add(token.id));
  if (!limit.ok) return fail(limit.code, `it was issued under another token, and ${limit.because}`);
  const kept = roles.filter((role) => limit.actor.roles.includes(role));
  return { ok: true, actor: actorFrom(roster, member, kept) };
}

function fail(code: AuthenticationFailure['code'], because: string): AuthenticationFailure {
  return { ok: false, code, because };
}
