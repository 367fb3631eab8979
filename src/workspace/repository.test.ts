import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIn, type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { locateRepository } from './repository.ts';

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

const askedOfGit = (cwd: string) => {
  const [top, gitDir, common] = runIn(cwd, [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-dir',
    '--git-common-dir',
  ]).split('\n');
  return { top, gitDir, commonDir: common };
};

describe('locateRepository', () => {
  it('finds the repository from a folder deep inside, with a space in the path', () => {
    const deep = join(repo.top, 'a/b');
    mkdirSync(deep, { recursive: true });
    expect(locateRepository(deep, {})).toEqual(askedOfGit(deep));
  });

  it('needs no git program', () => {
    const path = process.env.PATH;
    process.env.PATH = '/nowhere';
    try {
      expect(locateRepository(repo.top, {}).top).toBe(repo.top);
    } finally {
      process.env.PATH = path;
    }
  });

  it('finds a linked worktree and the folder that all worktrees share', () => {
    repo.commit({ f: '1' });
    const linked = join(repo.root, 'linked tree');
    repo.git('worktree', 'add', '-q', '-b', 'side', linked);
    expect(locateRepository(linked, {})).toEqual(askedOfGit(linked));
    expect(locateRepository(linked, {}).commonDir).toBe(join(repo.top, '.git'));
  });

  it('finds a submodule as a repository of its own', () => {
    repo.commit({ f: '1' });
    const outer = scratch();
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.top, 'sub');
    const inside = join(outer.top, 'sub');
    expect(locateRepository(inside, {})).toEqual(askedOfGit(inside));
    outer.remove();
  });

  it('resolves a link to a folder of the repository', () => {
    symlinkSync(repo.top, join(repo.root, 'link'));
    expect(locateRepository(join(repo.root, 'link'), {}).top).toBe(repo.top);
  });

  it('refuses a folder outside with a next step', () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
    expect(() => locateRepository(outside, {})).toThrow(
      expect.objectContaining({ code: 'NOT_A_REPOSITORY' }),
    );
    expect(() => locateRepository(outside, {})).toThrow(/git init/);
    expect(() => locateRepository(join(outside, 'absent'), {})).toThrow(
      expect.objectContaining({ code: 'NOT_A_REPOSITORY' }),
    );
    mkdirSync(join(outside, '.git'));
    expect(() => locateRepository(outside, {})).toThrow(
      expect.objectContaining({ code: 'NOT_A_REPOSITORY' }),
    );
    rmSync(outside, { recursive: true });
  });

  it('refuses a pointer to a repository that is gone', () => {
    const broken = join(repo.root, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, '.git'), 'gitdir: /nowhere/at/all\n');
    expect(() => locateRepository(broken, {})).toThrow(/worktree repair/);
  });

  it('refuses a bare repository, and serves its worktrees', () => {
    repo.commit({ f: '1' });
    const project = join(repo.root, 'project');
    mkdirSync(project);
    runIn(project, ['clone', '-q', '--bare', repo.top, '.bare']);
    writeFileSync(join(project, '.git'), 'gitdir: ./.bare\n');
    expect(() => locateRepository(join(project, '.bare'), {})).toThrow(
      expect.objectContaining({ code: 'BARE' }),
    );
    expect(() => locateRepository(project, {})).toThrow(expect.objectContaining({ code: 'BARE' }));
    runIn(join(project, '.bare'), ['worktree', 'add', '-q', '../work', 'main']);
    expect(locateRepository(join(project, 'work'), {})).toEqual(askedOfGit(join(project, 'work')));
  });

  it('obeys GIT_DIR as git does, and refuses one that is no repository', () => {
    const gitDir = join(repo.top, '.git');
    expect(locateRepository(repo.top, { GIT_DIR: gitDir })).toEqual({
      top: repo.top,
      gitDir,
      commonDir: gitDir,
    });
    expect(() => locateRepository(repo.top, { GIT_DIR: join(repo.root, 'no') })).toThrow(
      expect.objectContaining({ code: 'NOT_A_REPOSITORY' }),
    );
  });
});
