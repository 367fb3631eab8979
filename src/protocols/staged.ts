import { defineProtocol } from '../kernel/define-protocol.ts';
import { reaches } from '../kernel/guards/count.ts';
import { evidence } from '../kernel/guards/evidence.ts';
import { anyOf, not } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { probe } from '../kernel/guards/probe.ts';
import { votes } from '../kernel/guards/votes.ts';
import { STAGED_PROBES } from './staged-probes.ts';
import { gateEvidence } from './voices.ts';

// Whoever coordinates holds the task by its lease, and stands in its worktree.
const held = probe('task-lease');
const here = probe('in-worktree');
const own = [held, here];

const settled = [probe('task-worktree'), probe('agent-worktrees')];
const classified = evidence('classification', 'decided');
const taskFile = probe('task-file');

// The nine points (PROTO-217 to PROTO-226); the first, the state, is the row's own.
const complete = votes('requirements', 'COMPLETE', 'all', 'agent');
const failed = votes('requirements', 'ERROR', 'some', 'agent');
const ninePoints = [
  held,
  here,
  taskFile,
  probe('agent-worktrees'),
  complete,
  probe('reports'),
  probe('log-chain'),
  not(failed),
];

// The seven guards (PROTO-242 to PROTO-249); the sixth, the state, is the row's own.
const approved = evidence('plan-approval', 'approved');
const delegated = evidence('delegation', 'acknowledged');
const sevenGuards = [
  taskFile,
  probe('report-sections'),
  probe('reports'),
  probe('plan'),
  approved,
  delegated,
];

const synthesized = [probe('synthesis'), probe('plan')];
const built = votes('implementation', 'COMPLETE', 'all', 'agent');
const integrated = [probe('branches-merged'), probe('clean-tree'), probe('authors'), probe('todo-entry')];
const work = [probe('claimed-work'), probe('evidence-files'), probe('evidence-types')];
const passed = evidence('proof-pack', 'PASSED');
const judged = anyOf(passed, evidence('validation', 'skipped'));
// Todo items and tasks in phases below it are part of its work.
const partsDone = members('parts', ['=CONFIRMED', '=CLOSED', '=FAILED'], 'all');
const unanimous = votes('review', 'APPROVED', 'all', 'agent');
const rejected = votes('review', 'REJECTED', 'some', 'agent');
const confirmed = evidence('checkpoint', 'approved');
// Whoever goes round in circles is stopped by a person.
const tooOften = reaches('rework', 5);

// The four answers that an agent which comes late needs, and the risk as it is seen now.
const late = ['agent', 'expertise', 'requirement', 'overlooked', 'shows', 'risk', 'reason'];

const live = [
  'INIT',
  'CLASSIFIED',
  'REQUIREMENTS',
  'SYNTHESIS',
  'IMPLEMENTATION',
  'VALIDATION',
  'REVIEW',
  'AWAITING_USER_APPROVAL',
  'SCOPE_NEGOTIATION',
  'COMPLETE',
] as const;

