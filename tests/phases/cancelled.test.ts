import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { cancelTask } from '../../src/engine/phases/cancel.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { movesOf, processesIn, why } from './beside.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

/** How many processes were being ended at once, at most. */
const ending = { now: 0, most: 0 };
const wrap = (ports: Ports): Ports => ({
  ...ports,
  agents: {
    ...ports.agents,
    async kill(...asked) {
      ending.now += 1;
      ending.most = Math.max(ending.most, ending.now);
      return ports.agents.kill(...asked).finally(() => {
        ending.now -= 1;
      });
    },
  },
});

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ wrap });
});
afterAll(() => stage.close());

let words = 0;
/** As the person of the machine, with their word at the terminal. */
const cancels = (ref: string, reason = 'nobody needs it any more') =>
  stage.s.with(async (opened) => {
    words += 1;
    const digest = sha256Hex(`cancel ${ref}`);
    const proof = {
      id: `word-${words}`,
      digest,
      purpose: 'cancel',
      at: stage.s.now(),
      channel: 'terminal' as const,
    };
    const caller = { ...(await callerOf(opened, '')), token: undefined, proof };
    return cancelTask(opened, caller, ref, reason, () => digest);
  });

describe('a task in phases that a person gives up', () => {
  it('ends its reviewers, starts none in their place, and takes their trees and tokens back', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const { task_id: task } = await stage.status(phase);
    const runs = (await stage.review(phase)).reviewers.map(({ agent_id: run }) => run);
    expect((await cancels(phase)).kind).toBe('done');
    for (const run of runs) {
      expect(processesIn(stage.trees, run)).toEqual([]);
      expect(existsSync(join(stage.trees, run))).toBe(false);
      const said = await stage.s.say(run, 'phase', 'status', phase);
      expect([said.code, said.error.code]).toEqual([7, 'NO_CREDENTIAL']);
    }
    expect((await stage.must('', 'show', task)).data.status).toBe('cancelled');
    expect((await movesOf(stage, task)).at(-1)).toMatchObject({
      command: 'cancel',
      reason: 'nobody needs it any more',
    });
    const states = (await stage.review(phase)).reviewers.map(({ state }) => state);
    expect(states).toEqual(['dead', 'dead', 'dead']);
    expect(stage.s.repo.git('branch', '--list', `phases/${task}`)).toContain(task);
  });

  it('ends its agents; what one of them did not commit is kept', async () => {
    const [phase = ''] = await stage.plan('Design Phase');
    const [one, other] = [await stage.deploy(phase), await stage.deploy(phase)];
    writeFileSync(join(stage.trees, one, 'begun.txt'), 'half of it');
    ending.most = 0;
    expect((await cancels(phase)).kind).toBe('done');
    expect(ending.most).toBe(2);
    expect([...processesIn(stage.trees, one), ...processesIn(stage.trees, other)]).toEqual([]);
    expect([one, other].map((run) => existsSync(join(stage.trees, run)))).toEqual([true, false]);
    expect((await stage.status(phase)).agents.map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  it('ends agents and reviewers that have said their word and are still there', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const [{ agent_id: reviewer = '' } = {}] = (await stage.review(phase)).reviewers;
    expect((await stage.verdict(phase, 'approve')).code).toBe(0);
    const [{ agent_id: agent = '' } = {}] = (await stage.status(phase)).agents;
    expect([agent, reviewer].map((run) => processesIn(stage.trees, run).length > 0)).toEqual([true, true]);
    expect((await cancels(phase)).kind).toBe('done');
    expect([agent, reviewer].map((run) => processesIn(stage.trees, run))).toEqual([[], []]);
    expect((await stage.s.say(agent, 'phase', 'status', phase)).code).toBe(7);
  });

  it('goes on by nothing: no agent, no review, no step of a person', async () => {
    const phase = await stage.bring('ESCALATED');
    const { task_id: task } = await stage.status(phase);
    await cancels(task);
    const gone = `${task} was given up: nothing of ${phase} goes on`;
    for (const said of [
      await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it'),
      await stage.s.say(LEAD, 'phase', 'submit', phase),
      await stage.s.say(LEAD, 'phase', 'trigger', phase),
      await stage.s.say(LEAD, 'phase', 'advance', phase),
    ])
      expect([said.code, why(said)]).toEqual([6, `no-transition | ${gone}`]);
    const forced = await stage.person(phase, 'force-approve', 'it is fine', { force: 'yes' });
    expect(forced).toMatchObject({ kind: 'refused', because: gone });
    expect((await stage.status(phase)).guidance.action).toContain('GIVEN UP');
    expect((await stage.s.text(LEAD, 'next')).out).not.toContain(phase);
  });

  it('is given up by a person alone, with a reason, and once', async () => {
    const phase = await stage.bring('ACTIVE');
    const { task_id: task } = await stage.status(phase);
    expect((await stage.s.say(LEAD, 'phase', 'cancel', phase, '--reason', 'mine')).code).toBe(7);
    expect((await cancels(task, '')).kind).toBe('refused');
    expect((await cancels(task)).kind).toBe('done');
    expect((await cancels(task)).kind).toBe('refused');
    expect((await stage.s.text('', 'audit', 'verify')).out).not.toContain('broken');
  });
});
