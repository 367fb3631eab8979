import { afterEach, expect, it } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';

// Every proposed command is one that works as it stands, or says what has to be done before it.
const ALL = ['specialist', 'verification-agent', 'workflow-orchestrator', 'quality-validator'];
let s: Session;
afterEach(() => s.close());

const shown = async (actor: string, id: string) => (await s.say(actor, 'show', id)).data.next;

it('names the one specialist to dispatch to, or those that there are', async () => {
  s = await openSession();
  const id = await bring(s, 'pending');
  expect(await shown('orchestrator', id)).toEqual([
    `countersign --actor orchestrator dispatch ${id} --to react-18-specialist  [or swiftui-developer]`,
  ]);
  s.close();
  s = await openSession({ agents: { lead: ['workflow-orchestrator'], builder: ['specialist'] } });
  await s.say('lead', 'add', 'Work');
  expect(await shown('lead', 'T-1')).toEqual(['countersign --actor lead dispatch T-1 --to builder']);
});

it('leads to the specialist after a dispatch, and not back', async () => {
  s = await openSession();
  const id = await bring(s, 'in_progress');
  for (const actor of ['orchestrator', '', 'react-18-specialist']) {
    expect(await shown(actor, id)).toEqual([
      `countersign --actor ${DEVELOPER} start ${id}`,
      `countersign --actor ${DEVELOPER} claim ${id}`,
    ]);
  }
  await s.say(DEVELOPER, 'start', id);
  expect(await shown(DEVELOPER, id)).toEqual([`countersign --actor ${DEVELOPER} claim ${id}`]);
  await s.say('', 'actor', 'retire', DEVELOPER);
  expect(await shown('orchestrator', id)).toEqual([`countersign --actor orchestrator release ${id}`]);
});

it('names only those who may verify: the builder is none of them', async () => {
  s = await openSession({ agents: { builder: ALL, checker: ['verification-agent'], lead: ALL } });
  await s.say('lead', 'add', 'Work');
  work(s);
  const claimed = await s.text('builder', 'claim', 'T-1');
  const line = 'countersign verify T-1  [verification-agent or human (ada, checker, lead)]';
  expect(claimed.out).toContain(`next: ${line}\n`);
  const refused = await s.say('builder', 'verify', 'T-1');
  expect([refused.code, refused.error.next]).toEqual([3, [line]]);
  expect(await shown('checker', 'T-1')).toEqual(['countersign --actor checker verify T-1']);
});

it('asks for a person where one is demanded', async () => {
  s = await openSession();
  const id = await bring(s, 'claimed', '--independence', 'human');
  for (const actor of ['', 'verification-agent', DEVELOPER]) {
    expect(await shown(actor, id)).toEqual([`countersign verify ${id} --confirm  [a person at a terminal]`]);
  }
});

it('leads from a verdict that would be too weak to the one that a person confirms', async () => {
  s = await openSession({ agents: {}, ownerRoles: ALL });
  await s.say('', 'add', 'Work', '--independence', 'other-lineage');
  work(s);
  await s.say('', 'claim', 'T-1');
  const way = 'countersign verify T-1 --confirm  [a person at a terminal]';
  const refused = await s.say('', 'verify', 'T-1');
  expect([refused.code, refused.error.next]).toEqual([3, [way]]);
});

it('names that one at once, before the plain word is tried', async () => {
  s = await openSession({ config: 'settings: {independence: other-lineage}\n', agents: {}, ownerRoles: ALL });
  await s.say('', 'add', 'Work');
  work(s);
  await s.say('', 'claim', 'T-1');
  const way = 'countersign verify T-1 --confirm  [a person at a terminal]';
  expect(await shown('', 'T-1')).toEqual([way]);
  expect((await s.say('', 'next')).data.next).toMatchObject([{ commands: [way] }]);
});

it('says what is needed before a refused command, instead of repeating it', async () => {
  s = await openSession();
  const id = await bring(s, 'in_progress');
  const { error } = await s.say(DEVELOPER, 'claim', id);
  expect(error.hint).toMatch(/^commit the work, .*; then countersign --actor swiftui-developer claim T-1$/);
});

