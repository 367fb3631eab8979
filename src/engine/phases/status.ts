import type { Actor } from '../../kernel/actor.ts';
import { type Handle, loadById } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { overCaps, stuckByCap } from './caps.ts';
import { awaitedElsewhere } from './elsewhere.ts';
import type { Finding } from './findings.ts';
import { countsOf, guidanceOf, type PhaseGuidance } from './guidance.ts';
import { mendFirst } from './judged-already.ts';
import { lastLinked } from './links.ts';
import { type Round, roundOf, verdictOf } from './rounds.ts';
import { runOf } from './run-name.ts';
import { phaseNamed, runsOf, taskOf } from './task-phases.ts';

/** How a review stands, in the shape of the seed (PHASE-107, CH-04, CH-19). */
export interface ReviewStatus {
  readonly review_id: string;
  readonly status: 'in_progress' | 'completed' | 'aborted' | 'escalated';
  readonly reviewers_submitted: number;
  readonly reviewers_expected: number;
  readonly reviewers_running: number;
  readonly reviewers_spawning: number;
  readonly reviewers_stalled: number;
  readonly reviewers_crashed: number;
  readonly final_verdict: null | 'approved' | 'rejected' | 'changes_requested';
  readonly findings_summary: {
    readonly total: number;
    readonly critical: number;
    readonly high: number;
    readonly blockers: number;
  };
}

export interface AgentLine {
  readonly agent_id: string;
  readonly status: string;
  readonly agent: string;
  readonly fix: boolean;
  /** Its last words, or why it ended. */
  readonly said: string;
}

export interface PhaseStatus {
  readonly task_id: string;
  readonly phase_id: string;
  readonly name: string;
  readonly order: number;
  readonly of: number;
  readonly guidance: PhaseGuidance;
  readonly review: ReviewStatus | null;
  readonly agents: readonly AgentLine[];
  /** Reviewers of its last review who died or fell silent, each with why. */
  readonly silent: readonly string[];
}

const STATES: { readonly [state: string]: ReviewStatus['status'] } = {
  ...{ idle: 'in_progress', spawning: 'in_progress', open: 'in_progress' },
  ...{ approved: 'completed', rejected: 'completed', changes: 'completed' },
  ...{ crashed: 'escalated', aborted: 'aborted' },
};
const VERDICTS: { readonly [state: string]: ReviewStatus['final_verdict'] } = {
  ...{ approved: 'approved', rejected: 'rejected', changes: 'changes_requested' },
};

/** Whether somebody judges phases and does nothing else: what builders say of their work is not for them. */
export const isReviewer = ({ roles }: Pick<Actor, 'roles'>): boolean =>
  roles.includes('phase-reviewer') && !roles.includes('orchestrator');

/**
 * Where a phase stands, with what to do next (PHASE-109). A reviewer is not told what builders say of their work. Throws
 * NOT_FOUND, BAD_INPUT.
 */
export async function phaseStatus(
  ports: Ports,
  ref: string,
  reader?: Pick<Actor, 'roles'>,
): Promise<PhaseStatus> {
  const phase = await phaseNamed(ports, ref);
  const [task, runs, next] = await Promise.all([
    taskOf(ports, phase),
    runsOf(ports, phase),
    nextTitle(ports, phase),
  ]);
  const review = lastLinked(phase, 'review');
  const round = review === '' ? undefined : await roundOf(ports, review);
  const elsewhere = await awaitedElsewhere(ports, phase.display, [...runs, ...(round?.reviewers ?? [])]);
  return {
    task_id: task.display,
    phase_id: phase.display,
    name: phase.item.title,
    order: Number(phase.item.facts.order),
    of: Number(phase.item.facts.of),
    guidance: guidanceOf({ phase, runs, round, next, elsewhere, ...(await capsOf(ports, phase)) }),
    review: round === undefined ? null : reviewStatus(round),
    agents: runs.map((run) => ({
      ...agentLine(run),
      ...(reader !== undefined && isReviewer(reader) ? { said: '' } : {}),
    })),
    silent: (round?.reviewers ?? []).flatMap((one) => {
      const why = whySilent(one);
      return why === '' ? [] : [`${one.display} ${one.item.state}: ${why}`];
    }),
  };
}

const capsOf = async (ports: Ports, phase: Handle) => ({
  capped: await stuckByCap(ports, phase),
  over: phase.item.state === 'ESCALATED' ? await overCaps(ports, phase) : '',
  mend: phase.item.state === 'ESCALATED' ? await mendFirst(ports, phase) : '',
});

async function nextTitle(ports: Ports, phase: Handle): Promise<string> {
  const next = lastLinked(phase, 'next');
  return next === '' ? '' : (await loadById(ports, next)).item.title;
}

const agentLine = ({ display, item }: Handle): AgentLine => ({
  agent_id: display,
  status: item.state,
  agent: String(item.facts.agent ?? ''),
  fix: item.facts.fix === true,
  said: item.steps.findLast(({ reason }) => reason !== '')?.reason ?? '',
});

/** How one review stands. */
export function reviewStatus(round: Round): ReviewStatus {
  const { state } = round.review.item;
  const counts = countsOf(round);
  const all = round.findings;
  return {
    review_id: round.review.display,
    status: STATES[state] ?? 'in_progress',
    reviewers_submitted: counts.submitted,
    reviewers_expected: counts.expected,
    reviewers_running: counts.running,
    reviewers_spawning: counts.spawning,
    reviewers_stalled: counts.stalled,
    reviewers_crashed: counts.dead,
    final_verdict: VERDICTS[state] ?? null,
    findings_summary: {
      total: all.length,
      critical: all.filter(({ severity }) => severity === 'critical').length,
      high: all.filter(({ severity }) => severity === 'high').length,
      blockers: all.filter(({ blocker }) => blocker).length,
    },
  };
}

const ENDS: readonly string[] = ['die', 'stall', 'give-up', 'dismiss'];

/** Why somebody who was asked says nothing, '' where it reads or has spoken. */
function whySilent(reviewer: Handle): string {
  if (verdictOf(reviewer) !== undefined || reviewer.item.state === 'running') return '';
  return reviewer.item.steps.findLast(({ command }) => ENDS.includes(command))?.reason ?? '';
}

export interface ReviewerLine {
  readonly reviewer_id: string;
  readonly agent_id: string;
  readonly state: string;
  readonly verdict: string;
  readonly summary: string;
  /** Why it died, or fell silent. */
  readonly silent: string;
}

export interface ReviewDetails extends ReviewStatus {
  readonly phase_id: string;
  readonly commit: string;
  readonly policy: string;
  readonly reviewers: readonly ReviewerLine[];
  readonly findings: readonly Finding[];
}

/** One review with its reviewers and their findings (PHASE-28, PHASE-37, PHASE-62). */
export function reviewDetails(round: Round, phase: string): ReviewDetails {
  return {
    ...reviewStatus(round),
    phase_id: phase,
    commit: round.review.item.subjects.work?.digest ?? '',
    policy: String(round.review.item.settings.policy ?? ''),
    reviewers: round.reviewers.map((one) => ({
      reviewer_id: one.display,
      agent_id: runOf(one),
      state: one.item.state,
      verdict: verdictOf(one)?.command ?? '',
      summary: verdictOf(one)?.reason ?? '',
      silent: whySilent(one),
    })),
    findings: round.findings,
  };
}
