import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../audit/tamper.ts';
import { movesOf, statesOf, steps, why } from './beside.ts';
import { CRITICAL, LEAD, openStage, PHASE_STATES, type PhaseState, type Stage } from './stage.ts';

// One phase in each of the nine states, but AWAITING_REVIEW: that one is held where its reviewers are being started.
let gate: Promise<void> = Promise.resolve();
let stage: Stage;
const phases = new Map<PhaseState, string>();
let release = () => {};
let held: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  stage = await openStage({
    wrap: (ports) => {
      const { start } = ports.agents;
      const slow = async (order: Parameters<typeof start>[0]) => {
        await gate;
        return start(order);
      };
      return { ...ports, agents: { ...ports.agents, start: slow } };
    },
  });
  for (const state of PHASE_STATES)
    if (state !== 'AWAITING_REVIEW') phases.set(state, await stage.bring(state));
  const [waiting = ''] = await stage.plan('Design Phase', 'Implementation Phase');
  const agent = await stage.deploy(waiting);
  gate = new Promise((resolve) => {
    release = resolve;
  });
  held = stage.completes(agent);
  while ((await statesOf(stage, waiting)).at(-1) !== 'AWAITING_REVIEW')
    await new Promise((resolve) => setTimeout(resolve, 20));
  phases.set('AWAITING_REVIEW', waiting);
});
afterAll(async () => {
  release();
  await held;
  await stage.close();
});

const each = () => PHASE_STATES.map((state): [PhaseState, string] => [state, phases.get(state) ?? '']);
const now = async (phase: string) => (await statesOf(stage, phase)).at(-1) ?? 'PENDING';

describe('what whoever coordinates cannot do', () => {
  it('PHASE-98: reject, in any of the nine states', async () => {
    for (const [state, phase] of each()) {
      const outcome = await steps(stage, LEAD, phase, 'reject');
      expect(outcome.kind === 'refused' && outcome.because, state).toMatch(
        /^BLOCKED: Manual rejection is not allowed/,
      );
      expect(await now(phase)).toBe(state);
    }
  });

  it('PHASE-97: approve while reviewers are being started or read, with force or without', async () => {
    for (const state of ['AWAITING_REVIEW', 'UNDER_REVIEW'] as const)
      for (const given of [{}, { force: 'yes' }] as const) {
        const outcome = await steps(stage, LEAD, phases.get(state) ?? '', 'force-approve', given);
        expect(outcome.kind === 'refused' && outcome.because).toMatch(
          /^BLOCKED: This phase has an auto-review in progress/,
        );
      }
  });

  it('PHASE-104: of all states, tools and callers just one decides by hand: a person who forces what is escalated', async () => {
    const taken: string[] = [];
    const ways = ['reject', 'force-approve'].flatMap((command) =>
      [{}, { force: 'yes' }].map((given) => ({ command, given })),
    );
    const tried = async (state: PhaseState, phase: string, { command, given }: (typeof ways)[number]) => {
      const asLead = await steps(stage, LEAD, phase, command, given);
      expect(asLead.kind, `${command} in ${state}`).toBe('refused');
      const asPerson = await stage.person(phase, command, 'I say so', given);
      if (asPerson.kind === 'done') taken.push(`${command} ${JSON.stringify(given)} in ${state}`);
      else expect(await now(phase)).toBe(state);
    };
    for (const [state, phase] of each()) {
      if (state === 'ESCALATED') {
        // What is taken brings on what waits.
        release();
        await held;
      }
      for (const way of ways) await tried(state, phase, way);
    }
    expect(taken).toEqual(['force-approve {"force":"yes"} in ESCALATED']);
  });

  it('PHASE-100: come to an approval past the reviewers', async () => {
    let forced = 0;
    let reviewed = 0;
    for (const [, phase] of each()) {
      const moves = await movesOf(stage, phase);
      for (const [n, move] of moves.entries()) {
        if (move.to === 'AWAITING_REVIEW' || move.to !== 'APPROVED') continue;
        if (move.from === 'ESCALATED') {
          expect(move).toMatchObject({ command: 'force-approve', by: 'ada' });
          forced += 1;
          continue;
        }
        expect(moves.slice(0, n).map(({ to }) => to)).toContain('UNDER_REVIEW');
        const { reviewers, reviewers_expected: expected } = await stage.review(phase);
        expect(reviewers.filter(({ verdict }) => verdict === 'approve').length * 2).toBeGreaterThan(expected);
        reviewed += 1;
      }
    }
    expect([forced, reviewed]).toEqual([1, 2]);
  });
});

