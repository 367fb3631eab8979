import { afterEach, expect, test } from 'vitest';
import { BY_ORCHESTRATOR, DONE_CHECK, openSession, type Session, type Setting } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section F: phase 1, the claim.
let s: Session;
const open = async (setting: Partial<Setting> = {}) => {
  s = await openSession(setting);
};
afterEach(() => s.close());

test('2PC-55: a specialist adds no items, and claims nothing that was given to another', async () => {
  await open();
  expect((await s.say(DEVELOPER, 'add', 'My own idea')).code).toBe(7);
  const id = await bring(s, 'in_progress');
  work(s);
  const stranger = await s.say('react-18-specialist', 'claim', id);
  expect(stranger.code).toBe(3);
  expect(stranger.error.missing[0]?.because).toContain(DEVELOPER);
  expect((await s.say('react-18-specialist', 'start', id)).code).toBe(3);
});

test('2PC-55: an item that nobody was given is claimed with a mark in its history, or not at all, as the project says', async () => {
  await open();
  const id = await bring(s, 'pending');
  work(s);
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  expect((await s.text('', 'log', id)).out).toContain('implied by claim');
  s.close();
  await open({ config: 'settings: {acknowledge: orchestrator, undispatched: refuse}\n' });
  const strict = await bring(s, 'pending');
  work(s);
  const refused = await s.say(DEVELOPER, 'claim', strict);
  expect([refused.code, refused.error.missing[0]?.because]).toEqual([3, 'nobody is assignee']);
  expect((await s.say('', 'show', strict)).data.status).toBe('pending');
});

test('2PC-56: a claim without the evidence that its criteria ask for is refused by the name of the type', async () => {
  await open({ criteria: `${DONE_CHECK}evidence:\n  - {type: screenshot, match: "shots/**"}\n` });
  const id = await bring(s, 'in_progress');
  work(s);
  const refused = await s.text(DEVELOPER, 'claim', id);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain('evidence of type screenshot');
  expect(refused.err).toContain('--evidence screenshot=PATH');
  s.repo.write('login.png', 'png');
  expect((await s.say(DEVELOPER, 'claim', id, '--evidence', 'screenshot=login.png')).code).toBe(0);
});

test('2PC-56: a file of the asked type in the claimed work is evidence as well', async () => {
  await open({ criteria: `${DONE_CHECK}evidence:\n  - {type: screenshot, match: "shots/**"}\n` });
  const id = await bring(s, 'in_progress');
  s.repo.commit({ 'shots/login.png': 'png' });
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
});

test('2PC-57: a claim is one write: status, phase, claimant and time are there together or not at all', async () => {
  await open();
  const id = await bring(s, 'pending');
  work(s);
  s.at('2025-10-24T22:00:00Z');
  const said = await s.say(DEVELOPER, 'claim', id);
  expect(said.data).toMatchObject({
    status: 'claimed',
    phase: 'verification',
    claimed_by: DEVELOPER,
    claimed_at: '2025-10-24T22:00:00.000Z',
  });
  const stored = await s.with(async ({ ports }) => {
    const row = await ports.store.itemByNumber(1);
    return (await ports.store.read(`item/${row?.id}`)).slice(-2);
  });
  expect(stored[0]?.command).toBe(stored[1]?.command);
  expect((stored[1]?.position ?? 0) - (stored[0]?.position ?? 0)).toBe(1);
});

test('2PC-57: a claim that cannot be written leaves nothing of itself', async () => {
  let full = false;
  await open({
    wrap: (ports) => {
      const commit: typeof ports.store.commit = async (asked) => {
        if (full) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
        return ports.store.commit(asked);
      };
      return {
        ...ports,
        store: new Proxy(ports.store, { get: (t, k) => (k === 'commit' ? commit : bound(t, k)) }),
      };
    },
  });
  const id = await bring(s, 'in_progress');
  work(s);
  const before = await s.snapshot(id);
  full = true;
  expect((await s.say(DEVELOPER, 'claim', id)).code).not.toBe(0);
  full = false;
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
});

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? value.bind(target) : value;
}

test('2PC-58: the answer to a claim says complete, evidence, CLAIMED, and that verification is still required', async () => {
  await open({ config: BY_ORCHESTRATOR });
  const id = await bring(s, 'in_progress');
  work(s);
  const { out } = await s.text(DEVELOPER, 'claim', id);
  expect(out).toMatch(/implementation said to be complete/);
  expect(out).toMatch(/Evidence recorded: 1 changed path/);
  expect(out).toMatch(/Status: CLAIMED/);
  expect(out).toMatch(/Verification is required before completion/);
});

test('a claim whose criteria cannot be used is taken, with a warning each time that says who does what', async () => {
  const way =
    /cannot be used \(checks: must hold at least one check\).*a person runs: countersign criteria adopt default --commit main/;
  await open({ criteria: 'schema: countersign/criteria/1\nname: default\nchecks: []\n' });
  for (const round of [1, 2]) {
    const id = await bring(s, 'in_progress', '--list', `list-${round}`);
    work(s);
    const claimed = await s.say(DEVELOPER, 'claim', id);
    expect([claimed.code, claimed.data.warnings, claimed.err]).toEqual([
      0,
      [expect.stringMatching(way)],
      expect.stringMatching(way),
    ]);
  }
});

test('a claim is warned of criteria that are not there, and of nothing where they can be used', async () => {
  await open({ criteria: '' });
  const id = await bring(s, 'in_progress');
  work(s);
  const claimed = await s.say(DEVELOPER, 'claim', id);
  expect(claimed.data.warnings).toEqual([
    expect.stringMatching(/^no criteria at .*a person runs: countersign criteria adopt default/),
  ]);
  s.close();
  await open();
  for (const round of [1, 2]) {
    const sound = await bring(s, 'in_progress', '--list', `list-${round}`);
    work(s);
    expect((await s.say(DEVELOPER, 'claim', sound)).data.warnings).toEqual([]);
  }
});
