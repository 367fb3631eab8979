import { latestEvidence } from '../../kernel/freshness.ts';
import type { Handle } from '../handle.ts';
import { isGrave } from './findings.ts';
import { givenUp } from './given-up.ts';
import { isJudged, type Round } from './rounds.ts';

/** What whoever coordinates is told (PHASE-105, PHASE-106, CH-09, CH-10). */
export interface PhaseGuidance {
  /** The state of the phase. */
  readonly status: string;
  /** What to do next, its first words in capitals. */
  readonly action: string;
  readonly blocked_reason: readonly string[] | null;
  readonly escalated: boolean;
}

/** What the guidance of a phase depends on. */
export interface PhaseFacts {
  readonly phase: Handle;
  readonly runs: readonly Handle[];
  readonly round: Round | undefined;
  /** What its agents and reviewers wait for beyond this machine. */
  readonly elsewhere: readonly string[];
  /** The cap that nothing goes on for, '' for none. */
  readonly capped: string;
  /** The cap of an escalated phase that is used up, '' for none: its next review is a person's to ask for. */
  readonly over: string;
  /** What has to be done before the next review of an escalated phase, '' for nothing. */
  readonly mend: string;
  /** Title of the next phase, '' for the last. */
  readonly next: string;
}

type Told = Pick<PhaseGuidance, 'action'> & { readonly blocked?: readonly string[] };

/** One directive for each state and case of the seed (PHASE-12 to PHASE-89). */
export function guidanceOf(facts: PhaseFacts): PhaseGuidance {
  const { state } = facts.phase.item;
  const task = givenUp(facts.phase);
  if (task !== '')
    return {
      ...{ status: state, action: `GIVEN UP: ${task} was given up by a person. Nothing of it goes on.` },
      ...{ blocked_reason: null, escalated: false },
    };
  const told = facts.capped === '' ? (CASES[state] ?? ended)(facts) : capped(facts);
  const blocked = [...(told.blocked ?? []), ...facts.elsewhere];
  return {
    status: state,
    action: told.action,
    blocked_reason: blocked.length === 0 && told.blocked === undefined ? null : blocked,
    escalated: state === 'ESCALATED',
  };
}

const CASES: { readonly [state: string]: (facts: PhaseFacts) => Told } = {
  PENDING: () => ({
    action: 'WAIT: Phase queued. Will activate after current phase completes.',
    blocked: ['Not the current active phase'],
  }),
  ACTIVE: active,
  AWAITING_REVIEW: () => ({
    action: 'REVIEWERS SPAWNING: Agentic reviewers being deployed. Wait for UNDER_REVIEW status.',
  }),
  UNDER_REVIEW: ({ round }) => {
    const { submitted, expected } = countsOf(round);
    return { action: `REVIEW IN PROGRESS: ${submitted}/${expected} reviewers submitted. Wait for verdicts.` };
  },
  APPROVED: ({ next }) => ({
    action:
      next === ''
        ? 'TASK COMPLETE: All phases approved. Task finished successfully.'
        : `PROCEED: Phase approved. Use advance_to_next_phase to start '${next}'.`,
  }),
  REJECTED: ({ round }) => ({
    action: 'PHASE REJECTED: Critical issues found. Review findings and deploy fix agents.',
    blocked: blockersOf(round),
  }),
  REVISING: revising,
  ESCALATED: escalated,
};

const capped = ({ capped: why, phase, round }: PhaseFacts): Told => ({
  action: `ESCALATE: A cap of the phase is used up; no agent is deployed and nothing reviewed any more. A person decides after: countersign phase escalate ${phase.display} --reason "WHY"`,
  blocked: [why, ...blockersOf(round)],
});

const ended = (): Told => ({ action: 'PHASE COMPLETED: Nothing is left to do in this phase.' });

const BUSY: readonly string[] = ['starting', 'running'];
const failuresOf = (runs: readonly Handle[]) =>
  runs
    .filter(({ item }) => ['failed', 'killed'].includes(item.state))
    .map(({ display, item }) => `${display} ${item.state}: ${item.steps.at(-1)?.reason ?? ''}`);

/** The runs of the present round: those before were put before reviewers already. */
const present = ({ phase, runs }: PhaseFacts) =>
  runs.filter(({ display }) => display in (phase.item.members.agents ?? {}));

