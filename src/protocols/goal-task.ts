import { defineProtocol } from '../kernel/define-protocol.ts';
import { apart } from '../kernel/guards/apart.ts';
import { reaches } from '../kernel/guards/count.ts';
import { evidence } from '../kernel/guards/evidence.ts';
import { hats } from '../kernel/guards/hats.ts';
import { independent } from '../kernel/guards/independent.ts';
import { anyOf, not, when } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { probe } from '../kernel/guards/probe.ts';
import { same } from '../kernel/guards/same.ts';
import { agents } from '../kernel/guards/team.ts';
import { gateEvidence } from './voices.ts';

// A hat is what an actor was to the item: its builder, its reviewer, its tester, its lead (CG-03).
const PAIRS = ['builder-reviewer', 'builder-tester', 'reviewer-tester'] as const;
const RELAXED = ['reviewer-tester'] as const;

const escalated = evidence('escalation', 'open');
const dependenciesDone = members('dependencies', ['=CONFIRMED', '=CLOSED'], 'all');
const work = [probe('claimed-work'), probe('evidence-files'), probe('evidence-types'), probe('helpers-fit')];
const mine = same('assignee');
const byTheChecker = when(evidence('checker', 'named'), same('checker'));
const passed = [evidence('proof-pack', 'PASSED'), independent('proof-pack')];
const fits = probe('assignee-fits');

// Three pairs of eyes: builder, reviewer and tester are three. Fewer: the builder is never one of the others (CG-02).
const ROLES = ['lead', 'builder', 'reviewer', 'verifier'] as const;
const large = agents(3, ROLES);
const strict = [large, apart('builder'), apart('reviewer', 'identity'), hats('tester', PAIRS), byTheChecker];
const relaxed = [not(large), apart('builder'), hats('tester', PAIRS, RELAXED), byTheChecker];

// Whoever approved it is one of three as well, a person too; only where there are not three may they be the same.
const byPerson = apart('builder', 'identity');
// What sends work back after its approval is a verdict as well: only those give it who might verify it.
const reviewerApart = when(large, apart('reviewer', 'identity'));
const relaxedHats = hats('tester', PAIRS, RELAXED);
const tester = [apart('builder'), apart('reviewer', 'identity'), relaxedHats, byTheChecker];
const fewTester = [not(large), apart('builder'), relaxedHats, byTheChecker];
const personAsTester = [byPerson, reviewerApart, relaxedHats];
// The second rejection is the lead's to settle, and after a triage every further one (CG-04).
const often = anyOf(evidence('escalation', 'triaged'), reaches('rejections', 2));
const sent = { counts: ['+rejections'], forgets: ['reviewer'], takes: ['reason'] } as const;
const sentUp = { ...sent, records: ['escalation:open:item'] } as const;

const triaged = { counts: ['0rejections'], records: ['escalation:triaged:item'] };

