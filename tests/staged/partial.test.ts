import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Recovery } from '../../src/engine/staged/recovery.ts';
import type { Said } from '../session.ts';
import { type Crew, openCrew, REPORT } from './crew.ts';
import { calls, gatherWith, reportsOf, SEVEN } from './seven.ts';
import { crewAt, TASK } from './walk.ts';

let crew: Crew | undefined;
afterEach(() => {
  crew?.close();
  crew = undefined;
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
    crew = await crewAt('REQUIREMENTS');
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
    crew = await crewAt('REQUIREMENTS');
    await calls(crew, THREE);
    await reportsOf(crew, ['architect']);
    await says('tester', 'ERROR', '--reason', 'unclear requirements');
    expect(await directive('tester')).toMatchObject({ action: 'reclassify' });
    const tree = join(crew.tasks, TASK, 'agents', 'quality', 'code');
    crew.git(crew.code, 'worktree', 'remove', '-f', '-f', tree);
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
    crew = await crewAt('REQUIREMENTS');
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
    crew = await crewAt('REQUIREMENTS');
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