function active(facts: PhaseFacts): Told {
  const runs = present(facts);
  const busy = runs.filter(({ item }) => BUSY.includes(item.state)).length;
  if (busy > 0)
    return {
      action: `WAIT: ${busy} ${busy === 1 ? 'agent' : 'agents'} still working. Monitor with get_agent_output.`,
    };
  const failures = failuresOf(runs);
  const seen = seenAlready(facts);
  if (runs.length > 0 && seen !== undefined)
    return {
      action: `DEPLOY AGENTS: Nothing changed since ${seen.review.display}. Use deploy_headless_agent to start work.`,
      blocked: [...blockersOf(seen), ...failures],
    };
  if (runs.some(({ item }) => item.state === 'completed'))
    return facts.phase.item.settings.auto_submit === true
      ? { action: 'REVIEW PENDING: All agents done. System will auto-trigger review.' }
      : { action: 'REVIEW PENDING: All agents done. Use submit_phase_for_review.' };
  if (runs.length === 0 && latestEvidence(facts.phase.item, 'fixes') !== undefined)
    return { action: 'REVIEW PENDING: Fixes applied. Use submit_phase_for_review.' };
  return {
    action: `DEPLOY AGENTS: ${failures.length === 0 ? 'No agents deployed' : 'No agent completed'}. Use deploy_headless_agent to start work.`,
    ...(failures.length === 0 ? {} : { blocked: failures }),
  };
}

/** The last round, where it judged the very work that is there: it is not put before reviewers again (CH-06). */
const seenAlready = ({ phase, round }: PhaseFacts): Round | undefined =>
  round !== undefined &&
  isJudged(round.review) &&
  round.review.item.subjects.work?.digest === phase.item.subjects.commit?.digest
    ? round
    : undefined;

function revising(facts: PhaseFacts): Told {
  const busy = present(facts).filter(({ item }) => BUSY.includes(item.state)).length;
  const blocked = [...blockersOf(facts.round), ...failuresOf(present(facts))];
  const more = busy === 0 ? '' : ` ${busy} fix ${busy === 1 ? 'agent' : 'agents'} still working.`;
  return { action: `FIX REQUIRED: Address blockers and re-submit for review.${more}`, blocked };
}

function escalated({ round, phase, over, mend }: PhaseFacts): Told {
  const { dead, expected, submitted } = countsOf(round);
  const capped = phase.item.steps.findLast(({ to }) => to === 'ESCALATED');
  if (capped?.command === 'escalate') {
    const again = 'person uses trigger_agentic_review for one more round';
    const options =
      (phase.item.marks.builder ?? []).length > 0
        ? `Options: (1) ${mend === '' ? `A ${again}` : `${capital(mend)}; then a ${again}`}, (2) A person uses approve_phase_review with force flag if work is actually complete.`
        : 'No agent built anything, so that there is nothing to review: a person uses approve_phase_review with force flag if work is actually complete, or cancels the task.';
    return {
      action: `ESCALATED - MANUAL INTERVENTION REQUIRED: A cap of the phase is used up. ${options}`,
      blocked: [capped.reason],
    };
  }
  const missing = dead === expected ? `All ${expected}` : `${dead} of ${expected}`;
  const retry = retryAfter(round?.review.item.state === 'aborted', over);
  return {
    action: `ESCALATED - MANUAL INTERVENTION REQUIRED: ${dead === expected ? 'All reviewers crashed' : 'Too few reviewers answered'}. Options: (1) ${retry}, (2) Use approve_phase_review with force flag if work is actually complete.`,
    blocked: [
      `${missing} reviewer agents terminated without submitting verdicts${submitted > 0 ? `; ${submitted} submitted` : ''}`,
    ],
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How new reviewers are asked: a review that came to nothing is given up first, and once. */
function retryAfter(isAborted: boolean, over: string): string {
  if (over === '')
    return `Use ${isAborted ? '' : 'abort_stalled_review and '}trigger_agentic_review to retry with new reviewers`;
  const person = `person uses trigger_agentic_review for one more round, as ${over}`;
  return isAborted ? `A ${person}` : `Use abort_stalled_review; then a ${person}`;
}

/** What has to be mended, in words: what blocks first; without findings the words of whoever judged. */
function blockersOf(round: Round | undefined): readonly string[] {
  if (round === undefined) return [];
  const counting = round.findings.filter(({ counts }) => counts);
  const grave = counting.filter(isGrave);
  const shown = round.review.item.state === 'rejected' && grave.length > 0 ? grave : counting;
  return shown.map(({ title, id, path, line }) => {
    const place = path === '' ? '' : `, ${path}${line > 0 ? `:${line}` : ''}`;
    return `${title} (${id}${place})`;
  });
}

export interface ReviewCounts {
  readonly expected: number;
  readonly submitted: number;
  readonly running: number;
  readonly spawning: number;
  readonly stalled: number;
  readonly dead: number;
}

/** Exact counts: who died is not counted as submitted (PHASE-113). */
export function countsOf(round: Round | undefined): ReviewCounts {
  const states = (round?.reviewers ?? []).map(({ item }) => item.state);
  const inState = (...names: readonly string[]) => states.filter((state) => names.includes(state)).length;
  return {
    expected: states.length,
    submitted: inState('approve', 'changes', 'reject'),
    running: inState('running'),
    spawning: inState('spawning', 'idle'),
    stalled: inState('stalled'),
    dead: inState('dead'),
  };
}
