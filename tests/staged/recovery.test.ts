import { expect, test } from 'vitest';
import { type AgentRun, errorTypeOf, recoveryOf } from '../../src/engine/staged/recovery.ts';
import { STAGED_DEFAULTS } from '../../src/engine/staged/settings.ts';
import { SEVEN } from './seven.ts';

const NOW = '2026-01-01T12:00:00.000Z';
const ago = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();
const LIMITS = { ...STAGED_DEFAULTS, now: NOW };

const DONE: AgentRun = {
  agent: 'architect',
  domain: 'architecture',
  isComplete: true,
  status: 'COMPLETE',
  hasWorktree: true,
  calls: 1,
  calledAt: ago(4),
  saidAt: ago(1),
  error: '',
  errorType: 'implementation-error',
};
const open = (more: Partial<AgentRun>): AgentRun => ({
  ...{ ...DONE, agent: 'tester', domain: 'tests', isComplete: false, status: 'WORKING' },
  ...more,
});
const failed = (more: Partial<AgentRun> = {}) => open({ status: 'ERROR', error: 'it broke', ...more });

/** What is to be done about one agent, beside others that are complete. */
const about = (run: AgentRun) => recoveryOf([DONE, { ...DONE, agent: 'quality' }, run], LIMITS).directives[2];

test.each([
  ['the file is too large', 'tool-limitation'],
  ['this is too complex for one call', 'tool-limitation'],
  ['a missing dependency', 'blocker'],
  ['the requirements are unclear', 'blocker'],
  ['TypeError in my own code', 'implementation-error'],
])('PROTO-196: an error without a kind is classified by its message: %s', (message, type) => {
  expect(errorTypeOf(message)).toBe(type);
});

test('PROTO-197, PROTO-199: a limit of the tools is called again with less, a fault of the agent with the same; a blocker goes back', () => {
  expect(about(failed({ errorType: 'tool-limitation' }))).toMatchObject({
    action: 'invoke',
    scope: 'reduced',
  });
  expect(about(failed())).toMatchObject({ action: 'invoke', scope: 'same' });
  expect(about(failed({ errorType: 'blocker' }))).toMatchObject({ action: 'reclassify' });
});

test.each([
  [29, 'wait'],
  [30, 'wait'],
  [31, 'invoke'],
])('PROTO-201: with a last word %i minutes ago: %s', (minutes, action) => {
  const run = open({ calledAt: ago(50), saidAt: ago(minutes) });
  expect(about(run)).toMatchObject({ action, scope: 'same' });
});

test.each([
  [59, 1, 'wait'],
  [60, 1, 'invoke'],
  [60, 3, 'escalate'],
])('PROTO-202: %i minutes after its %i. call, with a fresh word: %s', (minutes, times, action) => {
  expect(about(open({ calledAt: ago(minutes), saidAt: ago(1), calls: times }))).toMatchObject({ action });
});

test.each([
  [4, 'wait'],
  [5, 'invoke'],
])(
  'PROTO-204, PROTO-205: without a word %i minutes after the call, its worktree there: %s',
  (minutes, action) => {
    const told = about(open({ status: 'NOT_STARTED', calledAt: ago(minutes), saidAt: '' }));
    expect(told).toMatchObject({ action, scope: 'same' });
    if (action === 'invoke') expect(told?.because).toContain('failed without a word');
  },
);

test('PROTO-203: without a word and without its worktree: back, and the worktrees are made again', () => {
  const run = open({ status: 'NOT_STARTED', hasWorktree: false, calledAt: ago(1), saidAt: '' });
  expect(about(run)).toMatchObject({ action: 'reclassify' });
  expect(recoveryOf([DONE, run], LIMITS).action).toBe('reclassify');
});

test('PROTO-206: where none of seven is complete the cause is in no single agent: back to CLASSIFIED', () => {
  const all = SEVEN.map((agent) => failed({ agent, domain: agent }));
  expect(recoveryOf(all, LIMITS)).toMatchObject({ pattern: 'all', action: 'reclassify' });
  expect(recoveryOf(all, LIMITS).because).toContain('0/7 complete');
  // Whoever was never called has not failed.
  expect(
    recoveryOf(
      all.map((run) => ({ ...run, calls: 0 })),
      LIMITS,
    ).action,
  ).toBe('invoke');
});

test('PROTO-207: where only agents of one domain fail, they are called again with clearer requirements', () => {
  const two = ['guard', 'security'].map((agent) => failed({ agent, domain: 'security' }));
  const told = recoveryOf([DONE, ...two], LIMITS);
  expect(told).toMatchObject({ pattern: 'domain', action: 'invoke' });
  expect(told.directives.slice(1).map(({ action, scope }) => [action, scope])).toEqual([
    ['invoke', 'clarified'],
    ['invoke', 'clarified'],
  ]);
});

test('PROTO-208: where two fail that have nothing in common, each is called again by itself', () => {
  const told = recoveryOf(
    [DONE, failed({ agent: 'style', domain: 'style' }), failed({ errorType: 'tool-limitation' })],
    LIMITS,
  );
  expect(told).toMatchObject({ pattern: 'individual', action: 'invoke' });
  expect(told.directives.slice(1).map(({ agent, scope }) => [agent, scope])).toEqual([
    ['style', 'same'],
    ['tester', 'reduced'],
  ]);
});

test('PROTO-209, PROTO-210: after the first call and two retries it is the user’s', () => {
  expect([1, 2, 3].map((n) => about(failed({ calls: n }))?.action)).toEqual(['invoke', 'invoke', 'escalate']);
});
