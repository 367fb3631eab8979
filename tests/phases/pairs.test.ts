import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { FORCE, type Hand, handOf, ORDER } from './hand.ts';
import {
  CHANGE,
  CONFIG,
  CRITICAL,
  LEAD,
  openStage,
  PHASE_STATES,
  type PhaseState,
  type Stage,
} from './stage.ts';

// One reviewer a phase: what is looked at here are its states, not how reviewers agree. Each command takes a second of the
// clock, and there are so many that a reviewer would be silent for too long.
let stage: Stage;
let lead: Hand;
let mallory: Hand;
beforeAll(async () => {
  stage = await openStage({
    config: CONFIG('rounds: 1, stalled: 600').replace('reviewers: 3', 'reviewers: 1'),
  });
  lead = await handOf(stage);
  mallory = await handOf(stage, 'mallory');
});
afterAll(async () => {
  await mallory.close();
  await lead.close();
  await stage.close();
});

/** The lists of the seed, with the edges that the resolutions added. */
const LISTED: readonly string[] = [
  ...['PENDING>ACTIVE', 'ACTIVE>AWAITING_REVIEW', 'AWAITING_REVIEW>UNDER_REVIEW'],
  ...['UNDER_REVIEW>APPROVED', 'UNDER_REVIEW>REJECTED', 'UNDER_REVIEW>REVISING', 'UNDER_REVIEW>ESCALATED'],
  ...['APPROVED>COMPLETED', 'REJECTED>REVISING', 'REJECTED>ACTIVE', 'REVISING>ACTIVE'],
  ...['REVISING>AWAITING_REVIEW', 'ESCALATED>AWAITING_REVIEW', 'ESCALATED>APPROVED'],
  // Two tries to start reviewers (CH-12), new reviewers after fixes (CH-06), a cap that is used up.
  ...['AWAITING_REVIEW>ESCALATED', 'REJECTED>AWAITING_REVIEW', 'REJECTED>ESCALATED', 'REVISING>ESCALATED'],
];

/** A new task whose phase stands in a state. */
async function to(state: PhaseState): Promise<string> {
  if (['PENDING', 'ACTIVE', 'AWAITING_REVIEW', 'UNDER_REVIEW', 'ESCALATED'].includes(state))
    return stage.bring(state);
  const phase = await stage.bring('UNDER_REVIEW');
  if (state === 'REJECTED') await stage.verdict(phase, 'reject', [CRITICAL]);
  else if (state === 'REVISING') await stage.verdict(phase, 'request_changes', [CHANGE]);
  else await stage.verdict(phase, 'approve');
  if (state === 'COMPLETED') await stage.must(LEAD, 'phase', 'advance', phase);
  return phase;
}

type Try = readonly [name: string, take: (phase: string) => Promise<unknown>];

const tool = (hand: () => Hand, name: string, key: string, more: object = {}): Try => [
  name,
  (phase) => hand().call(name, { [key]: phase, ...more }),
];
const tools = (hand: () => Hand): readonly Try[] => [
  tool(hand, 'reject_phase_review', 'phase_id'),
  tool(hand, 'approve_phase_review', 'phase_id'),
  tool(hand, 'approve_phase_review', 'phase_id', FORCE),
  tool(hand, 'submit_review_verdict', 'review_id', { verdict: 'approve' }),
  tool(hand, 'update_agent_progress', 'agent_id', { status: 'completed' }),
  tool(hand, 'kill_real_agent', 'agent_id', { reason: 'enough' }),
  tool(hand, 'get_phase_status', 'phase_id'),
  tool(hand, 'get_review_status', 'review_id'),
  tool(hand, 'get_agent_output', 'agent_id'),
  tool(hand, 'get_phase_handover', 'phase_id'),
  tool(hand, 'submit_phase_for_review', 'phase_id'),
  tool(hand, 'trigger_agentic_review', 'phase_id'),
  tool(hand, 'abort_stalled_review', 'phase_id', { reason: 'it is dead' }),
  tool(hand, 'advance_to_next_phase', 'phase_id'),
  tool(hand, 'deploy_headless_agent', 'phase_id', ORDER),
];
/** Tools that somebody with the roles of agents and reviewers is offered. */
const STRANGERS: readonly string[] = ['submit_review_verdict', 'update_agent_progress'];
const COMMANDS = [...new Set((BUILT_IN.phase?.rows ?? []).map(({ command }) => command))].filter(Boolean);
const moves: readonly Try[] = [LEAD, 'mallory'].flatMap((actor) =>
  [...COMMANDS, 'reject'].map(
    (command): Try => [
      `move ${command} by ${actor}`,
      (phase) => stage.s.say(actor, 'move', phase, command, '--reason', 'x'),
    ],
  ),
);

/** Where single calls may lead from a state as it was brought: everything else leaves it as it is. */
const BY_ONE_CALL: { readonly [state: string]: readonly string[] } = {
  APPROVED: ['COMPLETED'],
  // The one round that there may be is used up.
  REJECTED: ['ESCALATED'],
  REVISING: ['ESCALATED'],
  // When its dead review was aborted, new reviewers are started by the same call.
  ESCALATED: ['UNDER_REVIEW'],
};

describe.each(PHASE_STATES)('from %s', (state) => {
  it('PHASE-03: no tool and no command leads anywhere but where the lists say', async () => {
    let phase = await to(state);
    const led: string[] = [];
    const strange = tools(() => mallory).filter(([name]) => STRANGERS.includes(name));
    for (const [name, take] of [...strange, ...tools(() => lead), ...moves]) {
      await take(phase);
      const now = await stage.state(phase);
      if (now === state) continue;
      led.push(now);
      expect([name, now, BY_ONE_CALL[state] ?? []]).toEqual([name, now, expect.arrayContaining([now])]);
      phase = await to(state);
    }
    expect([...new Set(led)]).toEqual(BY_ONE_CALL[state] ?? []);
  }, 60_000);
});

it('PHASE-03: of 81 pairs the listed ones are in the table, and no other was ever taken', async () => {
  const table = (BUILT_IN.phase?.rows ?? []).flatMap(({ from, to: into }) =>
    [from].flat().map((one) => `${one}>${into === '@same' ? one : into}`),
  );
  const moved = new Set(table.filter((pair) => pair.split('>')[0] !== pair.split('>')[1]));
  expect([...moved].toSorted()).toEqual([...LISTED].toSorted());
  for (const phase of await everyPhase()) {
    const events = await stage.s.events(phase);
    for (const event of events)
      if (event.type === 'moved' && event.from !== event.to)
        expect(LISTED).toContain(`${event.from}>${event.to}`);
  }
});

const everyPhase = () =>
  stage.s.with(async ({ ports }) => {
    const rows = await ports.store.items({
      ...{ list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: 500 },
    });
    return rows.filter(({ protocol }) => protocol === 'phase').map(({ id }) => id);
  });

it('PHASE-01: a phase is in one of nine states; any other name is none', async () => {
  expect(Object.keys(BUILT_IN.phase?.states ?? {})).toEqual(PHASE_STATES);
  for (const state of PHASE_STATES)
    expect((await stage.must('', 'list', '--state', state)).data.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ state, protocol: 'phase' })]),
    );
  const { code, error } = await stage.s.say('', 'list', '--state', 'REVIEWED');
  expect([code, error.message]).toEqual([2, 'there is no state REVIEWED']);
});