/** A task of a goal: built, approved by a second actor, verified by a third (GOAL-04 to GOAL-18, GOAL-29 to GOAL-37). */
export const goalTask = defineProtocol(() => ({
  name: 'goal-task',
  version: '1.0.0',
  meaning: 'A task of a goal: its builder neither approves nor verifies it',
  roles: ROLES,
  openers: ['lead'],
  initial: 'pending',
  // biome-ignore format: a state table reads as a table
  states: {
    pending:     { category: 'QUEUED',    meaning: 'Created; nobody has it' },
    assigned:    { category: 'QUEUED',    meaning: 'Has a builder, who has not begun' },
    in_progress: { category: 'WORKING',   meaning: 'Being built' },
    review:      { category: 'SUBMITTED', meaning: 'Submitted; somebody else reads it' },
    completed:   { category: 'CHECKING',  meaning: 'Approved, not yet verified: not done' },
    verified:    { category: 'CONFIRMED', meaning: 'Somebody who neither built nor approved it had it verified', success: true },
    abandoned:   { category: 'FAILED',    meaning: 'Taken out of its goal', final: true },
  },
  sets: { '*open': ['pending', 'assigned', 'in_progress', 'review', 'completed'] },
  counters: { rejections: { per: 'item', limit: 2 } },
  subjects: { commit: {}, item: {} },
  settings: { independence: ['automated', 'sibling', 'other-lineage', 'human'] },
  groups: ['dependencies'],
  probes: [
    'assignee-fits',
    'checker-fits',
    'helpers-fit',
    'claimed-work',
    'evidence-files',
    'evidence-types',
  ],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'pending',     command: 'assign',   to: 'assigned',    by: ['lead', 'human'], requires: [fits], takes: ['to'], names: { assignee: 'to' }, as: 'lead' },
    { from: ['assigned', 'in_progress'], command: 'assign', to: '@same', by: ['lead', 'human'], requires: [not(escalated), fits], takes: ['to'], forgets: ['assignee'], names: { assignee: 'to' }, as: 'lead' },
    { from: 'assigned',    command: 'start',    to: 'in_progress', by: 'builder', requires: [mine, dependenciesDone], as: 'builder' },
    { from: 'in_progress', command: 'submit',   to: 'review',      by: ['builder', 'lead'], requires: [mine, not(escalated), ...work], takes: ['summary', 'helpers'], names: { builder: 'helpers', helper: 'helpers' }, as: 'builder', moves: ['commit'] },
    { from: 'in_progress', command: 'submit',   to: 'review',      by: ['builder', 'lead'], requires: [mine, not(escalated), ...work], takes: ['summary'], as: 'builder', moves: ['commit'] },
    { from: 'review',      command: 'approve',  to: 'completed',   by: ['reviewer', 'lead', 'human'], requires: [apart('builder'), hats('reviewer', PAIRS)], as: 'reviewer' },
    { from: 'review',      command: 'reject',   to: 'in_progress', by: ['reviewer', 'lead', 'human'], requires: [apart('builder')], takes: ['reason'] },
    { from: 'completed',   command: 'verify',   to: 'verified',    by: 'verifier', requires: [...strict, ...passed], as: 'tester', verdict: true },
    { from: 'completed',   command: 'verify',   to: 'verified',    by: ['verifier', 'lead'], requires: [...relaxed, ...passed], as: 'tester', verdict: true, records: ['relaxed:yes:commit'] },
    { from: 'completed',   command: 'verify',   to: 'verified',    by: 'human', requires: [byPerson, apart('reviewer', 'identity'), hats('tester', PAIRS), ...passed], as: 'tester', verdict: true },
    { from: 'completed',   command: 'verify',   to: 'verified',    by: 'human', requires: [not(large), byPerson, hats('tester', PAIRS, RELAXED), ...passed], as: 'tester', verdict: true, records: ['relaxed:yes:commit'] },
    { from: 'completed',   command: 'reject-verification', to: 'in_progress', by: 'verifier', requires: [...tester, often], ...sentUp },
    { from: 'completed',   command: 'reject-verification', to: 'in_progress', by: ['verifier', 'lead'], requires: [...fewTester, often], ...sentUp },
    { from: 'completed',   command: 'reject-verification', to: 'in_progress', by: 'human', requires: [...personAsTester, often], ...sentUp },
    { from: 'completed',   command: 'reject-verification', to: 'in_progress', by: 'verifier', requires: tester, ...sent },
    { from: 'completed',   command: 'reject-verification', to: 'in_progress', by: ['verifier', 'lead'], requires: fewTester, ...sent },
    { from: 'completed',   command: 'reject-verification', to: 'in_progress', by: 'human', requires: personAsTester, ...sent },
    { from: 'in_progress', command: 'reassign-builder', to: '@same', by: ['lead', 'human'], requires: [escalated, fits], takes: ['to', 'reason'], forgets: ['assignee'], names: { assignee: 'to' }, as: 'lead', ...triaged },
    { from: 'in_progress', command: 'reassign-checker', to: '@same', by: ['lead', 'human'], requires: [escalated, probe('checker-fits')], takes: ['to', 'reason'], forgets: ['checker'], names: { checker: 'to' }, as: 'lead', counts: ['0rejections'], records: ['escalation:triaged:item', 'checker:named:item'] },
    { from: 'in_progress', command: 'intervene', to: '@same',      by: 'lead', requires: [escalated], takes: ['reason'], forgets: ['assignee'], as: 'assignee', ...triaged },
    { from: 'verified',    command: 'reopen',   to: 'in_progress', by: ['lead', 'human'], requires: [fits], takes: ['reason', 'to'], forgets: ['assignee', 'reviewer', 'tester', 'escalation'], names: { assignee: 'to' }, moves: ['commit'], counts: ['0rejections'] },
    { from: 'verified',    command: 'reopen',   to: 'in_progress', by: ['lead', 'human'], requires: [fits], takes: ['reason'], forgets: ['reviewer', 'tester', 'escalation'], moves: ['commit'], counts: ['0rejections'] },
    { from: '*open',       command: 'abandon',  to: 'abandoned',   by: ['lead', 'human'], takes: ['reason'] },
  ],
  evidence: gateEvidence({
    in: 'completed',
    on: 'commit',
    reviewers: ['verifier', 'reviewer'],
    signers: ['verifier', 'reviewer', 'lead'],
  }),
  gates: [{ in: 'completed', pass: 'verify', fail: 'reject-verification', role: 'verifier' }],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: 'review',      command: 'verify',  because: 'a submission is approved before it is verified', instead: 'have it approved first' },
    { from: ['pending', 'assigned', 'in_progress'], command: 'verify', because: 'there is nothing submitted to verify', instead: 'submit it first' },
    { from: ['pending', 'assigned', 'in_progress'], command: 'approve', because: 'there is nothing submitted to approve', instead: 'submit it first' },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { enters: ['*'],        tell: 'dependants', note: 'dependencies' },
    { enters: ['verified'], tell: 'goal', note: 'tasks', carry: ['builder'], moves: ['commit'] },
    { enters: ['pending', 'assigned', 'in_progress', 'review', 'completed', 'abandoned'], tell: 'goal', note: 'tasks', carry: ['builder'] },
  ],
  promises: [evidence('proof-pack', 'PASSED')],
}));
