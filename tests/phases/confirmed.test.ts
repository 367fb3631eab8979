import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appending } from '../../src/engine/appending.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { ROSTER, readRoster } from '../../src/engine/roster.ts';
import { bodyOf } from '../../src/engine/stored.ts';
import { registerActor } from '../../src/identity/members.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

it('CH-12: what stands in the way of a working tree holds up neither other items nor the step that was taken', async () => {
  const [one = ''] = await stage.plan('A');
  const agent = await stage.deploy(one);
  const last = Number(agent.split('-')[1]);
  mkdirSync(stage.trees, { recursive: true });
  for (const n of [2, 3, 4]) writeFileSync(join(stage.trees, `reviewer-${last + n}`), 'mine');
  expect((await stage.completes(agent)).code).toBe(0);
  // Each is tried a second time, under another name.
  expect(await stage.state(one)).toBe('UNDER_REVIEW');
  expect((await stage.review(one)).reviewers.map(({ agent_id: id }) => id.endsWith('.2'))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await stage.state((await stage.plan('B'))[0] ?? '')).toBe('ACTIVE');
});

it('CH-22: nobody retires a reviewer of an open review, changes its roles, takes its token away or gets another', async () => {
  const phase = await stage.bring('UNDER_REVIEW');
  const [one] = (await stage.review(phase)).reviewers;
  const name = one?.agent_id ?? '';
  const tokens = (await stage.must('', 'token', 'list')).data as unknown as Record<string, unknown>;
  const id = JSON.stringify(tokens).match(new RegExp(`"id":"([^"]+)","actor":"${name}"`))?.[1] ?? '';
  for (const words of [
    ['actor', 'retire', name],
    ['actor', 'roles', name],
    ['token', 'revoke', id],
    ['token', 'issue', name],
  ]) {
    const said = await stage.s.say('', ...words);
    expect([words[1], said.code]).not.toEqual([words[1], 0]);
    expect(said.error.message).toContain('is at work');
  }
  expect((await stage.verdict(phase, 'approve')).code).toBe(0);
});

it('work that reviewers approved does not leave the branch unseen', async () => {
  const phase = await stage.bring('COMPLETED');
  const { task_id: task } = await stage.status(phase);
  stage.s.repo.git('branch', '-f', `phases/${task}`, 'main');
  const { code, data } = await stage.s.say(LEAD, 'phase', 'deploy', task, '--prompt', 'go on');
  expect([code, data.agent_id]).toEqual([8, expect.stringMatching(/^agent-/)]);
  const { agents } = await stage.status(task);
  expect(agents.at(-1)).toMatchObject({ status: 'failed', said: expect.stringContaining('does not hold') });
});

it('nor with the branch, where somebody takes it away while an agent is at work', async () => {
  const phase = await stage.bring('COMPLETED');
  const { task_id: task } = await stage.status(phase);
  const agent = await stage.deploy(task);
  runIn(join(stage.trees, agent), ['reset', '-q', '--hard', 'main']);
  stage.s.repo.git('branch', '-D', `phases/${task}`);
  const said = await stage.completes(agent);
  expect(said.code).toBe(3);
  expect(JSON.stringify(said.error.missing)).toContain('does not hold');
  const { commit } = await stage.review(phase);
  stage.s.repo.git('branch', '-f', `phases/${task}`, commit);
  runIn(join(stage.trees, agent), ['merge', '-q', '--no-edit', commit]);
  expect((await stage.completes(agent)).code).toBe(0);
});

it('PHASE-101: nobody registers an agent under the name of one that the engine is to start', async () => {
  for (const by of ['', LEAD, 'mallory'])
    for (const name of ['reviewer-901', 'reviewer-901.2', 'agent-902', 'Agent-902']) {
      const said = await stage.s.say(by, 'actor', 'add', name);
      expect([name, said.code, said.error.code]).toEqual([name, 2, 'reserved']);
    }
});

it('PHASE-101: a name that was taken before stands for no reviewer', async () => {
  const [phase = ''] = await stage.plan('A');
  const agent = await stage.deploy(phase);
  const first = Number(agent.split('-')[1]) + 2;
  // As before such names were kept.
  await stage.s.with(async (opened) => {
    const { ports } = opened;
    const by = { actor: (await callerOf(opened, '')).actor, token: undefined };
    const { roster, version } = await readRoster(ports);
    const taken = {
      id: `reviewer-${first}`,
      kind: 'agent',
      roles: ['phase-reviewer'],
      parent: 'mallory',
    } as const;
    const decision = registerActor(roster, by, stage.s.now(), taken);
    if (!decision.ok) throw new Error(decision.because);
    const bodies = decision.events.map((event) => bodyOf(event, ports.newId()));
    await ports.store.commit(appending(ports.newId(), { stream: ROSTER, expected: version, bodies }));
  });
  expect((await stage.completes(agent)).code).toBe(0);
  const names = (await stage.review(phase)).reviewers.map(({ agent_id: id }) => id);
  expect(names[0]).toBe(`reviewer-${first}.2`);
});

it('an order has a length, and is text', async () => {
  const [one = ''] = await stage.plan('A');
  const said = await stage.s.say(LEAD, 'phase', 'deploy', one, '--prompt', 'x'.repeat(100_001));
  expect(said.error.message).toContain('at most 100000');
});

it('whoever is refused a rejection is not led to an approval, and no stranger to the words of a reviewer', async () => {
  const phase = await stage.bring('UNDER_REVIEW');
  const { review_id: review, reviewers } = await stage.review(phase);
  const rejected = await stage.verdictOf(reviewers[0]?.agent_id ?? '', review, 'reject');
  expect(rejected.code).not.toBe(0);
  expect(JSON.stringify(rejected.error)).not.toContain('approve --summary');
  const forged = await stage.verdictOf(LEAD, review, 'approve');
  expect(JSON.stringify(forged.error)).not.toContain('--actor reviewer');
});

it('PHASE-103: a reviewer gives its verdict and registers nobody, while a builder may have children', async () => {
  const phase = await stage.bring('UNDER_REVIEW');
  const [reviewer] = (await stage.review(phase)).reviewers;
  const said = await stage.s.say(reviewer?.agent_id ?? '', 'actor', 'add', 'kid', '--role', 'phase-reviewer');
  expect([said.code, said.error.code]).toEqual([7, 'not-allowed']);
  const held = await stage.s.say(reviewer?.agent_id ?? '', 'lease', 'take', 'main', '--session', 'mine');
  expect([held.code, held.error.message]).toEqual([7, expect.stringContaining('it holds nothing')]);
  const [one = ''] = await stage.plan('A');
  const agent = await stage.deploy(one);
  expect((await stage.s.say(agent, 'actor', 'add', `${agent}-kid`, '--role', 'phase-agent')).code).toBe(0);
});

it('whoever does what `next` says does not end agents that are at work', async () => {
  const [phase = ''] = await stage.plan('A');
  const agent = await stage.deploy(phase);
  const { out } = await stage.s.text(LEAD, 'next');
  expect(out).toContain(agent);
  expect(out).not.toContain('agent kill');
});
