import { afterEach, expect, test } from 'vitest';
import type { Crew } from './crew.ts';
import { crewAt, TASK } from './walk.ts';

let crew: Crew | undefined;
afterEach(() => crew?.close());

const PATH = [
  ...['CLASSIFIED', 'REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION', 'VALIDATION', 'REVIEW'],
  ...['AWAITING_USER_APPROVAL', 'COMPLETE', 'CLEANUP'],
];

test('PROTO-13: the states of a whole task follow in their order, and the audit finds the store clean', async () => {
  crew = await crewAt('CLEANUP');
  const events = await crew.session.events('T-1');
  const entered = events.flatMap((e) => (e.type === 'moved' && e.from !== e.to ? [e.to] : []));
  expect(entered).toEqual(PATH);
  const told = await crew.session.text('', 'audit', 'verify');
  expect(told.out + told.err).toContain('clean');
  expect(told.code).toBe(0);
  expect(await crew.go('task', 'tidy', TASK)).toMatchObject({ code: 0 });
});
