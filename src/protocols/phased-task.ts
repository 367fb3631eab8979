import { defineProtocol } from '../kernel/define-protocol.ts';
import { members } from '../kernel/guards/members.ts';

/** A task that is built in phases, one after the other; the last approval ends it (PHASE-91, CH-15). */
export const phasedTask = defineProtocol(() => ({
  name: 'phased-task',
  version: '1.1.0',
  meaning: 'A task in phases: it is done when reviewers have approved each of them',
  roles: ['orchestrator'],
  openers: ['orchestrator'],
  initial: 'planned',
  // biome-ignore format: a state table reads as a table
  states: {
    planned:   { category: 'QUEUED',  meaning: 'Its phases are written down' },
    active:    { category: 'WORKING', meaning: 'One of its phases is under way' },
    completed: { category: 'CLOSED',  meaning: 'Every phase is approved', final: true, success: true },
    cancelled: { category: 'FAILED',  meaning: 'Given up by a person; nothing of it goes on', final: true },
  },
  groups: ['phases'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'planned', command: 'start', to: 'active', by: ['orchestrator', 'human'] },
    { from: 'active', command: '', to: 'completed', by: 'engine', requires: [members('phases', ['APPROVED', 'COMPLETED'], 'all', 1)] },
    { from: ['planned', 'active'], command: 'cancel', to: 'cancelled', by: 'human', takes: ['reason'], override: true },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { commands: ['start'], tell: 'first', send: 'activate' },
    { enters: ['cancelled'], tell: 'phases', note: 'task' },
    { enters: ['*'],       tell: 'whole', note: 'parts', carry: ['builder'] },
  ],
}));
