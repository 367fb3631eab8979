import { sha256Hex } from '../../src/attestation/digest.ts';
import type { AgentState, AgentsPort } from '../../src/engine/agent-port.ts';

const UNKNOWN: AgentState = {
  ...{
    state: 'lost',
    elsewhere: false,
    startedAt: '',
    endedAt: '',
    outputAt: '',
    exitCode: null,
    signal: '',
    reason: 'not-started',
  },
  ...{ bytes: 0, costUsd: 0, said: '', seal: '', sealKey: '' },
};

/** What the watcher of a run alone would know. */
const keyOf = (run: string) => `key of ${run}`;

/** Processes of coding agents that only exist by name. */
export interface Agents extends AgentsPort {
  /** Names of those that run. */
  running(): readonly string[];
  /** One goes without a word: `lost` where its watcher went with it. */
  strike(run: string, how: 'exited' | 'lost'): void;
  /** The next so many do not start. */
  refuse(count: number): void;
  /** How often each was started. */
  readonly starts: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, AgentState>;
}

export function agentsInMemory(now: () => string, before: Agents['states']): Agents {
  const states = new Map(before);
  const starts = new Map<string, number>();
  let refused = 0;
  const of = (run: string) => states.get(run) ?? UNKNOWN;
  const end = (run: string, reason: string, exitCode: number | null): AgentState => {
    const before = of(run);
    if (before.state === 'ended' || before.startedAt === '') return before;
    const state: AgentState = {
      ...before,
      state: 'ended',
      endedAt: now(),
      reason,
      exitCode,
      sealKey: keyOf(run),
    };
    states.set(run, state);
    return state;
  };
  return {
    ...{ place: 'town', starts, states },
    running: () => [...states].flatMap(([run, { state }]) => (state === 'running' ? [run] : [])),
    refuse: (count) => {
      refused = count;
    },
    strike(run, how) {
      if (of(run).state !== 'running') return;
      if (how === 'exited') end(run, 'exited', 1);
      else states.set(run, { ...of(run), state: 'lost', reason: 'lost' });
    },
    async start({ run }) {
      if (of(run).startedAt !== '') return of(run);
      if (refused > 0) {
        refused -= 1;
        return { ...UNKNOWN, state: 'ended', said: 'it does not start today' };
      }
      starts.set(run, (starts.get(run) ?? 0) + 1);
      states.set(run, {
        ...UNKNOWN,
        state: 'running',
        startedAt: now(),
        outputAt: now(),
        reason: '',
        seal: sha256Hex(keyOf(run)),
      });
      return of(run);
    },
    look: async (run) => of(run),
    kill: async (run) => end(run, 'killed', null),
    settle: async (run) => end(run, 'lost', null),
    page: async () => ({ text: '', next: 0, ended: true }),
  };
}