/** From a task to its clean-up in stages: requirements of all stakeholders, one plan that a person approves, one build, a unanimous review, and a person's word on the very commit (PROTO-01 to PROTO-22). */
export const staged = defineProtocol(() => ({
  name: 'staged',
  version: '1.2.0',
  meaning: 'A task in stages, with a person before the building and before the landing',
  roles: ['coordinator', 'stakeholder'],
  openers: ['coordinator'],
  initial: 'INIT',
  // biome-ignore format: a state table reads as a table
  states: {
    INIT:                   { category: 'WORKING',   meaning: 'Held by a session; its worktrees are being made' },
    CLASSIFIED:             { category: 'WORKING',   meaning: 'Risk and stakeholders are being decided' },
    REQUIREMENTS:           { category: 'WORKING',   meaning: 'Every stakeholder writes what it needs' },
    SYNTHESIS:              { category: 'WORKING',   meaning: 'One plan out of all reports; a person approves it' },
    IMPLEMENTATION:         { category: 'WORKING',   meaning: 'Stakeholders build to the approved plan' },
    VALIDATION:             { category: 'SUBMITTED', meaning: 'The engine runs the checks on the commit' },
    REVIEW:                 { category: 'CHECKING',  meaning: 'Every stakeholder judges the commit' },
    AWAITING_USER_APPROVAL: { category: 'ACCEPTED',  meaning: 'A person looks at the commit' },
    SCOPE_NEGOTIATION:      { category: 'ESCALATED', meaning: 'A person decides on the scope' },
    COMPLETE:               { category: 'CONFIRMED', meaning: 'Approved; lands on the main branch', success: true },
    CLEANUP:                { category: 'CLOSED',    meaning: 'Landed; its worktrees are removed', final: true, success: true },
    CANCELLED:              { category: 'FAILED',    meaning: 'Stopped by a person; nothing is merged', final: true },
  },
  order: live,
  sets: { '*live': live, '*building': ['IMPLEMENTATION', 'VALIDATION', 'REVIEW'] },
  counters: { rework: { per: 'item', limit: 5 } },
  groups: ['parts'],
  subjects: { scope: {}, plan: {}, round: {}, commit: {}, item: {} },
  settings: { independence: ['automated', 'sibling', 'other-lineage', 'human'] },
  probes: ['claimed-work', 'evidence-files', 'evidence-types', ...STAGED_PROBES],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'INIT',           command: 'classify',   to: 'CLASSIFIED',     by: 'coordinator', requires: [...own, probe('todo-entry'), ...settled], as: 'coordinator' },
    { from: 'CLASSIFIED',     command: 'assess',     to: '@same',          by: 'coordinator', requires: [...own, probe('agents-fit')], takes: ['risk', 'agents', 'reason'], forgets: ['agent'], names: { agent: 'agents' }, records: ['classification:decided:scope'] },
    { from: 'CLASSIFIED',     command: 'document',   to: '@same',          by: 'coordinator', requires: [held, classified] },
    { from: 'CLASSIFIED',     command: 'gather',     to: 'REQUIREMENTS',   by: 'coordinator', requires: [...own, classified, probe('agent-worktrees'), taskFile] },
    { from: ['REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION', 'REVIEW'], command: 'invoke', to: '@same', by: 'coordinator', requires: [...own, probe('agent-worktrees'), taskFile, probe('invocable')], takes: ['agent'] },
    { from: ['REQUIREMENTS', 'IMPLEMENTATION'], command: 'add-agent', to: '@same', by: 'coordinator', requires: [held, not(rejected), probe('addition')], takes: late, names: { agent: 'agent' } },
    { from: 'SYNTHESIS',      command: 'add-agent',  to: '@same',          by: 'coordinator', requires: [held, probe('addition')], takes: late, names: { agent: 'agent' }, moves: ['plan'] },
    { from: ['VALIDATION', 'REVIEW'], command: 'add-critical-agent', to: 'REQUIREMENTS', by: 'coordinator', requires: [held, not(rejected), probe('addition')], takes: late, names: { agent: 'agent' }, moves: ['plan', 'round', 'commit'] },
    { from: 'REQUIREMENTS',   command: 'synthesize', to: 'SYNTHESIS',      by: 'coordinator', requires: ninePoints },
    { from: ['REQUIREMENTS', 'SYNTHESIS'], command: 'reclassify', to: 'CLASSIFIED', by: 'coordinator', requires: [held], takes: ['reason'], moves: ['scope', 'plan'] },
    { from: 'SYNTHESIS',      command: 'regather',   to: 'REQUIREMENTS',   by: 'coordinator', requires: [held], takes: ['reason'], moves: ['plan'] },
    { from: 'SYNTHESIS',      command: 'present-plan', to: '@same',        by: 'coordinator', requires: [...own, complete, ...synthesized], moves: ['plan'], records: ['presentation:shown:plan'] },
    { from: 'SYNTHESIS',      command: 'acknowledge-delegation', to: '@same', by: 'coordinator', requires: [held], records: ['delegation:acknowledged:item'] },
    { from: 'SYNTHESIS',      command: 'implement',  to: 'IMPLEMENTATION', by: 'coordinator', requires: [...own, ...sevenGuards, complete, probe('synthesis'), probe('calls-ended')], moves: ['round'] },
    { from: 'IMPLEMENTATION', command: 'next-round', to: '@same',          by: 'coordinator', requires: [...own], takes: ['reason'], moves: ['round'] },
    { from: 'IMPLEMENTATION', command: 'validate',   to: 'VALIDATION',     by: 'coordinator', requires: [...own, built, partsDone, ...integrated, ...work], moves: ['commit'] },
    { from: 'VALIDATION',     command: 'verify',     to: 'REVIEW',         by: ['coordinator', 'human'], requires: [passed] },
    { from: 'VALIDATION',     command: 'skip-checks', to: 'REVIEW',        by: 'coordinator', requires: [...own, probe('documents-only')], records: ['validation:skipped:commit'] },
    { from: 'VALIDATION',     command: 'rework',     to: 'SCOPE_NEGOTIATION', by: ['coordinator', 'human'], requires: [evidence('proof-pack', 'BLOCKED'), tooOften], counts: ['0rework'], moves: ['commit', 'round'] },
    { from: 'VALIDATION',     command: 'rework',     to: 'IMPLEMENTATION', by: ['coordinator', 'human'], requires: [evidence('proof-pack', 'BLOCKED')], counts: ['+rework'], moves: ['commit', 'round'] },
    { from: 'VALIDATION',     command: 'withdraw',   to: 'IMPLEMENTATION', by: 'coordinator', requires: [held], takes: ['reason'], moves: ['commit', 'round'] },
    { from: 'REVIEW',         command: 'rework',     to: 'SCOPE_NEGOTIATION', by: 'coordinator', requires: [held, rejected, tooOften], takes: ['reason'], counts: ['0rework'], moves: ['commit', 'round'] },
    { from: 'REVIEW',         command: 'rework',     to: 'IMPLEMENTATION', by: 'coordinator', requires: [held, rejected], takes: ['reason'], counts: ['+rework'], moves: ['commit', 'round'] },
    { from: 'REVIEW',         command: 'present',    to: 'AWAITING_USER_APPROVAL', by: 'coordinator', requires: [...own, unanimous, judged, probe('head-shown'), probe('pushed')] },
    { from: 'AWAITING_USER_APPROVAL', command: 'request-change', to: 'IMPLEMENTATION', by: 'coordinator', requires: [held], takes: ['reason'], moves: ['commit', 'round'] },
    { from: 'AWAITING_USER_APPROVAL', command: 'request-change', to: 'IMPLEMENTATION', by: 'human', takes: ['reason'], moves: ['commit', 'round'] },
    { from: 'AWAITING_USER_APPROVAL', command: 'complete', to: 'COMPLETE', by: 'coordinator', requires: [held, confirmed, probe('head-shown')] },
    { from: 'COMPLETE',       command: 'request-change', to: 'IMPLEMENTATION', by: 'coordinator', requires: [held, not(probe('landed'))], takes: ['reason'], moves: ['commit', 'round'] },
    { from: 'COMPLETE',       command: 'request-change', to: 'IMPLEMENTATION', by: 'human', requires: [not(probe('landed'))], takes: ['reason'], moves: ['commit', 'round'] },
    { from: 'COMPLETE',       command: 'clean',      to: 'CLEANUP',        by: 'coordinator', requires: [held, probe('landed'), probe('trail-complete')] },
    { from: '*building',      command: 'negotiate',  to: 'SCOPE_NEGOTIATION', by: 'coordinator', requires: [held], takes: ['reason'] },
    { from: 'SCOPE_NEGOTIATION', command: 'change-scope', to: 'SYNTHESIS', by: 'human', takes: ['reason'], moves: ['plan', 'round', 'commit'] },
    { from: 'SCOPE_NEGOTIATION', command: 'keep-scope', to: 'IMPLEMENTATION', by: 'human', takes: ['reason'], moves: ['round', 'commit'] },
    { from: 'SCOPE_NEGOTIATION', command: 'defer',   to: 'REVIEW',         by: 'human', requires: [judged], takes: ['reason'], forgets: ['review'] },
    { from: '*live',          command: 'cancel',     to: 'CANCELLED',      by: 'human', takes: ['reason'] },
  ],
  // biome-ignore format: a table reads as a table
  evidence: [
    { kind: 'requirements',   outcomes: ['WORKING', 'COMPLETE', 'ERROR'], by: 'stakeholder', in: ['REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION'], on: 'scope', each: true },
    { kind: 'implementation', outcomes: ['WORKING', 'COMPLETE', 'ERROR'], by: 'stakeholder', in: 'IMPLEMENTATION', on: 'round', as: 'builder', each: true },
    { kind: 'review',         outcomes: ['APPROVED', 'REJECTED'], by: 'stakeholder', in: 'REVIEW', on: 'commit', each: true, once: true },
    { kind: 'plan-approval',  outcomes: ['approved'], by: 'human', in: 'SYNTHESIS', on: 'plan', requires: [evidence('presentation', 'shown')] },
    { kind: 'checkpoint',     outcomes: ['approved'], by: 'human', in: 'AWAITING_USER_APPROVAL', on: 'commit', verdict: 'approved' },
    ...gateEvidence<'VALIDATION', 'coordinator'>({ in: 'VALIDATION', on: 'commit', reviewers: [], signers: [] }).filter(({ by }) => by.length > 0),
  ],
  gates: [{ in: 'VALIDATION', pass: 'verify', fail: 'rework', role: 'coordinator' }],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: 'AWAITING_USER_APPROVAL', command: 'invoke', because: 'nothing is built while a person looks at it', instead: 'a change that was asked for goes back at once: request-change' },
    { from: ['VALIDATION', 'REVIEW'], command: 'add-agent', because: 'it is too late to add a stakeholder here', instead: 'where it is critical: add-critical-agent goes back to the requirements' },
    { from: ['CLASSIFIED'], command: 'synthesize', because: 'no stage may be skipped', instead: 'gather the requirements first' },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { enters: ['CLEANUP'],            tell: 'goal', note: 'tasks', carry: ['builder'], moves: ['commit'] },
    { enters: [...live, 'CANCELLED'], tell: 'goal', note: 'tasks', carry: ['builder'] },
  ],
  promises: [judged, approved, unanimous, confirmed],
}));
