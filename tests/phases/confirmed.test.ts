import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('CH-22: nobody retires a reviewer of an open review, changes its roles or takes its token away', async () => {
  const phase = await stage.bring('UNDER_REVIEW');
  const [one] = (await stage.review(phase)).reviewers;
  const name = one?.agent_id ?? '';
  const tokens = (await stage.must('', 'token', 'list')).data as unknown as Record<string, unknown>;
  const id = JSON.stringify(tokens).match(new RegExp(`"id":"([^"]+)","actor":"${name}"`))?.[1] ?? '';
  for (const words of [
    ['actor', 'retire', name],
    ['actor', 'roles', name],
    ['token', 'revoke', id],
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
  const { data } = await stage.must(LEAD, 'phase', 'deploy', task, '--prompt', 'go on');
  expect(data.agent_id).toMatch(/^agent-/);
  const { agents } = await stage.status(task);
  expect(agents.at(-1)).toMatchObject({ status: 'failed', said: expect.stringContaining('does not hold') });
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
