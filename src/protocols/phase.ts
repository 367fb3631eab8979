import { defineProtocol } from '../kernel/define-protocol.ts';
import { absent } from '../kernel/guards/absent.ts';
import { apart } from '../kernel/guards/apart.ts';
import { evidence } from '../kernel/guards/evidence.ts';
import { anyOf, not } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { probe } from '../kernel/guards/probe.ts';
import { setting } from '../kernel/guards/setting.ts';

const lead = ['orchestrator', 'human'] as const;
const reviewIs = (...states: readonly string[]) => members('review', states, 'some', 0, 'commit');
const busy = ['starting', 'running'] as const;
const quiet = members('agents', busy, 'none');
const oneDone = members('agents', ['completed'], 'some');
const roundDone = [
  setting('auto_submit', true),
  members('agents', busy, 'none', 1),
  oneDone,
  absent('reviewed'),
];
const byHand = anyOf(oneDone, evidence('fixes', 'applied'));
// The same work is not put before other reviewers: something has to have changed since the last verdict (CH-06).
const moved = probe('work-moved');
const withinCaps = probe('within-caps');
/** Reviewers judge no work that is nobody's: where no agent built anything, there is a person's word alone. */
const built = apart('builder', 'identity');
const asked = { moves: ['commit'], forgets: ['review', 'approver'] };
const judged = { records: ['reviewed:yes:commit'], forgets: ['agents'] };
const reviewed = 'its agents and reviewers settle that by themselves';

