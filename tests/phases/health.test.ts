import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadItem } from '../../src/engine/handle.ts';
import { settleRun } from '../../src/engine/phases/health.ts';
import { movesOf, runsFolder, statesOf, why } from './beside.ts';
import { CHANGE, LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const MINUTE = 60_000;
const inMinutes = (n: number) => stage.s.at(new Date(Date.now() + n * MINUTE).toISOString());

describe('how reviewers do', () => {
  it('PHASE-112: one that is silent for the time that is set is stalled, and heard when it speaks again', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    inMinutes(9);
    await stage.must('', 'tick');
    expect((await stage.review(phase)).reviewers_stalled).toBe(0);
    inMinutes(11);
    await stage.must('', 'tick');
    const { reviewers, reviewers_stalled: stalled, reviewers_submitted: in_ } = await stage.review(phase);
    expect([stalled, in_]).toEqual([3, 0]);
    const last = (await movesOf(stage, reviewers[0]?.reviewer_id ?? '')).at(-1);
    expect(last).toMatchObject({ command: 'stall', by: 'engine' });
    expect(last?.reason).toMatch(/^nothing was heard of it for 1[01] minutes$/);
    for (let n = 0; n < 3; n++) expect((await stage.verdict(phase, 'approve')).code).toBe(0);
    expect((await statesOf(stage, phase)).at(-1)).toBe('APPROVED');
    inMinutes(0);
  });

  it('PHASE-112: one whose process is gone is dead, whatever time has passed', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const { reviewers } = await stage.review(phase);
    await stage.strike(reviewers[0]?.agent_id ?? '');
    await stage.must('', 'tick');
    const moves = await movesOf(stage, reviewers[0]?.reviewer_id ?? '');
    expect(moves.find(({ command }) => command === 'die')?.reason).toContain('it ended without a verdict');
  });

  it('CH-17: two who see the same process end record one death', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const { reviewer_id: place, agent_id: run } = (await stage.review(phase)).reviewers[0] ?? {
      ...{ reviewer_id: '', agent_id: '' },
    };
    await stage.s.with(async (opened) => {
      const before = await loadItem(opened.ports, place);
      await opened.ports.agents.kill(run, 'the system', 'struck by the test');
      // Both looked while it was running; the watcher of the process may be a third.
      await Promise.all([settleRun(opened, before), settleRun(opened, before)]);
    });
    const moves = await movesOf(stage, place);
    expect(moves.filter(({ command }) => command === 'die')).toHaveLength(1);
  });

  it('PHASE-113: who died is not counted as submitted', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    await stage.verdict(phase, 'approve');
    const second = (await stage.review(phase)).reviewers[1];
    for (let n = 0; n < 20; n++) {
      const present = (await stage.review(phase)).reviewers[1];
      if (present?.state === 'dead') break;
      if (present?.state === 'running') await stage.strike(present.agent_id);
      await stage.must('', 'tick');
    }
    expect(await stage.review(phase)).toMatchObject({
      reviewers_expected: 3,
      reviewers_submitted: 1,
      reviewers_crashed: 1,
      reviewers_running: 1,
    });
    expect((await stage.status(phase)).guidance.action).toContain('1/3 reviewers submitted');
    // CH-17: the two who are left are a majority of those expected, and decide.
    expect(second?.state).toBe('running');
    await stage.verdict(phase, 'approve');
    expect((await statesOf(stage, phase)).at(-1)).toBe('APPROVED');
  });

  it('CH-07: a review is given up only where all who are missing are silent; the verdicts that are in decide', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const healthy = await stage.s.say(LEAD, 'phase', 'abort', phase, '--reason', 'I do not like it');
    expect(why(healthy)).toContain('are still to be heard');
    await stage.verdict(phase, 'request_changes', [CHANGE]);
    await stage.verdict(phase, 'approve');
    inMinutes(11);
    await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'the third is silent');
    expect((await stage.review(phase)).final_verdict).toBe('changes_requested');
    expect((await statesOf(stage, phase)).at(-1)).toBe('REVISING');
    inMinutes(0);
  });

  it('PHASE-112: one whose process is still being started is given the same time', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const { reviewer_id: place } = (await stage.review(phase)).reviewers[0] ?? { reviewer_id: '' };
    const settled = () =>
      stage.s.with(async (opened) => {
        const { agents } = opened.ports;
        const look = async (run: string) => {
          const state = await agents.look(run);
          return { ...state, state: 'starting' as const, startedAt: '', outputAt: '' };
        };
        const ports = { ...opened.ports, agents: { ...agents, look } };
        return settleRun({ ...opened, ports }, await loadItem(opened.ports, place));
      });
    expect(await settled()).toBe('');
    inMinutes(11);
    expect(await settled()).toMatch(/^stall: nothing was heard of it for 1[01] minutes$/);
    inMinutes(0);
  });

  it('CH-07: one that was silent and works again is waited for', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'approve');
    inMinutes(11);
    await stage.must('', 'tick');
    const { reviewers, reviewers_stalled: stalled } = await stage.review(phase);
    expect(stalled).toBe(1);
    const silent = reviewers.find(({ state }) => state === 'stalled');
    const later = new Date(Date.now() + 11 * MINUTE);
    const folder = join(runsFolder(stage), silent?.agent_id ?? '');
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), later, later);
    const refused = await stage.s.say(LEAD, 'phase', 'abort', phase, '--reason', 'it was silent');
    expect(why(refused)).toContain('is still to be heard');
    const last = (await movesOf(stage, silent?.reviewer_id ?? '')).at(-1);
    expect(last).toMatchObject({ command: 'resume', by: 'engine', to: 'running' });
    expect(await stage.state(phase)).toBe('UNDER_REVIEW');
    inMinutes(0);
  });
});

describe('after a rejection or a request for changes', () => {
  it.each(['REJECTED', 'REVISING'] as const)(
    'PHASE-114: only a whole new review lets a phase pass that was %s',
    async (state) => {
      const phase = await stage.bring(state);
      const { review_id: before } = await stage.review(phase);
      await stage.completes(await stage.deploy(phase, 'Mend it'));
      const now = await stage.review(phase);
      expect(now.review_id).not.toBe(before);
      expect([now.reviewers_submitted, now.reviewers_expected]).toEqual([0, 3]);
      for (let n = 0; n < 3; n++) {
        expect((await statesOf(stage, phase)).at(-1)).toBe('UNDER_REVIEW');
        await stage.verdict(phase, 'approve');
      }
      expect((await statesOf(stage, phase)).at(-1)).toBe('APPROVED');
      const moves = await movesOf(stage, phase);
      expect(moves.filter(({ to }) => to === 'UNDER_REVIEW')).toHaveLength(2);
    },
  );
});
