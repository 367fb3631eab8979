import { expect, test } from 'vitest';
import { generateKeyPair } from '../attestation/key.ts';
import { related } from '../kernel/actor.ts';
import { actorsOf, currentKeys, foldRoster, formerActorsOf, trustedKeys } from './roster.ts';
import type { RosterChange, RosterEvent } from './roster-event.ts';

const at = '2026-03-01T10:00:00.000Z';
const log = (...changes: RosterChange[]): RosterEvent[] =>
  changes.map((change) => ({ ...change, at, by: 'human' }));
const registered = (id: string, parent = '', kind: 'agent' | 'human' = 'agent'): RosterChange => ({
  type: 'actor-registered',
  actor: { id, kind, roles: ['builder'], parent },
});
const byId = (events: RosterEvent[], id: string) => actorsOf(foldRoster(events)).find((a) => a.id === id);

test('ancestors are the agents above, nearest first, and a person is nobody’s ancestor', () => {
  const events = log(
    registered('ann', '', 'human'),
    registered('lead', 'ann'),
    registered('dev', 'lead'),
    registered('minion', 'dev'),
  );
  expect(byId(events, 'minion')?.ancestors).toEqual(['dev', 'lead']);
  expect(byId(events, 'lead')?.ancestors).toEqual([]);
  expect(byId(events, 'ann')).toEqual({ id: 'ann', kind: 'human', roles: ['builder'], ancestors: [] });
});

test('a retired parent stays in the lineage: retiring it makes no strangers', () => {
  const events = log(registered('lead'), registered('dev', 'lead'), { type: 'actor-retired', actor: 'lead' });
  const roster = foldRoster(events);
  expect(actorsOf(roster).map((a) => a.id)).toEqual(['dev']);
  expect(byId(events, 'dev')?.ancestors).toEqual(['lead']);
});

test('a retired builder is still related to its parent, and holds no role', () => {
  const roster = foldRoster(
    log(registered('lead'), registered('dev', 'lead'), { type: 'actor-retired', actor: 'dev' }),
  );
  const [lead] = actorsOf(roster);
  const [dev] = formerActorsOf(roster);
  expect(dev).toMatchObject({ id: 'dev', roles: [] });
  expect(lead && dev && related(lead, dev)).toBe(true);
});

test('lineage ends even where a damaged log makes a circle', () => {
  const events = log(registered('a', 'b'), registered('b', 'a'), registered('c', 'a'));
  expect(byId(events, 'a')?.ancestors).toEqual(['b']);
  expect(byId(events, 'c')?.ancestors).toEqual(['a', 'b']);
});

test('roles change; a second registration of an id takes nothing over', () => {
  const events = log(
    registered('dev'),
    { type: 'roles-changed', actor: 'dev', roles: ['verifier'] },
    registered('dev', '', 'human'),
  );
  expect(byId(events, 'dev')).toMatchObject({ kind: 'agent', roles: ['verifier'] });
});

test('folding goes on from an earlier roster without changing it', () => {
  const before = foldRoster(log({ type: 'repository-opened', repository: 'r1' }, registered('dev')));
  const after = foldRoster(log({ type: 'actor-retired', actor: 'dev' }), before);
  expect(before.members.get('dev')?.retired).toBe(false);
  expect(after.members.get('dev')?.retired).toBe(true);
  expect(after.repository).toBe('r1');
});

test('a retired key is trusted for what it signed, signs nothing new, and does not come back', () => {
  const [old, fresh] = [generateKeyPair(), generateKeyPair()];
  const added = ({ keyid, publicPem }: typeof old, purpose: string): RosterChange => ({
    type: 'key-added',
    keyid,
    publicPem,
    purpose,
  });
  const roster = foldRoster(
    log(
      added(old, 'runner'),
      { type: 'key-retired', keyid: old.keyid },
      added(old, 'runner'),
      added(fresh, 'checkpoint'),
    ),
  );
  expect(trustedKeys(roster).map((key) => key.keyid)).toEqual([old.keyid, fresh.keyid]);
  expect(trustedKeys(roster, 'runner')).toEqual([{ keyid: old.keyid, publicPem: old.publicPem }]);
  expect(currentKeys(roster, 'runner')).toEqual([]);
  expect(currentKeys(roster, 'checkpoint').map((key) => key.keyid)).toEqual([fresh.keyid]);
});

test('an event of an unknown type is not skipped: it could take a right away', () => {
  const unknown = JSON.parse('[{"type":"token-suspended","at":"","by":"human"}]');
  expect(() => foldRoster(unknown)).toThrow(expect.objectContaining({ code: 'UNKNOWN_EVENT' }));
});
