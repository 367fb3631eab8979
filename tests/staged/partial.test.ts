// The four scenarios of agents that do not come to an end, first as a rule and then on real tasks. (over 200 lines)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type AgentRun, errorTypeOf, type Recovery, recoveryOf } from '../../src/engine/staged/recovery.ts';
import { STAGED_DEFAULTS } from '../../src/engine/staged/settings.ts';
import type { Said } from '../session.ts';
import { type Crew, openCrew, REPORT } from './crew.ts';
import { calls, gatherWith, reportsOf, SEVEN } from './seven.ts';
import { reach, TASK } from './walk.ts';

let crew: Crew | undefined;
afterEach(() => {
  crew?.close();
  crew = undefined;
});

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

describe('the rule', () => {
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
    expect([1, 2, 3].map((n) => about(failed({ calls: n }))?.action)).toEqual([
      'invoke',
      'invoke',
      'escalate',
    ]);
  });
});

const says = (agent: string, ...words: readonly string[]) =>
  known().say(known().code, agent, '', 'task', 'status', TASK, ...words);
const go = (...words: readonly string[]) => known().go('task', ...words);
const missing = (said: Said) => JSON.stringify(said.error.missing);
const shown = async () => (await go('show', TASK)).data as unknown as { state: string; recovery: Recovery };
const directive = async (agent: string) =>
  (await shown()).recovery.directives.find((one) => one.agent === agent);
const later = (minutes: number) =>
  known().session.at(new Date(Date.parse(known().session.now()) + minutes * 60_000).toISOString());
const lastMove = async () => (await known().session.events('T-1')).findLast((e) => e.type === 'moved');

function known(): Crew {
  if (crew === undefined) throw new Error('no crew');
  return crew;
}

const THREE = ['architect', 'quality', 'tester'];