describe('verdicts', () => {
  it('PHASE-101: are taken from the reviewers of this review alone, and once from each', async () => {
    const phase = phases.get('UNDER_REVIEW') ?? '';
    const { review_id: review, reviewers } = await stage.review(phase);
    const [agent] = (await stage.status(phase)).agents;
    const foreign = (await stage.review(phases.get('REJECTED') ?? '')).reviewers[0]?.agent_id ?? '';
    const refused: string[] = [];
    for (const actor of [LEAD, agent?.agent_id ?? '', foreign, 'mallory', ''])
      refused.push(why(await stage.verdictOf(actor, review, 'approve')));
    expect(refused).toEqual([
      'wrong-role | Only phase-reviewer may approve this item',
      expect.stringMatching(/^wrong-role \| the token of agent-\d+ is good for other items only/),
      // Its process is over, and its token with it.
      expect.stringMatching(/^NO_CREDENTIAL|^wrong-role/),
      expect.stringContaining('agent is reviewer-'),
      'wrong-role | Only phase-reviewer may approve this item',
    ]);
    expect((await stage.review(phase)).reviewers_submitted).toBe(0);
    const first = reviewers[0]?.agent_id ?? '';
    expect((await stage.verdictOf(first, review, 'approve')).code).toBe(0);
    expect(why(await stage.verdictOf(first, review, 'reject', [CRITICAL]))).toContain(
      'its verdict is given, and cannot be taken back',
    );
    expect((await stage.review(phase)).reviewers_submitted).toBe(1);
  });

  it('PHASE-103: come from new agents with one role and no kin among those who built', async () => {
    const phase = phases.get('UNDER_REVIEW') ?? '';
    const { reviewers } = await stage.review(phase);
    const { data } = await stage.must('', 'actor', 'list');
    const actors = data.actors as readonly { id: string; parent: string; roles: readonly string[] }[];
    const builders = (await stage.status(phase)).agents.map(({ agent_id: id }) => id);
    for (const { agent_id: id } of reviewers) {
      expect(actors.find((one) => one.id === id)).toMatchObject({ parent: '', roles: ['phase-reviewer'] });
      expect(builders).not.toContain(id);
    }
    // Nobody but the engine says who a reviewer is.
    const place = reviewers[1]?.reviewer_id ?? '';
    for (const actor of [LEAD, builders[0] ?? ''])
      expect(
        (await stage.s.say(actor, 'move', place, 'spawned', '--arg', `agent=${builders[0]}`)).code,
      ).not.toBe(0);
  });

  it('PHASE-102: cannot be changed by any tool, and who changes one in the file is found', async () => {
    const phase = phases.get('REJECTED') ?? '';
    const place = (await stage.review(phase)).reviewers[2]?.reviewer_id ?? '';
    for (const actor of [LEAD, ''])
      for (const command of ['approve', 'changes', 'summon', 'die', 'dismiss'])
        expect((await stage.s.say(actor, 'move', place, command, '--reason', 'r')).code, command).not.toBe(0);
    expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
    const path = join(stage.s.repo.top, '.git/countersign/store.db');
    const swap = (from: string, to: string) =>
      raw(path, (db) =>
        db
          .prepare(`UPDATE events SET body = replace(body, ?, ?) WHERE body LIKE '%"by":"reviewer-%'`)
          .run(from, to),
      );
    expect(swap('"command":"reject"', '"command":"approve"').changes).toBeGreaterThan(0);
    expect((await stage.s.say('', 'audit', 'verify')).code).not.toBe(0);
    swap('"command":"approve"', '"command":"reject"');
  });
});
