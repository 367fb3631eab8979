import { defineProtocol } from '../kernel/define-protocol.ts';
import { apart } from '../kernel/guards/apart.ts';
import { reaches } from '../kernel/guards/count.ts';
import { probe } from '../kernel/guards/probe.ts';
import { same } from '../kernel/guards/same.ts';

/** The verdict of one who was silent is heard, as long as the review is open. */
const heard = ['running', 'stalled'] as const;
const gone = ['spawning', 'running', 'stalled'] as const;
const own = [same('agent'), apart('builder')];
const blocks = [...own, probe('findings-fit'), probe('blocking-finding')];
const fits = [...own, probe('findings-fit')];
const founded = [...fits, probe('counting-finding')];

/** One place in the reviewer set of a review: asked, alive, and its one verdict; replaced once when it dies (PHASE-101, PHASE-112, CH-17). */
export const reviewer = defineProtocol(() => ({
  name: 'reviewer',
  version: '1.2.0',
  meaning: 'One reviewer of one review, with one verdict',
  roles: ['phase-reviewer'],
  openers: ['engine'],
  initial: 'idle',
  // biome-ignore format: a state table reads as a table
  states: {
    idle:      { category: 'QUEUED',   meaning: 'Not asked' },
    spawning:  { category: 'QUEUED',   meaning: 'Asked; its process is being started' },
    running:   { category: 'CHECKING', meaning: 'Its process reads' },
    stalled:   { category: 'CHECKING', meaning: 'Not heard of for too long' },
    approve:   { category: 'CLOSED',   meaning: 'Approves' },
    changes:   { category: 'CLOSED',   meaning: 'Asks for changes' },
    reject:    { category: 'CLOSED',   meaning: 'Rejects, or found something critical' },
    dead:      { category: 'FAILED',   meaning: 'Died, and so did its replacement' },
  },
  sets: {
    '*any': ['idle', 'spawning', 'running', 'stalled', 'approve', 'changes', 'reject', 'dead'],
    '*given': ['approve', 'changes', 'reject'],
  },
  counters: { deaths: { per: 'item', limit: 2 } },
  subjects: { work: {} },
  groups: ['review'],
  probes: ['findings-fit', 'blocking-finding', 'counting-finding', 'review-closed', 'out-of-reach'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: '*any',     command: 'summon',  to: 'spawning', by: 'policy', counts: ['0deaths'], forgets: ['approver', 'agent'] },
    { from: 'spawning', command: 'spawned', to: 'running',  by: 'engine', takes: ['agent'], names: { agent: 'agent' }, forgets: ['agent'] },
    { from: gone,       command: 'die',     to: 'dead',     by: 'engine', requires: [reaches('deaths', 2)], takes: ['reason'], counts: ['+deaths'], forgets: ['agent'] },
    { from: gone,       command: 'die',     to: 'spawning', by: 'engine', takes: ['reason'], counts: ['+deaths'], forgets: ['agent'] },
    { from: gone,       command: 'dismiss', to: 'dead',     by: 'engine', requires: [probe('review-closed')], takes: ['reason'] },
    { from: heard,      command: 'give-up', to: 'dead',     by: 'human',  requires: [probe('out-of-reach'), reaches('deaths', 2)], takes: ['reason'], counts: ['+deaths'], forgets: ['agent'] },
    { from: heard,      command: 'give-up', to: 'spawning', by: 'human',  requires: [probe('out-of-reach')], takes: ['reason'], counts: ['+deaths'], forgets: ['agent'] },
    { from: 'running',  command: 'stall',   to: 'stalled',  by: 'engine', takes: ['reason'] },
    { from: 'stalled',  command: 'resume',  to: 'running',  by: 'engine', takes: ['reason'] },
    { from: heard,      command: 'approve', to: 'reject',   by: 'phase-reviewer', requires: blocks },
    { from: heard,      command: 'approve', to: 'approve',  by: 'phase-reviewer', requires: fits, as: 'approver', verdict: true },
    { from: heard,      command: 'changes', to: 'reject',   by: 'phase-reviewer', requires: blocks },
    { from: heard,      command: 'changes', to: 'changes',  by: 'phase-reviewer', requires: founded },
    { from: heard,      command: 'reject',  to: 'reject',   by: 'phase-reviewer', requires: founded },
  ],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: '*any',   command: 'kill', because: 'reviewers are not ended by whoever waits for their verdict', instead: 'abort the review where those who are missing do not answer' },
    { from: '*given', command: 'approve', because: 'its verdict is given, and cannot be taken back' },
    { from: '*given', command: 'changes', because: 'its verdict is given, and cannot be taken back' },
    { from: '*given', command: 'reject',  because: 'its verdict is given, and cannot be taken back' },
  ],
  policies: [{ enters: ['*'], tell: 'review', note: 'reviewers', carry: ['approver'], asks: 'work' }],
}));
