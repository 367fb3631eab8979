import { afterEach, expect, test } from 'vitest';
import { OWNER, openSession, type Session, type Setting } from '../session.ts';
import { work } from './bring.ts';

// One person, or one person with one agent: everything can be done, and nothing claims to be independent.
const ALL = ['specialist', 'verification-agent', 'workflow-orchestrator', 'quality-validator'];
const WEAK = 'automated, not independent';
let s: Session;
const open = async (setting: Partial<Setting>) => {
  s = await openSession({ agents: {}, ownerRoles: ALL, ...setting });
};
afterEach(() => s.close());

test('one person alone adds, claims, verifies and completes, and every place says: automated, not independent', async () => {
  await open({});
  await s.say('', 'add', 'Implement login screen');
  work(s);
  expect((await s.say('', 'claim', 'T-1')).data.claimed_by).toBe(OWNER);
  const verified = await s.text('', 'verify', 'T-1');
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(WEAK)]);
  expect((await s.text('', 'show', 'T-1')).out).toContain(WEAK);
  const done = await s.text('', 'complete', 'T-1');
  expect([done.code, done.out]).toEqual([0, expect.stringContaining(WEAK)]);
  expect((await s.say('', 'show', 'T-1')).data).toMatchObject({
    status: 'completed',
    independence: 'automated',
  });
  const pack = (await s.events('T-1')).find((e) => e.type === 'recorded' && e.kind === 'proof-pack');
  expect(pack).toMatchObject({ independence: 'automated', requestedBy: OWNER });
});

test('alone, bad work is blocked all the same, and a person acknowledges it only at a terminal', async () => {
  await open({});
  await s.say('', 'add', 'Implement login screen');
  work(s, false);
  await s.say('', 'claim', 'T-1');
  expect((await s.say('', 'verify', 'T-1')).code).toBe(4);
  expect((await s.say('', 'complete', 'T-1')).code).toBe(6);
  // The project lets an orchestrator acknowledge, which this person is.
  expect((await s.say('', 'ack', 'T-1')).code).toBe(0);
  expect((await s.say('', 'retry', 'T-1')).code).toBe(0);
});

test('one person with one agent: the agent builds, and what the person asks for without a proof is marked weak', async () => {
  await open({ agents: { agent: ['specialist'] } });
  await s.say('', 'add', 'Implement login screen');
  await s.say('', 'dispatch', 'T-1', '--to', 'agent');
  work(s);
  await s.say('agent', 'claim', 'T-1');
  expect((await s.say('agent', 'verify', 'T-1')).code).toBe(7);
  expect((await s.text('', 'verify', 'T-1')).out).toContain(WEAK);
  expect((await s.say('agent', 'complete', 'T-1')).code).toBe(7);
  expect((await s.say('', 'complete', 'T-1')).data).toMatchObject({
    status: 'completed',
    independence: 'automated',
  });
});

test('one agent with every role verifies its own work only while nobody else could, and is marked weak', async () => {
  await open({ agents: { agent: ALL }, ownerRoles: [] });
  await s.say('agent', 'add', 'Implement login screen');
  work(s);
  await s.say('agent', 'claim', 'T-1');
  expect((await s.say('agent', 'verify', 'T-1')).data).toMatchObject({
    status: 'verified',
    independence: 'automated',
  });
  expect((await s.say('agent', 'complete', 'T-1')).code).toBe(0);
  await s.register('second', ['verification-agent']);
  await s.say('agent', 'add', 'Implement logout');
  work(s);
  await s.say('agent', 'claim', 'T-2');
  expect((await s.say('agent', 'verify', 'T-2')).code).toBe(3);
  expect((await s.say('second', 'verify', 'T-2')).data).toMatchObject({ independence: 'other-lineage' });
});

test('where more is demanded, being alone is no way round it: refused before anything runs', async () => {
  let runs = 0;
  await open({
    config: 'settings: {acknowledge: orchestrator, independence: human}\n',
    wrap: (ports) => ({
      ...ports,
      runner: {
        ...ports.runner,
        run: (question) => {
          runs += 1;
          return ports.runner.run(question);
        },
      },
    }),
  });
  await s.say('', 'add', 'Implement login screen');
  work(s);
  await s.say('', 'claim', 'T-1');
  const refused = await s.say('', 'verify', 'T-1');
  expect([refused.code, runs]).toEqual([3, 0]);
  expect(refused.error.missing.map((m) => m.because)).toContain('independence is automated, human needed');
  expect((await s.say('', 'show', 'T-1')).data.status).toBe('claimed');
});
