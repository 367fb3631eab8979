import { expect } from 'vitest';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { FORCE, type Hand, handOf, ORDER } from './hand.ts';
import { CHANGE, CONFIG, CRITICAL, LEAD, openStage, type PhaseState, type Stage } from './stage.ts';

/** A stage with one who coordinates and a stranger who holds the roles of agents and reviewers. */
export interface Tried {
  readonly stage: Stage;
  readonly lead: Hand;
  readonly mallory: Hand;
  close(): Promise<void>;
}

/**
 * One reviewer a phase: what is looked at are its states, not how reviewers agree. Each command takes a second of the clock, and
 * there are so many that a reviewer would be silent for too long.
 */
export async function openTried(): Promise<Tried> {
  const config = CONFIG('rounds: 1, stalled: 600').replace('reviewers: 3', 'reviewers: 1');
  const stage = await openStage({ config });
  const [lead, mallory] = [await handOf(stage), await handOf(stage, 'mallory')];
  return {
    ...{ stage, lead, mallory },
    async close() {
      await mallory.close();
      await lead.close();
      await stage.close();
    },
  };
}

/** A new task whose phase stands in a state. */
async function to(stage: Stage, state: PhaseState): Promise<string> {
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

const tool = (hand: Hand, name: string, key: string, more: object = {}): Try => [
  name,
  (phase) => hand.call(name, { [key]: phase, ...more }),
];
const tools = (hand: Hand): readonly Try[] => [
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
const moves = (stage: Stage): readonly Try[] =>
  [LEAD, 'mallory'].flatMap((actor) =>
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

/** Tries every tool and command on phases in a state; each may lead where the lists say, and nowhere else. */
export async function tryEverything({ stage, lead, mallory }: Tried, state: PhaseState): Promise<void> {
  let phase = await to(stage, state);
  const led: string[] = [];
  const strange = tools(mallory).filter(([name]) => STRANGERS.includes(name));
  for (const [name, take] of [...strange, ...tools(lead), ...moves(stage)]) {
    await take(phase);
    const now = await stage.state(phase);
    if (now === state) continue;
    led.push(now);
    expect([name, now, BY_ONE_CALL[state] ?? []]).toEqual([name, now, expect.arrayContaining([now])]);
    phase = await to(stage, state);
  }
  expect([...new Set(led)]).toEqual(BY_ONE_CALL[state] ?? []);
}
