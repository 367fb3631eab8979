import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { workspace } from '../workspace-port.ts';
import { addWorktree } from './add-worktree.ts';
import { addReadingTree, dropWorktree } from './agent-trees.ts';
import { pastHalfMade } from './half-made.ts';
import { locateRepository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';
import { listWorktrees } from './worktrees.ts';

let repo: Scratch;
afterEach(() => repo.remove());

/** What git leaves for a moment while it makes a working tree; somebody else takes it away after a while. */
function halfMade(ms: number): string {
  const folder = join(repo.top, '.git/worktrees/other');
  mkdirSync(folder, { recursive: true });
  const files = {
    commondir: '',
    gitdir: `${repo.root}/other/.git\n`,
    locked: 'initializing',
    HEAD: 'ref: refs/heads/other\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  spawn('sh', ['-c', `sleep ${ms / 1000}; rm -rf '${folder}'`], { stdio: 'ignore' });
  return folder;
}

describe('a working tree that another git is just making', () => {
  it('is waited for, by whoever makes, lists or takes away another', () => {
    repo = scratch();
    const head = repo.commit({ 'a.txt': 'a\n' });
    const place = locateRepository(repo.top);
    const at = join(repo.root, 'tree');
    halfMade(150);
    addWorktree(place, { path: at, branch: 'one', from: head, reason: 'a test' });
    expect(existsSync(join(at, 'a.txt'))).toBe(true);
    const folder = halfMade(150);
    addReadingTree(place, join(repo.root, 'read'), head);
    expect(existsSync(folder)).toBe(false);
    halfMade(150);
    expect(listWorktrees(place)).toHaveLength(3);
    halfMade(150);
    dropWorktree(place, join(repo.root, 'read'));
    rmSync(at, { recursive: true });
  });

  it('lets everything else through, and does not wait for ever', () => {
    repo = scratch();
    const failing = (message: string) => {
      let asked = 0;
      const work = () => {
        asked += 1;
        throw new WorkspaceError('GIT_FAILED', message);
      };
      expect(() => pastHalfMade(work)).toThrow(message);
      return asked;
    };
    expect(failing('fatal: not a git repository')).toBe(1);
    expect(failing('fatal: failed to read /r/.git/worktrees/x/commondir: Success')).toBe(40);
  });

  it('is taken away once by two who do it at the same moment, and kept where it is dirty', () => {
    repo = scratch();
    const head = repo.commit({ 'a.txt': 'a\n' });
    const place = locateRepository(repo.top);
    const at = join(repo.root, 'tree');
    addWorktree(place, { path: at, branch: 'one', from: head, reason: 'a test' });
    writeFileSync(join(at, 'new.txt'), 'new');
    const port = workspace(place, repo.top);
    expect(() => port.removeWorktree(at)).toThrow(/ holds /);
    // Somebody else is at it, and not done yet.
    spawn(
      'sh',
      [
        '-c',
        `sleep 0.15; git worktree unlock '${at}'; rm -rf '${at}'; git worktree prune; git branch -D one`,
      ],
      {
        cwd: repo.top,
        stdio: 'ignore',
      },
    );
    rmSync(join(at, '.git'));
    port.removeWorktree(at);
    port.deleteBranch('one');
    expect(listWorktrees(place)).toHaveLength(1);
    expect(() => port.deleteBranch('one')).not.toThrow();
  });
});
