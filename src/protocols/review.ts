import { defineProtocol } from '../kernel/define-protocol.ts';
import { not, when } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { probe } from '../kernel/guards/probe.ts';
import { setting } from '../kernel/guards/setting.ts';

const out = ['spawning', 'running', 'stalled'] as const;
const at = (states: readonly string[], share: 'none' | 'some' | 'majority' | 'all', atLeast = 0) =>
  members('reviewers', states, share, atLeast, 'work');
const allIn = members('reviewers', out, 'none', 1);
/** Nobody reads, and who was asked and has no process gets none: no machine has what it takes. */
const noneAlive = [members('reviewers', ['running'], 'none', 1), probe('none-coming')];
const under = ['spawning', 'open'] as const;
const started = ['running', 'stalled', 'approve', 'changes', 'reject', 'dead'] as const;
const closed = ['idle', 'approved', 'rejected', 'changes', 'crashed', 'aborted'] as const;

/** A policy is how many approvals are enough; a rejection is enough for nobody (CX-09, CH-03). */
const policy = (name: string) => setting('policy', name);
const approvals = [
  when(policy('majority'), at(['approve'], 'majority')),
  when(policy('unanimous'), at(['approve'], 'all')),
  when(policy('single'), at(['approve'], 'some')),
  when(policy('veto'), at(['approve'], 'some')),
  when(policy('veto'), not(at(['changes'], 'some'))),
];
/** Enough who were heard, and one of them asks for something: where all approve and are too few, nothing is to be changed. */
const asksChanges = [at(['approve', 'changes'], 'majority'), at(['changes'], 'some')];

/** One review: a frozen reviewer set, a verdict each, and what they come to (PHASE-45 to PHASE-48, CH-03, CH-07, CH-17). */
export const review = defineProtocol(() => ({
  name: 'review',
  version: '1.2.0',
  meaning: 'A review by several reviewers, each with one verdict',
  roles: ['orchestrator'],
  openers: ['engine'],
  initial: 'idle',
  // biome-ignore format: a state table reads as a table
  states: {
    idle:     { category: 'QUEUED',   meaning: 'Not opened' },
    spawning: { category: 'CHECKING', meaning: 'Reviewers are being started' },
    open:     { category: 'CHECKING', meaning: 'Reviewers read' },
    approved: { category: 'CLOSED',   meaning: 'Approved' },
    rejected: { category: 'CLOSED',   meaning: 'Rejected' },
    changes:  { category: 'CLOSED',   meaning: 'Changes are asked for' },
    crashed:  { category: 'FAILED',   meaning: 'Too few reviewers answered' },
    aborted:  { category: 'FAILED',   meaning: 'Given up, as those who are missing do not answer' },
  },
  sets: { '*closed': closed },
  settings: { policy: ['majority', 'unanimous', 'single', 'veto'] },
  subjects: { work: {} },
  groups: ['phase', 'reviewers'],
  probes: ['none-coming'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: '*closed',  command: 'open',  to: 'spawning', by: 'policy', forgets: ['reviewers', 'approver'] },
    { from: 'spawning', command: '',      to: 'crashed',  by: 'engine', requires: [at(['dead'], 'all', 1)] },
    { from: 'spawning', command: '',      to: 'open',     by: 'engine', requires: [at(started, 'all', 1)] },
    { from: 'open',     command: '',      to: 'rejected', by: 'engine', requires: [allIn, at(['reject'], 'some')] },
    { from: 'open',     command: '',      to: 'approved', by: 'engine', requires: [allIn, ...approvals] },
    { from: 'open',     command: '',      to: 'changes',  by: 'engine', requires: [allIn, ...asksChanges] },
    { from: 'open',     command: '',      to: 'crashed',  by: 'engine', requires: [allIn] },
    { from: under,      command: 'abort', to: 'rejected', by: ['orchestrator', 'human'], requires: [...noneAlive, at(['reject'], 'some')], takes: ['reason'] },
    { from: under,      command: 'abort', to: 'approved', by: ['orchestrator', 'human'], requires: [...noneAlive, at(['approve', 'changes'], 'majority'), ...approvals], takes: ['reason'] },
    { from: under,      command: 'abort', to: 'changes',  by: ['orchestrator', 'human'], requires: [...noneAlive, ...asksChanges], takes: ['reason'] },
    { from: under,      command: 'abort', to: 'aborted',  by: ['orchestrator', 'human'], requires: noneAlive, takes: ['reason'] },
    { from: 'crashed',  command: 'abort', to: 'aborted',  by: ['orchestrator', 'human'], takes: ['reason'] },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { enters: ['spawning'], tell: 'reviewers', note: 'review', carry: ['builder'], asks: 'work', moves: ['work'], send: 'summon' },
    { enters: ['*'],        tell: 'phase',     note: 'review', carry: ['approver'], asks: 'work' },
  ],
}));