/** A phase of a task: agents build it, reviewers that the engine spawns judge it (PHASE-01 to PHASE-115). */
export const phase = defineProtocol(() => ({
  name: 'phase',
  version: '1.2.0',
  meaning: 'A phase of a task: built by agents, released by reviewers that the engine spawns',
  roles: ['orchestrator'],
  openers: ['orchestrator'],
  initial: 'PENDING',
  // biome-ignore format: a state table reads as a table
  states: {
    PENDING:         { category: 'QUEUED',    meaning: 'An earlier phase is not done' },
    ACTIVE:          { category: 'WORKING',   owner: 'orchestrator', meaning: 'Agents build' },
    AWAITING_REVIEW: { category: 'SUBMITTED', meaning: 'Handed in; reviewers are being started' },
    UNDER_REVIEW:    { category: 'CHECKING',  meaning: 'Reviewers read' },
    APPROVED:        { category: 'CONFIRMED', owner: 'orchestrator', meaning: 'Released by its reviewers' },
    REJECTED:        { category: 'REWORK',    owner: 'orchestrator', meaning: 'Something critical was found' },
    REVISING:        { category: 'REWORK',    owner: 'orchestrator', meaning: 'Changes are being made' },
    ESCALATED:       { category: 'ESCALATED', owner: 'orchestrator', meaning: 'The review came to nothing; a person may decide' },
    COMPLETED:       { category: 'CLOSED',    meaning: 'Done; the next phase has begun', final: true, success: true },
  },
  sets: {
    '*all': [
      'PENDING',
      'ACTIVE',
      'AWAITING_REVIEW',
      'UNDER_REVIEW',
      'APPROVED',
      'REJECTED',
      'REVISING',
      'ESCALATED',
      'COMPLETED',
    ],
    '*unapproved': [
      'PENDING',
      'ACTIVE',
      'AWAITING_REVIEW',
      'UNDER_REVIEW',
      'REJECTED',
      'REVISING',
      'ESCALATED',
    ],
  },
  subjects: { commit: {} },
  settings: { auto_submit: [true, false] },
  groups: ['agents', 'review', 'task'],
  probes: ['work-moved', 'within-caps', 'evidence-per-finding'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'PENDING',  command: 'activate', to: 'ACTIVE',   by: 'policy' },
    { from: 'ACTIVE',   command: 'deploy',   to: '@same',    by: lead, requires: [withinCaps] },
    { from: 'REJECTED', command: 'deploy',   to: 'REVISING', by: lead, requires: [withinCaps] },
    { from: 'REVISING', command: 'deploy',   to: '@same',    by: lead, requires: [not(quiet), withinCaps] },
    { from: 'REVISING', command: 'deploy',   to: 'ACTIVE',   by: lead, requires: [withinCaps] },
    { from: ['ACTIVE', 'REVISING'], command: '', to: 'AWAITING_REVIEW', by: 'engine', requires: roundDone, forgets: asked.forgets },
    { from: 'ACTIVE',   command: 'submit',   to: 'AWAITING_REVIEW', by: lead, requires: [quiet, byHand, moved], ...asked },
    { from: 'REVISING', command: 'submit',   to: 'AWAITING_REVIEW', by: lead, requires: [quiet, moved, withinCaps], ...asked },
    { from: 'REJECTED', command: 'fixes-applied', to: 'ACTIVE', by: lead, requires: [probe('evidence-per-finding'), moved, withinCaps], takes: ['fixed'], moves: ['commit'], records: ['fixes:applied:commit'] },
    { from: 'REJECTED', command: 'trigger',  to: 'AWAITING_REVIEW', by: lead, requires: [moved, withinCaps], ...asked },
    { from: 'AWAITING_REVIEW', command: '', to: 'UNDER_REVIEW', by: 'engine', requires: [reviewIs('open', 'approved', 'rejected', 'changes')] },
    { from: 'AWAITING_REVIEW', command: '', to: 'ESCALATED',    by: 'engine', requires: [reviewIs('crashed', 'aborted')] },
    { from: 'UNDER_REVIEW',    command: '', to: 'APPROVED',     by: 'engine', requires: [reviewIs('approved')], records: ['approval:yes:commit'] },
    { from: 'UNDER_REVIEW',    command: '', to: 'REJECTED',     by: 'engine', requires: [reviewIs('rejected')], ...judged },
    { from: 'UNDER_REVIEW',    command: '', to: 'REVISING',     by: 'engine', requires: [reviewIs('changes')], ...judged },
    { from: 'UNDER_REVIEW',    command: '', to: 'ESCALATED',    by: 'engine', requires: [reviewIs('crashed', 'aborted')] },
    { from: ['ACTIVE', 'REJECTED', 'REVISING'], command: 'escalate', to: 'ESCALATED', by: lead, requires: [quiet, not(withinCaps)], takes: ['reason'] },
    { from: 'ESCALATED', command: 'trigger',       to: 'AWAITING_REVIEW', by: lead, requires: [reviewIs('aborted'), withinCaps], ...asked },
    { from: 'ESCALATED', command: 'trigger',       to: 'AWAITING_REVIEW', by: 'human', requires: [members('review', ['crashed'], 'none'), moved, built], ...asked },
    { from: 'ESCALATED', command: 'force-approve', to: 'APPROVED',        by: 'human', takes: ['force', 'reason'], as: 'approver', verdict: true, override: true, records: ['approval:forced:commit'] },
    { from: 'APPROVED',  command: 'advance',       to: 'COMPLETED',       by: lead, requires: [not(absent('approval'))] },
  ],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: 'PENDING', command: 'deploy', because: 'wrong phase: another phase of the task is active', instead: 'wait until the phase before is approved and advanced' },
    { from: ['AWAITING_REVIEW', 'UNDER_REVIEW'], command: 'deploy', because: 'the work of the phase is complete and its review is under way', instead: reviewed },
    { from: ['APPROVED', 'COMPLETED'], command: 'deploy', because: 'the phase is complete', instead: 'advance to the next phase' },
    { from: 'ESCALATED', command: 'deploy', because: 'resolve the review first', instead: 'abort the dead review and trigger a new one' },
    { from: 'PENDING', command: 'submit', because: 'the phase is not active', instead: 'wait until the phase before is approved and advanced' },
    { from: 'AWAITING_REVIEW', command: 'submit', because: 'the phase is already submitted', instead: reviewed },
    { from: 'UNDER_REVIEW', command: 'submit', because: 'the phase is already in review', instead: reviewed },
    { from: ['APPROVED', 'COMPLETED'], command: 'submit', because: 'the phase is already approved', instead: 'advance to the next phase' },
    { from: 'ESCALATED', command: 'submit', because: 'its review came to nothing', instead: 'abort it and trigger a new one' },
    { from: 'REJECTED', command: 'submit', because: 'something critical was found', instead: 'deploy agents that mend it, or mend it and trigger a new review' },
    { from: ['PENDING', 'ACTIVE'], command: 'force-approve', because: 'there is no review to approve', instead: 'reviewers judge the phase when its agents are done' },
    { from: ['AWAITING_REVIEW', 'UNDER_REVIEW'], command: 'force-approve', because: 'BLOCKED: This phase has an auto-review in progress', instead: 'wait for the verdicts of its reviewers' },
    { from: ['APPROVED', 'COMPLETED'], command: 'force-approve', because: 'the phase is already approved', instead: 'advance to the next phase' },
    { from: ['REJECTED', 'REVISING'], command: 'force-approve', because: 'it has to be mended and reviewed again', instead: 'deploy agents that mend it' },
    { from: '*all', command: 'reject', because: 'BLOCKED: Manual rejection is not allowed', instead: 'reviewers judge the phase, each by submit_review_verdict' },
    { from: '*unapproved', command: 'advance', because: 'PHASE_NOT_APPROVED: Cannot advance phase', instead: 'its reviewers have to approve it first' },
    { from: 'COMPLETED', command: 'advance', because: 'PHASE_NOT_APPROVED: Cannot advance phase: it is completed already', instead: 'go on with the next phase' },
    { from: ['PENDING', 'ACTIVE', 'AWAITING_REVIEW', 'UNDER_REVIEW', 'REVISING'], command: 'trigger', because: 'there is no failed review to begin anew', instead: 'submit the phase when its agents are done' },
    { from: ['APPROVED', 'COMPLETED'], command: 'trigger', because: 'the phase is already approved', instead: 'advance to the next phase' },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { commands: ['deploy'],        tell: 'deployed', send: 'start' },
    { enters: ['AWAITING_REVIEW'], tell: 'review', note: 'phase', carry: ['builder'], asks: 'commit', moves: ['work'], send: 'open' },
    { enters: ['COMPLETED'],       tell: 'next', send: 'activate' },
    { enters: ['*'],               tell: 'task', note: 'phases', carry: ['builder', 'approver'] },
  ],
  // Where a person gave up its task, nothing leads on from it, whatever its state.
  closed: [members('task', ['cancelled'], 'some')],
  promises: [not(absent('approval'))],
}));
