import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Crew } from './crew.ts';
import { TASK } from './walk.ts';

/** Tidies up after a task that ended: nothing of it is left but what landed and what was kept. */
export async function expectGone(crew: Crew): Promise<void> {
  const { top } = crew.session.repo;
  const done = await crew.say(top, 'lead', 's-1', 'task', 'tidy', TASK);
  expect(done.code, done.out).toBe(0);
  expect(crew.git(top, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(crew.git(top, 'branch', '--list', `*${TASK}*`)).toBe('');
  expect(existsSync(join(crew.tasks, TASK))).toBe(false);
  expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
}
