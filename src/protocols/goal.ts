import { defineProtocol } from '../kernel/define-protocol.ts';
import { absent } from '../kernel/guards/absent.ts';
import { apart } from '../kernel/guards/apart.ts';
import { evidence } from '../kernel/guards/evidence.ts';
import { independent } from '../kernel/guards/independent.ts';
import { not } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { probe } from '../kernel/guards/probe.ts';
import { gateEvidence } from './voices.ts';

// Tasks of other protocols are done when they are closed: committed, or landed on the main branch (CX-01, CX-14).
const underWay = ['=WORKING', '=SUBMITTED', '=CHECKING', '=ACCEPTED', '=REWORK', '=ESCALATED', '=CLOSED'];
const started = members('tasks', ['in_progress', 'review', 'completed', 'verified', ...underWay], 'some');
const done = members('tasks', ['verified', 'abandoned', '=CLOSED', '=FAILED'], 'all', 1);
const someVerified = members('tasks', ['verified', '=CLOSED'], 'some');
// What was tried as a whole is what there is now: a part that came since makes it another whole (GOAL-39).
const integrated = evidence('integration', 'tried');
const lead = ['lead', 'human'] as const;

/** Roles that one agent at a time holds: whoever leads judges the whole, and hands that to nobody (CG-13). */
export const SOLE_ROLES: readonly string[] = ['lead'];

/** A goal follows its tasks, and is verified as a whole on the commit that holds them all (GOAL-19 to GOAL-28, GOAL-38 to GOAL-40). */
export const goal = defineProtocol(() => ({
  name: 'goal',
  version: '1.1.0',
  meaning: 'A goal follows its tasks, and is verified as a whole by a lead who built none of it',
  roles: ['lead'],
  openers: ['lead'],
  initial: 'open',
  // biome-ignore format: a state table reads as a table
  states: {
    open:           { category: 'QUEUED',    meaning: 'No task has been started' },
    active:         { category: 'WORKING',   meaning: 'Tasks are under way' },
    pending_verify: { category: 'CHECKING',  owner: 'lead', meaning: 'Every task is verified; the whole is not' },
    verified:       { category: 'CONFIRMED', meaning: 'The whole was tried and works', success: true },
    cancelled:      { category: 'FAILED',    meaning: 'Given up', final: true },
  },
  sets: { '*open': ['open', 'active', 'pending_verify'] },
  subjects: { commit: {} },
  settings: { independence: ['automated', 'sibling', 'other-lineage', 'human'] },
  groups: ['tasks'],
  probes: ['linkable', 'integrated'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'open',           command: '', to: 'active',         by: 'engine', requires: [started] },
    { from: 'active',         command: '', to: 'pending_verify', by: 'engine', requires: [done, someVerified, absent('rejection')] },
    { from: 'pending_verify', command: '', to: 'active',         by: 'engine', requires: [not(done)] },
    { from: 'verified',       command: '', to: 'active',         by: 'engine', requires: [not(done)], moves: ['commit'], records: ['regression:open:commit'] },
    { from: '*open',          command: 'link',        to: '@same',    by: lead, requires: [probe('linkable')], takes: ['task'] },
    { from: '*open',          command: 'unlink',      to: '@same',    by: lead, requires: [probe('linkable')], takes: ['task', 'reason'] },
    { from: 'pending_verify', command: 'integrate',   to: '@same',    by: lead, requires: [apart('builder'), probe('integrated')], takes: ['notes'], moves: ['commit'], records: ['integration:tried:commit'] },
    { from: 'pending_verify', command: 'verify-goal', to: 'verified', by: lead, requires: [apart('builder'), integrated, evidence('proof-pack', 'PASSED'), independent('proof-pack')], as: 'verifier', verdict: true },
    { from: 'pending_verify', command: 'reject-goal', to: 'active',   by: lead, takes: ['reason'], records: ['rejection:open:commit'] },
    { from: '*open',          command: 'cancel',      to: 'cancelled', by: lead, takes: ['reason'] },
  ],
  evidence: gateEvidence({
    in: 'pending_verify',
    on: 'commit',
    reviewers: ['lead'],
    signers: ['lead'],
  }),
  gates: [{ in: 'pending_verify', pass: 'verify-goal', fail: 'reject-goal', role: 'lead' }],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: ['open', 'active'], command: 'verify-goal', because: 'not every task is verified', instead: 'have the remaining tasks verified' },
    { from: ['open', 'active'], command: 'integrate',   because: 'not every task is verified', instead: 'have the remaining tasks verified' },
    { from: 'verified',         command: 'link',        because: 'a verified goal takes no new task', instead: 'reopen one of its tasks, or make another goal' },
  ],
  promises: [evidence('proof-pack', 'PASSED')],
}));
