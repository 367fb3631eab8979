import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Opened } from '../../src/engine/composition.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { adoptedSince, adoptionOf } from '../../src/engine/criteria.ts';
import {
  type Amendment,
  amendCriteria,
  amendedCriteria,
  amendmentOf,
} from '../../src/engine/criteria-amend.ts';
import { OWNER, openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

const PATH = '.countersign/criteria/default.yaml';
const asks = (path: string) =>
  `schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: there, kind: file, path: ${path}}\n`;

let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

/** Commits stricter criteria on the default branch, as people do, and goes back to the work. */
function newCriteria(path: string): string {
  s.repo.git('checkout', '-q', 'main');
  const commit = s.repo.commit({ [PATH]: asks(path) });
  s.repo.git('checkout', '-q', 'work');
  return commit;
}

/** As a person confirms at a terminal; the channel itself is proven elsewhere. */
async function confirmedBy(opened: Opened, id: string, digest: string, proof: string) {
  const caller = await callerOf(opened, '');
  const more = { purpose: 'amend', at: s.now(), channel: 'terminal' };
  return { ...caller, actor: { ...caller.actor, id }, proof: { id: proof, digest, by: id, ...more } };
}

const amend = (id: string, from: string, who = OWNER, digest?: string) =>
  s.with(async (opened) => {
    const amendment = await amendmentOf(opened.ports, id, 'default', from);
    const person = await confirmedBy(opened, who, digest ?? amendment.digest, `proof-${from}`);
    await amendCriteria(opened.ports, person, amendment, 'the first ones forgot the help text');
    return amendment;
  });

test('an amendment keeps what it replaces: both digests are in the log, and the latest is in force', async () => {
  const id = await bring(s, 'pending');
  const row = (await s.with(({ ports }) => amendmentOf(ports, id, 'default', newCriteria('help.txt'))))
    .handle;
  const first = await amend(id, newCriteria('help.txt'));
  const second = await amend(id, newCriteria('more.txt'));
  expect(second.before).toEqual(first.after);
  await s.with(async (opened) => {
    expect(await amendedCriteria(opened.ports, row.id)).toEqual(second.after);
    const log = (await opened.ports.store.read('criteria')).map(({ body }) => JSON.parse(body));
    expect(log).toMatchObject([
      {
        type: 'criteria-amended',
        by: OWNER,
        data: { item: row.id, digest: first.after.digest, old_digest: first.before?.digest },
      },
      { data: { digest: second.after.digest, old_digest: first.after.digest } },
    ]);
    const other = await bring(s, 'pending');
    const unamended = await amendmentOf(opened.ports, other, 'default', first.after.commit);
    expect(await amendedCriteria(opened.ports, unamended.handle.id)).toBeUndefined();
    // Nor does it stand in anywhere else, as adopted criteria would.
    expect(await adoptedSince(opened.ports, 'default', '')).toBeUndefined();
  });
});

test('whoever built the item, or has no confirmation of this very change, amends nothing', async () => {
  const id = await bring(s, 'blocked');
  const commit = newCriteria('help.txt');
  await expect(amend(id, commit, DEVELOPER)).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
  await expect(amend(id, commit, OWNER, 'f'.repeat(64))).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
  await s.with(async (opened) => {
    const amendment: Amendment = await amendmentOf(opened.ports, id, 'default', commit);
    const agent = await callerOf(opened, 'orchestrator');
    await expect(amendCriteria(opened.ports, agent, amendment, '')).rejects.toMatchObject({
      code: 'NO_CREDENTIAL',
    });
    expect(await amendedCriteria(opened.ports, amendment.handle.id)).toBeUndefined();
  });
});

test('a confirmation is used up by the first amendment', async () => {
  const id = await bring(s, 'pending');
  const commit = newCriteria('help.txt');
  await s.with(async (opened) => {
    const amendment = await amendmentOf(opened.ports, id, 'default', commit);
    const person = await confirmedBy(opened, OWNER, amendment.digest, 'once');
    await amendCriteria(opened.ports, person, amendment, '');
    await expect(amendCriteria(opened.ports, person, amendment, '')).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });
});

test.each(['claimed', 'verified', 'completed'] as const)(
  'nothing is amended while an item is %s: it is judged by what it was claimed under',
  async (state) => {
    const id = await bring(s, state);
    await expect(amend(id, newCriteria('help.txt'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
  },
);

test('an item that moves between the look and the amendment is not amended', async () => {
  const id = await bring(s, 'in_progress');
  const commit = newCriteria('help.txt');
  await s.with(async (opened) => {
    const amendment = await amendmentOf(opened.ports, id, 'default', commit);
    work(s);
    expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
    const person = await confirmedBy(opened, OWNER, amendment.digest, 'late');
    await expect(amendCriteria(opened.ports, person, amendment, '')).rejects.toMatchObject({
      message: expect.stringContaining('has changed meanwhile'),
    });
  });
});

test('the same text, other criteria than the item has, and broken ones are refused', async () => {
  const id = await bring(s, 'pending');
  await s.with(async (opened) => {
    const { ports } = opened;
    const refused = { code: 'BAD_INPUT' };
    await expect(amendmentOf(ports, id, 'default', 'main')).rejects.toMatchObject(refused);
    await expect(amendmentOf(ports, id, 'other', 'main')).rejects.toMatchObject(refused);
    s.repo.git('checkout', '-q', 'main');
    const broken = s.repo.commit({ [PATH]: 'schema: countersign/criteria/1\nname: default\nchecks: []\n' });
    const amendment = await amendmentOf(ports, id, 'default', broken);
    const person = await confirmedBy(opened, OWNER, amendment.digest, 'broken');
    await expect(amendCriteria(ports, person, amendment, '')).rejects.toMatchObject(refused);
    expect(adoptionOf(ports, 'default', broken).digest).toBe(amendment.after.digest);
  });
});

test('without a terminal nobody amends by the command line', async () => {
  const id = await bring(s, 'pending');
  const commit = newCriteria('help.txt');
  expect(await s.say('', 'criteria', 'amend', 'default', '--item', id, '--from', commit)).toMatchObject({
    code: 7,
  });
  expect(
    await s.say('orchestrator', 'criteria', 'amend', 'default', '--item', id, '--from', commit),
  ).toMatchObject({ code: 7 });
});

test('the next claim freezes the amended criteria and is judged by them; the log stays clean', async () => {
  const id = await bring(s, 'blocked');
  const { after } = await amend(id, newCriteria('help.txt'));
  expect((await s.say('orchestrator', 'ack', id)).code).toBe(0);
  expect((await s.say('orchestrator', 'retry', id)).code).toBe(0);
  expect((await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER)).code).toBe(0);
  // The first criteria would pass now; the amended ones ask for another file.
  work(s);
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  const claimed = (await s.events(id)).findLast((e) => e.type === 'moved' && e.command === 'claim');
  expect(claimed).toMatchObject({ facts: { criteria: after } });
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(4);
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('what the criteria before an amendment asked for is no longer asked of the next claim', async () => {
  s.close();
  const review = '  - {id: reviewed, kind: review, by: [verification-agent]}\n';
  s = await openSession({ criteria: `${asks('work.txt')}${review}` });
  const id = await bring(s, 'blocked');
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  const asked = async () => (await s.text('verification-agent', 'next')).out.includes(' review ');
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect(await asked()).toBe(true);
  await s.say('verification-agent', 'verify', id);
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  await amend(id, newCriteria('work.txt'));
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect(await asked()).toBe(false);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(0);
});
