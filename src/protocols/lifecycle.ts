import { defineProtocol } from '../kernel/define-protocol.ts';
import { apart } from '../kernel/guards/apart.ts';
import { count, reaches } from '../kernel/guards/count.ts';
import { evidence } from '../kernel/guards/evidence.ts';
import { independent } from '../kernel/guards/independent.ts';
import { anyOf, not, when } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { previous } from '../kernel/guards/previous.ts';
import { probe } from '../kernel/guards/probe.ts';
import { setting } from '../kernel/guards/setting.ts';
import { team } from '../kernel/guards/team.ts';
import { gateEvidence } from './voices.ts';

const ORDER = [
  'pending',
  'assigned',
  'planning',
  'validated',
  'in_progress',
  'testing',
  'quality_review',
  'approved',
  'committing',
] as const;

/** States in which it is neither done nor on its way. */
const UNDECIDED = ['cto_intervention', 'human_escalation', 'failed'] as const;

const reason = { takes: ['reason'] };
// A state is left by success: its failures are forgiven, those of other states are not (CL-04).
const forward = { counts: ['0failures'], takes: ['reason'] };
const third = reaches('failures', 3);
const review = when(setting('plan_file', true), evidence('codebase-review', 'done'));
const work = [probe('claimed-work'), probe('evidence-files'), probe('evidence-types')];
const dependenciesDone = members('dependencies', ['=CONFIRMED', '=CLOSED'], 'all');
// Todo items and tasks in phases below it are part of its work.
const partsDone = members('parts', ['=CONFIRMED', '=CLOSED', '=FAILED'], 'all');
const outside = anyOf(
  apart('builder'),
  not(anyOf(team(2, 'quality-monitor'), team(1, 'quality-monitor', 'builder'))),
);
const newApproach = not(evidence('approach', 'rejected'));

