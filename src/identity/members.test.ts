import { expect, test } from 'vitest';
import { changeRoles, registerActor, retireActor } from './members.ts';
import { actorFrom, foldRoster, type Roster } from './roster.ts';
import type { Authority, RosterDecision } from './roster-decision.ts';
import type { Registration } from './roster-event.ts';

const at = '2026-03-01T10:00:00.000Z';
const person: Authority = {
  actor: { id: 'human', kind: 'human', roles: [], ancestors: [] },
  token: undefined,
};
const agent = (id: string, fields: Partial<Registration> = {}): Registration => ({
  id,
  kind: 'agent',
  roles: ['builder'],
  parent: '',
  ...fields,
});
const rosterOf = (...actors: Registration[]): Roster =>
  foldRoster(actors.map((actor) => ({ type: 'actor-registered', actor, at, by: 'human' })));
const as = (roster: Roster, id: string): Authority => {
  const member = roster.members.get(id);
  if (member === undefined) throw new Error(`the test registers no ${id}`);
  return { actor: actorFrom(roster, member, member.roles), token: undefined };
};
const codeOf = (decision: RosterDecision) => (decision.ok ? 'ok' : decision.code);

const team = rosterOf(
  agent('lead', { roles: ['builder', 'planner'] }),
  agent('dev', { parent: 'lead' }),
  agent('peer'),
);
const lead = as(team, 'lead');

test('a person registers an unrelated agent; the event names who did it and when', () => {
  expect(registerActor(team, person, at, agent('fresh', { roles: ['verifier', 'verifier'] }))).toEqual({
    ok: true,
    events: [{ type: 'actor-registered', actor: agent('fresh', { roles: ['verifier'] }), at, by: 'human' }],
  });
});

test.each(['', 'a b', '-x', '../up', 'a/b', 'é', 'x'.repeat(65), 'Fresh'])('%j is no id', (id) => {
  expect(codeOf(registerActor(team, person, at, agent(id)))).toBe('bad-id');
});

test.each(['engine', 'policy', 'human', 'Human', 'ENGINE'])('%s is reserved', (id) => {
  expect(codeOf(registerActor(team, person, at, agent(id)))).toBe('reserved');
});

test('an id is used once: not twice, not in another case, not after retirement', () => {
  const retired = retireActor(team, person, at, 'peer');
  if (!retired.ok) throw new Error(retired.because);
  const later = foldRoster(retired.events, team);
  expect(codeOf(registerActor(team, person, at, agent('peer')))).toBe('taken');
  expect(codeOf(registerActor(team, person, at, agent('PEER')))).toBe('taken');
  expect(codeOf(registerActor(later, person, at, agent('peer')))).toBe('taken');
});

test('an alias of one’s own: an agent registers its children and nobody beside itself', () => {
  expect(codeOf(registerActor(team, lead, at, agent('kid', { parent: 'lead' })))).toBe('ok');
  expect(codeOf(registerActor(team, lead, at, agent('stranger')))).toBe('not-allowed');
  expect(codeOf(registerActor(team, lead, at, agent('nephew', { parent: 'peer' })))).toBe('not-allowed');
  expect(codeOf(registerActor(team, lead, at, agent('grandkid', { parent: 'dev' })))).toBe('not-allowed');
});

test('a child holds no role that its parent lacks, unless a person gives it', () => {
  const kid = agent('kid', { parent: 'lead', roles: ['builder', 'verifier'] });
  expect(codeOf(registerActor(team, lead, at, kid))).toBe('exceeds');
  const narrowed: Authority = { ...lead, actor: { ...lead.actor, roles: ['planner'] } };
  expect(codeOf(registerActor(team, narrowed, at, { ...kid, roles: ['builder'] }))).toBe('exceeds');
  expect(codeOf(registerActor(team, person, at, kid))).toBe('ok');
});

test('an agent cannot make a person, and a person is nobody’s child', () => {
  expect(codeOf(registerActor(team, lead, at, agent('ann', { kind: 'human' })))).toBe('person');
  expect(codeOf(registerActor(team, person, at, agent('ann', { kind: 'human' })))).toBe('ok');
  expect(codeOf(registerActor(team, person, at, agent('ann', { kind: 'human', parent: 'lead' })))).toBe(
    'bad-parent',
  );
});

test('a parent must be there, and active', () => {
  expect(codeOf(registerActor(team, person, at, agent('kid', { parent: 'nobody' })))).toBe('bad-parent');
  const later = foldRoster([{ type: 'actor-retired', actor: 'lead', at, by: 'human' }], team);
  expect(codeOf(registerActor(later, person, at, agent('kid', { parent: 'lead' })))).toBe('bad-parent');
});

test('a role without a name is refused: guards read it as any role', () => {
  expect(codeOf(registerActor(team, person, at, agent('kid', { roles: [''] })))).toBe('bad-roles');
  expect(codeOf(changeRoles(team, person, at, { actor: 'dev', roles: [' '] }))).toBe('bad-roles');
});

test('the acting actor must be the one on the roster', () => {
  const kid = agent('kid', { parent: 'lead' });
  const ghost: Authority = { ...lead, actor: { ...lead.actor, id: 'ghost' } };
  const masked: Authority = { ...lead, actor: { ...lead.actor, kind: 'human' } };
  const engine: Authority = { ...lead, actor: { ...lead.actor, id: 'engine', kind: 'system' } };
  const later = foldRoster([{ type: 'actor-retired', actor: 'lead', at, by: 'human' }], team);
  expect(codeOf(registerActor(team, ghost, at, kid))).toBe('unknown');
  expect(codeOf(registerActor(team, masked, at, agent('kid')))).toBe('not-allowed');
  expect(codeOf(registerActor(team, engine, at, kid))).toBe('not-allowed');
  expect(codeOf(retireActor(later, lead, at, 'dev'))).toBe('retired');
});

test('an agent cannot remove a reviewer: it retires its descendants only', () => {
  expect(codeOf(retireActor(team, lead, at, 'peer'))).toBe('not-allowed');
  expect(codeOf(retireActor(team, as(team, 'dev'), at, 'lead'))).toBe('not-allowed');
  expect(codeOf(retireActor(team, lead, at, 'dev'))).toBe('ok');
  expect(codeOf(retireActor(team, person, at, 'peer'))).toBe('ok');
  expect(codeOf(retireActor(team, person, at, 'nobody'))).toBe('unknown');
});

test('roles are changed by people only, and of active actors only', () => {
  const change = { actor: 'dev', roles: ['verifier'] };
  expect(changeRoles(team, person, at, change)).toEqual({
    ok: true,
    events: [{ type: 'roles-changed', ...change, at, by: 'human' }],
  });
  expect(codeOf(changeRoles(team, lead, at, change))).toBe('not-allowed');
  const later = foldRoster([{ type: 'actor-retired', actor: 'dev', at, by: 'human' }], team);
  expect(codeOf(changeRoles(later, person, at, change))).toBe('retired');
  expect(codeOf(retireActor(later, person, at, 'dev'))).toBe('retired');
});
