import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Moved } from '../../src/kernel/event.ts';
import { movesOf, statesOf } from './beside.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** The moves of the engine itself, with what set each of them off. */
const unasked = (moves: readonly Moved[]) =>
  moves.filter(({ command }) => command === '').map(({ to, by, reason }) => `${by}: ${reason} > ${to}`);

describe('what moves by itself', () => {
  it('PHASE-92: the call in which the last agent completes submits the phase', async () => {
    const [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
    const [one, two] = [await stage.deploy(phase), await stage.deploy(phase)];
    await stage.completes(one);
    expect(await statesOf(stage, phase)).toEqual(['ACTIVE']);
    await stage.completes(two);
    expect((await statesOf(stage, phase)).slice(0, 2)).toEqual(['ACTIVE', 'AWAITING_REVIEW']);
    expect((await movesOf(stage, phase)).find(({ to }) => to === 'AWAITING_REVIEW')?.by).toBe('engine');
  });

  it('PHASE-93: the engine starts the reviewers and moves the phase on, with no call of the orchestrator', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const moves = await movesOf(stage, phase);
    expect(moves.filter(({ by }) => by === LEAD).map(({ command }) => command)).toEqual(['deploy']);
    const { reviewers, reviewers_expected: expected } = await stage.review(phase);
    expect(expected).toBe(3);
    for (const { reviewer_id: id } of reviewers)
      expect((await movesOf(stage, id)).map(({ by, to }) => [by, to])).toEqual([
        ['policy', 'spawning'],
        ['engine', 'running'],
      ]);
    expect(moves.at(-1)).toMatchObject({ by: 'engine', to: 'UNDER_REVIEW' });
  });

  it('PHASE-94: the last verdict brings the outcome in the same call', async () => {
    for (const [words, state] of [
      [['approve', 'request_changes', 'approve'], 'APPROVED'],
      [['approve', 'request_changes', 'request_changes'], 'REVISING'],
    ] as const) {
      const phase = await stage.bring('UNDER_REVIEW');
      for (const [n, word] of words.entries()) {
        expect((await statesOf(stage, phase)).at(-1), `before verdict ${n + 1}`).toBe('UNDER_REVIEW');
        await stage.verdict(phase, word, word === 'approve' ? [] : [{ severity: 'high', title: 'Mend it' }]);
      }
      expect((await statesOf(stage, phase)).at(-1)).toBe(state);
    }
  });

  it('PHASE-95: reviewers that the system killed are found by the next round, and when all are dead it escalates', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    await stage.allDie(phase);
    const states = await statesOf(stage, phase);
    expect(states.at(-1)).toBe('ESCALATED');
    for (const { reviewer_id: id } of (await stage.review(phase)).reviewers) {
      const moves = await movesOf(stage, id);
      // Each was replaced once, and not again.
      expect(moves.filter(({ command }) => command === 'die').map(({ to }) => to)).toEqual([
        ...['spawning', 'dead'],
      ]);
    }
  });

  it('PHASE-115: every move of the engine names the one step that set it off', async () => {
    const phase = await stage.bring('REJECTED', ['Only Phase']);
    const [agent] = (await stage.status(phase)).agents;
    const [, second, third] = (await stage.review(phase)).reviewers.map(({ reviewer_id: id }) => id);
    void second;
    expect(unasked(await movesOf(stage, phase))).toEqual([
      `engine: ${agent?.agent_id} complete > AWAITING_REVIEW`,
      `engine: ${third} spawned > UNDER_REVIEW`,
      `engine: ${third} reject > REJECTED`,
    ]);
    const dead = await stage.bring('ESCALATED', ['Only Phase']);
    expect(unasked(await movesOf(stage, dead)).at(-1)).toMatch(/^engine: reviewer-\d+ die > ESCALATED$/);
    await stage.person(dead, 'force-approve', 'I read it myself', { force: 'yes' });
    expect((await movesOf(stage, dead)).at(-1)).toMatchObject({ command: 'force-approve', by: 'ada' });
    // The first phase began with the task, and the task ended with the force.
    const { task_id: task } = await stage.status(dead);
    expect((await movesOf(stage, dead))[0]).toMatchObject({ command: 'activate', reason: `${task} start` });
    expect(unasked(await movesOf(stage, task))).toEqual([`engine: ${dead} force-approve > completed`]);
  });
});

describe('a phase that is submitted by hand', () => {
  let byHand: Stage;
  beforeAll(async () => {
    const { CONFIG } = await import('./stage.ts');
    byHand = await openStage({ config: CONFIG('auto_submit: false') });
  });
  afterAll(() => byHand.close());

  it('PHASE-96: has as many reviewers started as one that submits itself', async () => {
    const [phase = ''] = await byHand.plan('Only Phase');
    await byHand.completes(await byHand.deploy(phase));
    expect(await byHand.state(phase)).toBe('ACTIVE');
    await byHand.must(LEAD, 'phase', 'submit', phase);
    expect((await statesOf(byHand, phase)).at(-1)).toBe('UNDER_REVIEW');
    const { reviewers } = await byHand.review(phase);
    expect(reviewers.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
  });
});
