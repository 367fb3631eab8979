import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../session.ts';
import {
  bring,
  fail,
  failThrice,
  guide,
  lead,
  logged,
  move,
  must,
  named,
  ORDER,
  onward,
  openLifecycle,
  path,
  stateOf,
  told,
  type Working,
  work,
} from './crew.ts';

// Sections C and E: failures, where they lead, and how they are counted.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

test('LIFE-39, LIFE-63, LIFE-73: a first rejection in planning stays there, counts one, and is a simple retry', async () => {
  const id = await bring(s, 'planning');
  expect((await fail(s, id, 'too vague')).data.status).toBe('planning');
  const { failureCount, failures, stateHistory } = await told(s, id);
  expect([failureCount, failures]).toEqual([1, { planning: 1 }]);
  expect(stateHistory.at(-1)).toMatchObject({
    ...{ fromState: 'planning', toState: 'planning', actor: 'validator', reason: 'too vague' },
  });
  const [transition] = (await named(s, id, 'STATE_TRANSITION')).slice(-1);
  expect(transition?.metadata).toEqual({ pattern: 'simple-retry' });
});

test('LIFE-40, LIFE-110: work that the checks refuse goes back into work, and counts for the review', async () => {
  const id = await bring(s, 'quality_review');
  must(await fail(s, id));
  work(s, id, false);
  must(await move(s, 'developer', id, 'finish'));
  must(await onward(s, id, 'testing'));
  const verdict = await s.say('monitor', 'verify', id);
  expect([verdict.code, verdict.data.status]).toEqual([4, 'in_progress']);
  const { failureCount, failures, briefing } = await told(s, id);
  expect([failureCount, failures]).toEqual([0, { quality_review: 2 }]);
  const last = briefing.failures.at(-1);
  expect(last).toMatchObject({ state: 'quality_review', by: 'monitor', number: 2 });
  expect(last?.reason).toContain('the checks failed: done - ');
  expect(JSON.parse(readFileSync(join(s.repo.top, last?.evidence[0] ?? ''), 'utf8'))).toMatchObject({
    verdict: 'BLOCKED',
  });
});

test('LIFE-41, LIFE-110: a commit hook that fails sends it back into work, with its output kept', async () => {
  const id = await bring(s, 'committing');
  const hook = join(s.repo.top, '.git/hooks/pre-commit');
  s.repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho "lint: 3 problems" >&2\nexit 1\n');
  chmodSync(hook, 0o755);
  s.repo.write('more.txt', 'more\n');
  s.repo.git('add', 'more.txt');
  const output = refusedBy(() => s.repo.git('commit', '-m', 'more'));
  s.repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n');
  expect(output).toContain('lint: 3 problems');
  s.repo.write('hook.log', output);
  const failed = must(await fail(s, id, 'pre-commit: lint: 3 problems', '--evidence', 'hook.log'));
  expect(failed.data.status).toBe('in_progress');
  expect((await told(s, id)).failures).toEqual({ committing: 1 });
  const [kept] = (await told(s, id)).briefing.failures;
  expect(kept).toMatchObject({ state: 'committing', by: 'git', evidence: ['hook.log'] });
  const moved = (await s.events(id)).find((e) => e.type === 'moved' && e.command === 'fail');
  const [file] = (moved?.type === 'moved' ? moved.facts.evidence : []) as { sha256: string }[];
  const bytes = await s.with(({ ports }) => Promise.resolve(ports.evidence.get(file?.sha256 ?? '')));
  expect(bytes?.toString()).toBe(output);
  expect((await fail(s, id, 'again', '--evidence', 'nowhere.log')).error.message).toContain('nowhere.log');
});

function refusedBy(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String((error as { stderr: string }).stderr);
  }
}

const ROWS: { readonly [state in Working]?: string } = {
  planning: 'LIFE-43',
  in_progress: 'LIFE-44',
  quality_review: 'LIFE-45',
  committing: 'LIFE-46',
};
describe('LIFE-42: the third failure in any state that is worked in leads to the CTO, not to another try', () => {
  test.each(ORDER.map((state) => [ROWS[state] ?? 'CL-06', state] as const))(
    '%s, LIFE-42, LIFE-68, LIFE-69: in %s two failures are tried again, the third is not',
    async (_, state) => {
      const id = await bring(s, state);
      const results: string[] = [];
      for (let n = 0; n < 3; n++) {
        await lead(s, id, state);
        results.push(must(await fail(s, id)).data.status);
      }
      const back = ['testing', 'quality_review', 'committing'].includes(state) ? 'in_progress' : state;
      expect(results).toEqual([back, back, 'cto_intervention']);
      const { failures, ctoAttempts, stateHistory } = await told(s, id);
      expect([failures[state], ctoAttempts]).toEqual([3, 1]);
      expect(path(stateHistory).at(-1)).toBe(`${state}>cto_intervention`);
      expect((await named(s, id, 'FAILURE_RECORDED')).map((e) => e.metadata)).toEqual(
        [1, 2, 3].map((count) => ({ state, count })),
      );
    },
  );
});