/** From planning to commit: counted failures, a CTO's intervention, a person at the end (LIFE-01 to LIFE-116). */
export const lifecycle = defineProtocol(() => ({
  name: 'lifecycle',
  version: '1.1.0',
  meaning: 'A task from planning to commit, with counted failures and two levels of intervention',
  roles: [
    'plan-manager',
    'build-orchestrator',
    'solution-validator',
    'fullstack-developer',
    'quality-monitor',
    'git-manager',
    'cto',
  ],
  openers: ['plan-manager'],
  initial: 'pending',
  // biome-ignore format: a state table reads as a table
  states: {
    pending:          { category: 'QUEUED',    owner: 'build-orchestrator',  allowance: 60,  meaning: 'Created; nobody has it' },
    assigned:         { category: 'QUEUED',    owner: 'solution-validator',  allowance: 15,  meaning: 'Taken up; planning has not begun' },
    planning:         { category: 'WORKING',   owner: 'solution-validator',  allowance: 30,  meaning: 'The approach is examined' },
    validated:        { category: 'WORKING',   owner: 'fullstack-developer', allowance: 15,  meaning: 'The approach was approved' },
    in_progress:      { category: 'WORKING',   owner: 'fullstack-developer', allowance: 240, meaning: 'Being built' },
    testing:          { category: 'WORKING',   owner: 'fullstack-developer', allowance: 30,  meaning: 'The developer checks their own work' },
    quality_review:   { category: 'CHECKING',  owner: 'quality-monitor',     allowance: 30,  meaning: 'The engine runs the checks for somebody else' },
    approved:         { category: 'ACCEPTED',  owner: 'git-manager',         allowance: 10,  meaning: 'Passed; may be committed' },
    committing:       { category: 'ACCEPTED',  owner: 'git-manager',         allowance: 15,  meaning: 'Being committed' },
    completed:        { category: 'CLOSED',    meaning: 'Passed and committed', final: true, success: true },
    cto_intervention: { category: 'ESCALATED', owner: 'cto',                 allowance: 60,  meaning: 'Three failures: guidance is needed' },
    human_escalation: { category: 'ESCALATED', owner: 'human',               meaning: 'Two interventions did not help: a person decides' },
    failed:           { category: 'FAILED',    meaning: 'Given up by a person', final: true },
  },
  order: ORDER,
  // A person may send it back to any work, never past the gate that nothing of it has passed.
  sets: { '*working': ORDER, '*returnable': ORDER.slice(0, 7) },
  counters: { failures: { per: 'state', limit: 3 }, interventions: { per: 'item', limit: 2 } },
  subjects: { commit: {}, item: {}, plan: {} },
  settings: {
    plan_file: [false, true],
    independence: ['automated', 'sibling', 'other-lineage', 'human'],
  },
  groups: ['dependencies', 'parts'],
  probes: [
    'claimed-work',
    'evidence-files',
    'evidence-types',
    'self-checks',
    'new-approach',
    'commit-exists',
    'proof-pack',
  ],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'pending',        command: 'assign',     to: 'assigned',       by: 'build-orchestrator',  requires: [review, dependenciesDone], forgets: ['codebase-review'], ...forward },
    { from: 'assigned',       command: 'plan',       to: 'planning',       by: 'solution-validator',  ...forward },
    { from: 'planning',       command: 'propose',    to: '@same',          by: 'fullstack-developer', requires: [probe('new-approach')], moves: ['plan'], records: ['approach:proposed:plan'], ...reason },
    { from: 'planning',       command: 'validate',   to: 'validated',      by: 'solution-validator',  requires: [newApproach], forgets: ['approach'], ...forward },
    { from: 'validated',      command: 'begin',      to: 'in_progress',    by: 'fullstack-developer', as: 'builder', ...forward },
    { from: 'in_progress',    command: 'finish',     to: 'testing',        by: 'fullstack-developer', requires: [partsDone, ...work], as: 'builder', moves: ['commit'], ...forward },
    { from: 'testing',        command: 'ask-review', to: 'quality_review', by: 'fullstack-developer', requires: [probe('evidence-files'), probe('self-checks')], as: 'builder', moves: ['commit'], ...forward },
    { from: 'quality_review', command: 'approve',    to: 'approved',       by: ['quality-monitor', 'human'], requires: [outside, evidence('proof-pack', 'PASSED'), independent('proof-pack')], as: 'verifier', verdict: true, ...forward },
    { from: 'approved',       command: 'commit',     to: 'committing',     by: 'git-manager',         ...forward },
    { from: 'committing',     command: 'committed',  to: 'completed',      by: 'git-manager',         requires: [probe('commit-exists'), probe('proof-pack'), evidence('proof-pack', 'PASSED')], takes: ['commit', 'reason'] },

    // Counted first, then decided: the third failure meets these three before any row for another try (CL-01 to CL-03).
    // What was rejected for the third time is not validated after an intervention either: it takes another approach (CL-13).
    { from: '*working', command: 'fail', to: 'human_escalation', by: '@owner', requires: [third, count('interventions', 2)], via: 'cto_intervention', counts: ['+failures'], ...reason },
    { from: 'planning', command: 'fail', to: 'cto_intervention', by: '@owner', requires: [third], counts: ['+failures', '+interventions'], records: ['approach:rejected:plan'], ...reason },
    { from: '*working', command: 'fail', to: 'cto_intervention', by: '@owner', requires: [third], counts: ['+failures', '+interventions'], ...reason },
    { from: ['testing', 'quality_review', 'committing'], command: 'fail', to: 'in_progress', by: '@owner', counts: ['+failures'], moves: ['commit'], ...reason },
    { from: 'planning', command: 'fail', to: '@same', by: '@owner', counts: ['+failures'], records: ['approach:rejected:plan'], ...reason },
    { from: '*working', command: 'fail', to: '@same', by: '@owner', counts: ['+failures'], ...reason },

    { from: 'cto_intervention', command: 'return',   to: '@previous', by: 'cto', requires: [previous(['quality_review'])], counts: ['0^failures'], moves: ['commit'], takes: ['guidance'] },
    { from: 'cto_intervention', command: 'return',   to: '@previous', by: 'cto', counts: ['0^failures'], takes: ['guidance'] },
    { from: 'cto_intervention', command: 'rollback', to: '@earlier',  by: 'cto', counts: ['0^failures'], moves: ['commit'], forgets: ['approach'], takes: ['guidance'], override: true },
    { from: 'cto_intervention', command: 'skip',     to: '@next',     by: 'cto', requires: [previous(['pending', 'assigned', 'planning', 'validated', 'testing', 'approved'])], counts: ['0^failures'], forgets: ['approach'], takes: ['guidance'], override: true },
    { from: 'cto_intervention', command: 'escalate', to: 'human_escalation', by: 'cto', requires: [count('interventions', 2)], ...reason },
    { from: 'human_escalation', command: 'resolve',  to: '*returnable', by: 'human', counts: ['0*failures'], moves: ['commit'], forgets: ['approach'], ...reason },
    { from: 'human_escalation', command: 'abandon',  to: 'failed',      by: 'human', ...reason },
  ],
  evidence: [
    // biome-ignore format: a table reads as a table
    { kind: 'codebase-review', outcomes: ['done'], by: 'cto', in: 'pending', on: 'item' },
    ...gateEvidence({
      in: 'quality_review',
      on: 'commit',
      reviewers: ['quality-monitor', 'cto'],
      signers: ['quality-monitor', 'cto', 'build-orchestrator'],
    }),
  ],
  gates: [{ in: 'quality_review', pass: 'approve', fail: 'fail', role: 'quality-monitor' }],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: ['pending', 'assigned', 'planning', 'validated'], command: 'committed', because: 'states are not skipped',   instead: 'take the next step of the item' },
    { from: ['in_progress', 'testing'],                       command: 'approve',   because: 'the review is not skipped', instead: 'finish, then ask for the review' },
    { from: ORDER,                                            command: 'abandon',   because: 'only a person gives up work, after an escalation', instead: 'record the failure' },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { enters: ['*'],                      tell: 'dependants', note: 'dependencies' },
    { enters: ['completed'],              tell: 'goal', note: 'tasks', carry: ['builder'], moves: ['commit'] },
    { enters: [...ORDER, ...UNDECIDED],   tell: 'goal', note: 'tasks', carry: ['builder'] },
  ],
  promises: [evidence('proof-pack', 'PASSED')],
}));
