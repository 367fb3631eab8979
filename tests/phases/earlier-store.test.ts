import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compose } from '../../src/compose.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { OWNER } from '../session.ts';
import { mends, processesIn, runsFolder } from './beside.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// A store that is made anew gives the numbers of the one before again, and what that one left is still there.
const task = 'T-1';
let stage: Stage;
let phase = '';
let agent = '';
let earlier = '';
let work = '';
let before: readonly number[] = [];
beforeAll(async () => {
  stage = await openStage({ config: CONFIG().replace('reviewers: 3', 'reviewers: 1') });
  const [first = ''] = await stage.plan('A');
  [phase, agent] = [first, await stage.deploy(first, 'The first order')];
  await mends(stage, phase, { 'earlier.txt': 'of an earlier store\n' });
  work = stage.s.repo.git('rev-parse', `phases/${task}`).trim();
  earlier = runsFolder(stage);
  before = processesIn(stage.trees, agent);
  expect(before).not.toEqual([]);
  const state = join(stage.s.repo.top, '.git/countersign');
  for (const name of readdirSync(state)) if (name.startsWith('store.db')) rmSync(join(state, name));
  await stage.must('', 'init', '--owner', OWNER);
  await stage.s.register(LEAD, ['orchestrator']);
});
afterAll(() => stage.close());

it('no branch that was there before its task counts as the work of it', async () => {
  const said = await stage.s.say(LEAD, 'phase', 'plan', 'Again', '--phase', 'A');
  expect([said.code, said.error.message]).toEqual([2, expect.stringContaining(`phases/${task} already`)]);
  expect(said.error.hint).toContain(`git branch -m phases/${task} `);
  expect((await stage.must('', 'list')).data).toMatchObject({ items: [] });
  stage.s.repo.git('branch', '-m', `phases/${task}`, 'put-aside');
  expect(await stage.plan('A')).toEqual([phase]);
  expect(stage.s.repo.git('rev-parse', 'put-aside').trim()).toBe(work);
});

it('PHASE-14: an agent of the same name is started anew, with its own order, and the earlier one is ended', async () => {
  expect(await stage.deploy(phase, 'The second order')).toBe(agent);
  const told = async () => (await stage.s.text(LEAD, 'agent', 'output', agent)).out;
  await expect.poll(told).toContain('The second order');
  expect(await told()).not.toContain('The first order');
  const now = processesIn(stage.trees, agent);
  expect(now.filter((pid) => before.includes(pid))).toEqual([]);
  expect(now).not.toEqual([]);
  expect(readdirSync(earlier)).toContain(agent);
  expect(runsFolder(stage)).not.toBe(earlier);
  expect((await stage.completes(agent)).code).toBe(0);
  expect(await stage.state(phase)).toBe('UNDER_REVIEW');
});

it('PHASE-101: a reviewer of an earlier store is not heard as the one that has its name now', async () => {
  const [reviewer] = (await stage.review(phase)).reviewers;
  const name = reviewer?.agent_id ?? '';
  const callerIn = async (store: string) => {
    const env = { ...stage.s.env, COUNTERSIGN_ACTOR: name, COUNTERSIGN_STORE: store };
    const opened = await compose(stage.s.repo.top, { env }).open();
    try {
      return await callerOf(opened, name);
    } finally {
      await opened.ports.store.close();
    }
  };
  await expect(callerIn('an-earlier-one')).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
  const own = await stage.s.with(({ ports }) => ports.store.repositoryId());
  expect((await callerIn(own)).actor.id).toBe(name);
  expect((await stage.verdict(phase, 'approve')).code).toBe(0);
  expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
});