test('LIFE-61: two failures here and two there are no four, and nobody intervenes', async () => {
  const id = await bring(s, 'in_progress');
  must(await fail(s, id));
  must(await fail(s, id));
  for (let n = 0; n < 2; n++) {
    await lead(s, id, 'quality_review');
    must(await fail(s, id));
  }
  // The work was handed in again and again: its own failures are forgiven, those of the review are not.
  expect((await told(s, id)).failures).toEqual({ quality_review: 2 });
  must(await fail(s, id));
  must(await fail(s, id));
  const { failures, ctoAttempts } = await told(s, id);
  expect([failures, ctoAttempts, await stateOf(s, id)]).toEqual([
    { quality_review: 2, in_progress: 2 },
    0,
    'in_progress',
  ]);
});

test('LIFE-62, LIFE-110: what is left by success is forgiven, and stays known', async () => {
  const id = await bring(s, 'assigned');
  must(await fail(s, id, 'no validator was free'));
  must(await fail(s, id, 'still none'));
  expect((await told(s, id)).failureCount).toBe(2);
  must(await onward(s, id, 'assigned'));
  const { failures, failuresEver, briefing } = await told(s, id);
  expect([failures, failuresEver]).toEqual([{}, { assigned: 2 }]);
  expect(briefing.failures).toMatchObject([
    { state: 'assigned', by: 'validator', reason: 'no validator was free', number: 1 },
    { state: 'assigned', by: 'validator', reason: 'still none', number: 2 },
  ]);
});

test('LIFE-64: passing through work and tests between two failed reviews forgives none of them', async () => {
  const id = await bring(s, 'quality_review');
  const counts: unknown[] = [];
  for (let n = 0; n < 2; n++) {
    must(await fail(s, id));
    counts.push((await told(s, id)).failures);
    await lead(s, id, 'quality_review');
    counts.push((await told(s, id)).failures);
  }
  expect(counts).toEqual([1, 1, 2, 2].map((n) => ({ quality_review: n })));
  expect((await fail(s, id)).data.status).toBe('cto_intervention');
});

test('a self-check that fails goes back into work and counts for the tests', async () => {
  const id = await bring(s, 'testing');
  expect((await fail(s, id, 'the build breaks')).data.status).toBe('in_progress');
  expect((await told(s, id)).failures).toEqual({ testing: 1 });
  await lead(s, id, 'quality_review');
  expect((await told(s, id)).failures).toEqual({});
});

test('LIFE-67: at three there is no fourth: under an intervention nobody records another failure', async () => {
  const id = await bring(s, 'planning');
  expect(await failThrice(s, id, 'planning')).toBe('cto_intervention');
  for (const by of ['validator', 'chief', 'orchestrator', 'developer'])
    expect([by, (await move(s, by, id, 'fail')).code]).toEqual([by, 6]);
  expect((await told(s, id)).failures).toEqual({ planning: 3 });
});

test('LIFE-96: each failure is an event with its state and the new count, also when counts begin anew', async () => {
  const id = await bring(s, 'planning');
  await failThrice(s, id, 'planning');
  must(await guide(s, id, 'return', 'split it in two'));
  must(await fail(s, id, 'still vague'));
  const events = await named(s, id, 'FAILURE_RECORDED');
  expect(events.map((e) => e.metadata.count)).toEqual([1, 2, 3, 1]);
  expect(events.at(-1)).toMatchObject({ actor: 'validator', reason: 'still vague', from: 'planning' });
  expect((await told(s, id)).failuresEver).toEqual({ planning: 4 });
});

test('only whoever owns a state says that it failed there', async () => {
  const id = await bring(s, 'quality_review');
  const before = await s.snapshot(id);
  for (const by of ['developer', 'orchestrator', 'chief', 'git', 'validator', 'planner'])
    expect([by, (await move(s, by, id, 'fail')).code]).toEqual([by, 7]);
  expect(await s.snapshot(id)).toBe(before);
  expect((await logged(s, id)).filter((e) => e.event === 'TRANSITION_REFUSED')).toHaveLength(6);
});
