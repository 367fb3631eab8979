import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { foldRoster, type Roster } from './roster.ts';
import type { Authority, RosterDecision } from './roster-decision.ts';
import type { RosterChange } from './roster-event.ts';
import { issueToken, revokeToken, type TokenRequest } from './token-issue.ts';
import { authenticate, hashToken, isToken, mintToken } from './tokens.ts';

const at = '2026-03-01T10:00:00.000Z';
const later = '2026-03-01T12:00:00.000Z';
const after = (roster: Roster, ...changes: RosterChange[]) =>
  foldRoster(
    changes.map((change) => ({ ...change, at, by: 'human' })),
    roster,
  );
const applied = (roster: Roster, decision: RosterDecision): Roster => {
  if (!decision.ok) throw new Error(decision.because);
  return foldRoster(decision.events, roster);
};
const registered = (
  id: string,
  roles: string[],
  parent = '',
  kind: 'agent' | 'human' = 'agent',
): RosterChange => ({
  type: 'actor-registered',
  actor: { id, kind, roles, parent },
});
const person: Authority = {
  actor: { id: 'human', kind: 'human', roles: [], ancestors: [] },
  token: undefined,
};
const team = after(
  foldRoster([]),
  registered('ann', [], '', 'human'),
  registered('lead', ['builder', 'planner']),
  registered('dev', ['builder'], 'lead'),
  registered('peer', ['verifier']),
);
const secret = { lead: mintToken(randomBytes), dev: mintToken(randomBytes) };
const request = (actor: string, hash: string, fields: Partial<TokenRequest> = {}): TokenRequest => ({
  id: `t-${actor}`,
  actor,
  token: hash,
  expiresAt: '',
  items: [],
  roles: [],
  ...fields,
});
const codeOf = (answer: { ok: true } | { ok: false; code: string }) => (answer.ok ? 'ok' : answer.code);
const authority = (roster: Roster, token: string): Authority => {
  const answer = authenticate(roster, token, at);
  if (!answer.ok) throw new Error(answer.because);
  return answer;
};
/** The lead with a token of these limits. */
const withLead = (fields: Partial<TokenRequest> = {}) =>
  applied(team, issueToken(team, person, at, request('lead', secret.lead.hash, fields)));
/** The same with a token for dev issued under it. */
const withBoth = () => {
  const roster = withLead();
  return applied(
    roster,
    issueToken(roster, authority(roster, secret.lead.token), at, request('dev', secret.dev.hash)),
  );
};

test('a token is 256 random bits, and the roster knows its hash alone', () => {
  const { token, hash } = mintToken(() => Buffer.alloc(32, 7));
  expect(token).toBe(`cs_${Buffer.alloc(32, 7).toString('base64url')}`);
  expect(isToken(token)).toBe(true);
  expect(hash).toBe(hashToken(token));
  expect(JSON.stringify([...withLead().tokens.values()])).not.toContain(secret.lead.token);
});

test('the name comes from the credential: only the token of an actor speaks for it', () => {
  const roster = withLead();
  expect(authenticate(roster, secret.lead.token, at)).toMatchObject({
    ok: true,
    actor: { id: 'lead', kind: 'agent' },
  });
  for (const other of [mintToken(randomBytes).token, 'lead', '', secret.lead.hash, `${secret.lead.token}x`]) {
    expect(authenticate(roster, other, at)).toMatchObject({ ok: false, code: 'unknown' });
  }
});

test('text that is no token opens nothing, even where the log holds its hash', () => {
  const roster = after(team, { type: 'token-issued', ...request('dev', hashToken('')), under: '' });
  expect(codeOf(authenticate(roster, '', at))).toBe('unknown');
});

test('no answer repeats the token', () => {
  const token = mintToken(randomBytes).token;
  expect(JSON.stringify(authenticate(withLead(), token, at))).not.toContain(token);
});

test('a token ends at its time, and a time that nobody can read is over', () => {
  const roster = withLead({ expiresAt: later });
  expect(codeOf(authenticate(roster, secret.lead.token, at))).toBe('ok');
  expect(codeOf(authenticate(roster, secret.lead.token, later))).toBe('expired');
  expect(codeOf(authenticate(roster, secret.lead.token, 'soon'))).toBe('expired');
  for (const expiresAt of [at, 'never', '2026-02-01T00:00:00.000Z']) {
    expect(codeOf(issueToken(team, person, at, request('lead', secret.lead.hash, { expiresAt })))).toBe(
      'bad-time',
    );
  }
});

test('roles are the ones of the token that the actor still has', () => {
  const roster = withLead({ roles: ['planner'] });
  expect(authority(roster, secret.lead.token).actor.roles).toEqual(['planner']);
  const stripped = after(roster, { type: 'roles-changed', actor: 'lead', roles: ['builder'] });
  expect(authority(stripped, secret.lead.token).actor.roles).toEqual([]);
});

test('a retired actor and a revoked token open nothing', () => {
  const roster = withLead();
  expect(
    codeOf(authenticate(after(roster, { type: 'actor-retired', actor: 'lead' }), secret.lead.token, at)),
  ).toBe('retired');
  const revoked = applied(roster, revokeToken(roster, person, at, 't-lead'));
  expect(codeOf(authenticate(revoked, secret.lead.token, at))).toBe('revoked');
  expect(codeOf(revokeToken(revoked, person, at, 't-lead'))).toBe('revoked');
});