describe('a task', () => {
  test('PROTO-196, PROTO-197, PROTO-199, PROTO-200: an error is on record with its kind, the next call carries what follows from it, and SYNTHESIS waits until it is COMPLETE', async () => {
    crew = await openCrew();
    await reach(crew, 'REQUIREMENTS');
    await calls(crew, THREE);
    await reportsOf(crew, ['architect', 'quality']);
    await says('tester', 'ERROR', '--reason', 'the file is too large');
    const word = (await crew.session.events('T-1')).findLast((e) => e.type === 'recorded');
    expect(word).toMatchObject({ outcome: 'ERROR', facts: { error_type: 'tool-limitation' } });
    expect(await directive('tester')).toMatchObject({ action: 'invoke', scope: 'reduced' });
    await calls(crew, ['tester']);
    expect(await lastMove()).toMatchObject({ command: 'invoke', facts: { scope: 'reduced', invocation: 2 } });
    expect(missing(await go('synthesize', TASK))).toContain('2 of 3');
    await says('tester', 'ERROR', '--reason', 'x', '--error-type', 'implementation-error');
    await calls(crew, ['tester']);
    expect(await lastMove()).toMatchObject({ facts: { scope: 'same', invocation: 3 } });
    expect((await go('synthesize', TASK)).code).toBe(3);
    await reportsOf(crew, ['tester']);
    expect(await go('synthesize', TASK)).toMatchObject({ code: 0 });
  });

  test('PROTO-198, PROTO-203: a blocker and a worktree that went lead back to CLASSIFIED, with the reason in the log', async () => {
    crew = await openCrew();
    await reach(crew, 'REQUIREMENTS');
    await calls(crew, THREE);
    await reportsOf(crew, ['architect']);
    await says('tester', 'ERROR', '--reason', 'unclear requirements');
    expect(await directive('tester')).toMatchObject({ action: 'reclassify' });
    const tree = join(crew.tasks, TASK, 'agents', 'quality', 'code');
    crew.git(crew.code, 'worktree', 'remove', '--force', tree);
    expect(await directive('quality')).toMatchObject({
      action: 'reclassify',
      because: expect.stringContaining('worktree'),
    });
    expect(await go('reclassify', TASK, '--reason', 'unclear requirements')).toMatchObject({ code: 0 });
    expect((await shown()).state).toBe('CLASSIFIED');
    const { transition_log } = JSON.parse(readFileSync(join(crew.tasks, TASK, 'task.json'), 'utf8'));
    expect(transition_log.at(-1)).toMatchObject({
      from: 'REQUIREMENTS',
      to: 'CLASSIFIED',
      reason: 'unclear requirements',
    });
    // Reports stay, words do not.
    expect(readFileSync(join(crew.tasks, TASK, `${TASK}-architect-requirements.md`), 'utf8')).toBe(
      REPORT('architect'),
    );
    await go('worktrees', TASK);
    await go('assess', TASK, '--risk', 'MEDIUM', '--agents', THREE.join(','), '--reason', 'clarified');
    await go('gather', TASK);
    expect(missing(await go('synthesize', TASK))).toContain('0 of 3');
  });

  test('PROTO-201, PROTO-202, PROTO-204, PROTO-205: the clock of a real task: 5 minutes to a word, 30 without one, 60 in all', async () => {
    crew = await openCrew();
    await reach(crew, 'REQUIREMENTS');
    await calls(crew, THREE);
    await says('architect', 'WORKING');
    later(4);
    expect(await directive('tester')).toMatchObject({ action: 'wait' });
    later(1);
    expect(await directive('tester')).toMatchObject({
      action: 'invoke',
      because: expect.stringContaining('5 minutes'),
    });
    later(24);
    expect(await directive('architect')).toMatchObject({ action: 'wait' });
    later(2);
    expect(await directive('architect')).toMatchObject({
      action: 'invoke',
      because: expect.stringContaining('30 minutes'),
    });
    await says('architect', 'WORKING');
    expect(await directive('architect')).toMatchObject({ action: 'wait' });
    later(29);
    expect(await directive('architect')).toMatchObject({
      action: 'invoke',
      because: expect.stringContaining('60 minutes'),
    });
  });

  test('PROTO-209, PROTO-210, PROTO-216: it is put before the user when the retries are used up, and not before, with how each call ended', async () => {
    crew = await openCrew();
    await reach(crew, 'REQUIREMENTS');
    await calls(crew, THREE);
    await reportsOf(crew, ['architect', 'quality']);
    for (const message of ['first', 'second', 'third']) {
      expect((await go('escalate', TASK, '--agent', 'tester')).code).toBe(2);
      if (message !== 'first') await calls(crew, ['tester']);
      await says('tester', 'ERROR', '--reason', `${message} fault`);
    }
    const again = await go('invoke', TASK, '--agent', 'tester');
    expect(again.code).toBe(3);
    expect(missing(again)).toContain('retries are used up');
    const told = await go('escalate', TASK, '--agent', 'tester');
    expect(told.code).toBe(0);
    expect(told.data.history).toEqual([
      expect.stringContaining('first fault'),
      expect.stringContaining('second fault'),
      expect.stringContaining('third fault'),
    ]);
    expect((await go('escalate', TASK, '--agent', 'quality')).code).toBe(2);
    expect((await go('synthesize', TASK)).code).toBe(3);
  });

  test('PROTO-211..215: 6 of 7 is told and closed, whatever is argued, left out by hand, reported in part or left empty; 7 of 7 moves on', async () => {
    crew = await openCrew();
    await gatherWith(crew, SEVEN);
    await calls(crew, SEVEN);
    await reportsOf(crew, SEVEN.slice(0, 6));
    const gate = () => known().text(known().code, 'lead', 's-1', 'task', 'gate', TASK);
    const closed = async (why: string) => {
      const { code, out } = await gate();
      expect(code, why).toBe(1);
      expect(out, why).toContain('6/7 complete: usability');
      expect((await go('synthesize', TASK, '--reason', why)).code, why).toBe(3);
      expect((await shown()).state).toBe('REQUIREMENTS');
    };
    await closed('usability is not critical');
    const lock = join(crew.tasks, TASK, 'task.json');
    const text = JSON.parse(readFileSync(lock, 'utf8'));
    writeFileSync(lock, JSON.stringify({ ...text, required_agents: SEVEN.slice(0, 6) }));
    await closed('it is not required');
    crew.write(join(crew.tasks, TASK, `${TASK}-usability-requirements.md`), REPORT('usability'));
    await says('usability', 'ERROR', '--reason', 'half of it is there');
    await closed('its report is there');
    await calls(crew, ['usability']);
    expect((await crew.reports('usability', '')).error.message).toContain('empty');
    await closed('it needs nothing');
    await reportsOf(crew, ['usability']);
    // Emptied after its word, it is a failure too.
    writeFileSync(join(crew.tasks, TASK, `${TASK}-usability-requirements.md`), '');
    expect(missing(await go('synthesize', TASK))).toContain('report is empty');
    crew.write(join(crew.tasks, TASK, `${TASK}-usability-requirements.md`), REPORT('usability'));
    expect((await gate()).code).toBe(0);
    expect(await go('synthesize', TASK)).toMatchObject({ code: 0 });
    expect((await shown()).state).toBe('SYNTHESIS');
  });

  test('PROTO-206: on a task where nobody came to an end, `recover` says so and names the way back', async () => {
    crew = await openCrew();
    await gatherWith(crew, SEVEN);
    await calls(crew, SEVEN);
    for (const agent of SEVEN) await says(agent, 'ERROR', '--reason', 'it broke');
    const { out } = await crew.text(crew.code, 'lead', 's-1', 'task', 'recover', TASK);
    expect(out).toContain('reclassify: 0/7 complete: the cause is not in one agent');
    expect((await shown()).state).toBe('REQUIREMENTS');
  });
});