it('leads from an item whose list is stopped to the one that stops it, in words of the board', async () => {
  s = await openSession({ agents: {}, ownerRoles: ALL });
  await s.say('', 'add', 'First');
  await s.say('', 'add', 'Second', '--list', 'later', '--depends-on', 'T-1');
  work(s);
  const refused = await s.text('', 'claim', 'T-2');
  expect(refused.err).toContain('0 of 1 dependencies are verified or completed');
  expect(refused.err).toContain('next: countersign show T-1');
  expect((await s.text('', 'next', '--list', 'later')).out).toContain('verified or completed');
});

it('offers one person alone to give the work out and to claim it', async () => {
  s = await openSession({ agents: {}, ownerRoles: ALL });
  await s.say('', 'add', 'Work');
  expect((await s.text('', 'next')).out).toContain(
    '  countersign dispatch T-1 --to ada\n  countersign claim T-1\n',
  );
});

it('leads a person out of a block, and tells others whom to ask', async () => {
  s = await openSession({ config: '' });
  const id = await bring(s, 'blocked');
  const mine = await s.text('', 'next');
  expect(mine.out).toContain(`\nnext: countersign ack ${id}\n`);
  expect(mine.out).not.toContain('Nothing for you to do');
  expect((await s.text('orchestrator', 'next')).out).toContain(`a person runs: countersign ack ${id}`);
  const retry = await s.say('orchestrator', 'retry', id);
  expect(retry.error.next).toEqual([`countersign ack ${id}  [a person at a terminal]`]);
  s.close();
  s = await openSession();
  const left = await bring(s, 'blocked');
  const told = `a person or the workflow-orchestrator runs: countersign ack ${left}`;
  expect((await s.text(DEVELOPER, 'next')).out).toContain(told);
});

it('offers the way back last, and only once the checks could not be run', async () => {
  s = await openSession({ criteria: '' });
  const id = await bring(s, 'claimed');
  expect(await shown('verification-agent', id)).toEqual([
    `countersign --actor verification-agent verify ${id}`,
  ]);
  s.close();
  s = await openSession({
    criteria:
      'schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: gone, kind: command, run: [no-such-program-here], report: {format: exit}}\n',
  });
  const second = await bring(s, 'claimed');
  await s.say('verification-agent', 'verify', second);
  expect((await s.say('', 'show', second)).data.status).toBe('claimed');
  expect(await shown('verification-agent', second)).toEqual([
    `countersign --actor verification-agent verify ${second}`,
    `countersign release ${second}  [workflow-orchestrator (orchestrator)]`,
  ]);
});

it('says of a blocked item that it is not verified, and of a new attempt that nothing is', async () => {
  s = await openSession();
  const id = await bring(s, 'blocked');
  const told = (await s.text('', 'show', id)).out;
  expect(told).toMatch(/^standing +not verified: blocked$/m);
  expect(told).not.toContain('verified: asked for');
  await s.say('orchestrator', 'ack', id);
  await s.say('orchestrator', 'retry', id);
  expect((await s.text('', 'show', id)).out).toMatch(/^standing +not verified$/m);
});

it('says wherever the work is told that no change was claimed', async () => {
  const criteria =
    'schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: there, kind: file, path: README.md}\n';
  s = await openSession({ criteria });
  const id = await bring(s, 'in_progress');
  const claimed = await s.text(
    DEVELOPER,
    'claim',
    id,
    '--no-change',
    '--evidence',
    `${s.repo.top}/README.md`,
  );
  const alone = await s.say('verification-agent', 'verify', id);
  expect([alone.code, alone.data.cause]).toEqual([3, expect.stringContaining('nothing was changed')]);
  await s.say('verification-agent', 'review', id, '--approve');
  await s.say('verification-agent', 'verify', id);
  const told = [claimed, await s.text('', 'show', id), await s.text('orchestrator', 'complete', id)];
  for (const { out } of told) expect(out.toLowerCase()).toContain('no change was claimed');
  expect((await s.say('', 'show', id)).data.no_change).toBe(true);
});