test('the human who shares an account with the agent: no token can carry a person, however it got into the log', () => {
  expect(codeOf(issueToken(team, person, at, request('ann', secret.lead.hash)))).toBe('person');
  const lead = authority(withLead(), secret.lead.token);
  expect(codeOf(issueToken(withLead(), lead, at, request('ann', secret.dev.hash)))).toBe('person');
  const forged = after(team, { type: 'token-issued', ...request('ann', secret.lead.hash), under: '' });
  expect(codeOf(authenticate(forged, secret.lead.token, at))).toBe('unknown');
});

test('an agent issues tokens only for its descendants, and only under a token of its own', () => {
  const roster = withLead();
  const lead = authority(roster, secret.lead.token);
  expect(codeOf(issueToken(roster, lead, at, request('dev', secret.dev.hash)))).toBe('ok');
  expect(codeOf(issueToken(roster, lead, at, request('peer', secret.dev.hash)))).toBe('not-allowed');
  expect(codeOf(issueToken(roster, lead, at, request('lead', secret.dev.hash, { id: 't2' })))).toBe(
    'not-allowed',
  );
  const bare = { ...lead, token: undefined };
  expect(codeOf(issueToken(roster, bare, at, request('dev', secret.dev.hash)))).toBe('not-allowed');
});

test.each<[string, Partial<TokenRequest>, Partial<TokenRequest>]>([
  ['roles', { roles: ['planner'] }, {}],
  ['roles', { roles: ['planner'] }, { roles: ['builder'] }],
  ['items', { items: ['i1'] }, {}],
  ['items', { items: ['i1'] }, { items: ['i1', 'i2'] }],
  ['time', { expiresAt: later }, {}],
  ['time', { expiresAt: later }, { expiresAt: '2026-03-01T12:00:00.001Z' }],
])('a child’s token never exceeds its parent’s: %s of %j against %j', (_, own, asked) => {
  const roster = withLead(own);
  const lead = authority(roster, secret.lead.token);
  expect(codeOf(issueToken(roster, lead, at, request('dev', secret.dev.hash, asked)))).toBe('exceeds');
});

test('a child’s token within its parent’s limits is issued, with its roles written out', () => {
  const roster = withLead({ items: ['i1', 'i2'], expiresAt: later });
  const lead = authority(roster, secret.lead.token);
  const asked = request('dev', secret.dev.hash, { items: ['i2'], expiresAt: later });
  expect(issueToken(roster, lead, at, asked)).toEqual({
    ok: true,
    events: [{ type: 'token-issued', ...asked, roles: ['builder'], under: 't-lead', at, by: 'lead' }],
  });
});

test('what is taken from the parent’s token is taken from those issued under it', () => {
  const roster = withBoth();
  const opens = (changed: Roster) => authenticate(changed, secret.dev.token, at);
  expect(opens(roster)).toMatchObject({
    ok: true,
    actor: { id: 'dev', roles: ['builder'], ancestors: ['lead'] },
  });
  expect(codeOf(opens(after(roster, { type: 'token-revoked', id: 't-lead' })))).toBe('revoked');
  expect(codeOf(opens(after(roster, { type: 'actor-retired', actor: 'lead' })))).toBe('retired');
  const narrowed = after(roster, { type: 'roles-changed', actor: 'lead', roles: ['planner'] });
  expect(opens(narrowed)).toMatchObject({ ok: true, actor: { roles: [] } });
});

test('a token that stands under nothing, or under itself, opens nothing', () => {
  const under = (id: string) =>
    after(team, { type: 'token-issued', ...request('dev', secret.dev.hash), under: id });
  expect(codeOf(authenticate(under('t-gone'), secret.dev.token, at))).toBe('unknown');
  expect(codeOf(authenticate(under('t-dev'), secret.dev.token, at))).toBe('unknown');
  const nobody = after(team, { type: 'token-issued', ...request('ghost', secret.dev.hash), under: '' });
  expect(codeOf(authenticate(nobody, secret.dev.token, at))).toBe('unknown');
});

test('a token is issued once, in the form of its hash, with named items and roles of the actor', () => {
  const roster = withLead();
  const ask = (fields: Partial<TokenRequest>) =>
    codeOf(issueToken(roster, person, at, request('dev', secret.dev.hash, fields)));
  expect(ask({ id: 't-lead' })).toBe('taken');
  expect(ask({ token: secret.lead.hash })).toBe('taken');
  expect(ask({ token: secret.dev.token })).toBe('bad-token');
  expect(ask({ id: '' })).toBe('bad-token');
  expect(ask({ items: [''] })).toBe('bad-token');
  expect(ask({ roles: ['planner'] })).toBe('exceeds');
  expect(ask({ actor: 'ghost' })).toBe('unknown');
});

test('an agent revokes its own and its descendants’ tokens, nobody else’s', () => {
  const roster = withBoth();
  const [lead, dev] = [authority(roster, secret.lead.token), authority(roster, secret.dev.token)];
  expect(codeOf(revokeToken(roster, lead, at, 't-dev'))).toBe('ok');
  expect(codeOf(revokeToken(roster, dev, at, 't-dev'))).toBe('ok');
  expect(codeOf(revokeToken(roster, dev, at, 't-lead'))).toBe('not-allowed');
  expect(codeOf(revokeToken(roster, lead, at, 't-none'))).toBe('unknown');
});
