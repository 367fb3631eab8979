import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scratch } from '../../tests/fixtures/scratch-repo.ts';
import { locateRepository } from './repository.ts';
import { worktreeGit } from './worktree-git.ts';

const repo = scratch({ name: 'repo' });
afterAll(() => repo.remove());

it('asks git again while somebody else is making a tree, and tells what does not pass', () => {
  repo.commit({ 'a.txt': 'a\n' });
  const place = locateRepository(repo.top);
  const half = join(repo.top, '.git/worktrees/half');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'gitdir'), `${repo.root}/half/.git\n`);
  writeFileSync(join(half, 'HEAD'), 'ref: refs/heads/half\n');
  writeFileSync(join(half, 'commondir'), '');
  expect(() => worktreeGit(place, ['list'])).toThrow('failed to read');
  // A process of its own ends what was begun, while this one waits.
  spawn('sh', ['-c', 'sleep 0.2; rm -r "$0"', half], { stdio: 'ignore' });
  expect(worktreeGit(place, ['list']).toString()).toContain(repo.top);
  rmSync(half, { recursive: true, force: true });
});
