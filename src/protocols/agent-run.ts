import { defineProtocol } from '../kernel/define-protocol.ts';
import { probe } from '../kernel/guards/probe.ts';
import { same } from '../kernel/guards/same.ts';

const alive = ['starting', 'running'] as const;

/** One run of a headless agent that builds in a phase (PHASE-14 to PHASE-16, PHASE-92, CH-13). */
export const agentRun = defineProtocol(() => ({
  name: 'agent-run',
  version: '1.1.0',
  meaning: 'One run of a headless agent in a phase',
  roles: ['phase-agent', 'orchestrator'],
  openers: ['engine', 'orchestrator'],
  initial: 'idle',
  // biome-ignore format: a state table reads as a table
  states: {
    idle:      { category: 'QUEUED',  meaning: 'Not deployed' },
    starting:  { category: 'QUEUED',  meaning: 'Deployed; its process is being started' },
    running:   { category: 'WORKING', meaning: 'Its process is alive' },
    completed: { category: 'CLOSED',  meaning: 'It said that it is finished, and its branch was taken over' },
    failed:    { category: 'FAILED',  meaning: 'It ended without saying so, or said that it failed' },
    killed:    { category: 'FAILED',  meaning: 'It was ended, with a reason' },
  },
  sets: { '*any': ['idle', 'starting', 'running', 'completed', 'failed', 'killed'] },
  subjects: { work: {} },
  probes: ['merged', 'out-of-reach'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: '*any',     command: 'start',    to: 'starting', by: 'policy', forgets: ['agent'] },
    { from: 'starting', command: 'started',  to: 'running',   by: 'engine', takes: ['agent'], names: { agent: 'agent' } },
    { from: 'running',  command: 'report',   to: '@same',     by: 'phase-agent', requires: [same('agent')], takes: ['reason'] },
    { from: 'running',  command: 'complete', to: 'completed', by: 'phase-agent', requires: [same('agent'), probe('merged')], as: 'builder', moves: ['work'] },
    { from: 'running',  command: 'fail',     to: 'failed',    by: 'phase-agent', requires: [same('agent')], takes: ['reason'], as: 'builder' },
    { from: alive,      command: 'end',      to: 'failed',    by: 'engine', takes: ['reason'] },
    { from: 'running',  command: 'give-up',  to: 'failed',    by: 'human', requires: [probe('out-of-reach')], takes: ['reason'] },
    { from: alive,      command: 'kill',     to: 'killed',    by: ['orchestrator', 'human'], takes: ['reason'] },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { enters: ['completed'],                            tell: 'phase', note: 'agents', carry: ['builder'], asks: 'work', moves: ['commit'] },
    { enters: ['starting', 'running', 'failed', 'killed'], tell: 'phase', note: 'agents', carry: ['builder'] },
  ],
}));
