import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../tests/fixtures/scratch-repo.ts';
import { readConfig } from './engine/config.ts';
import type { GitPort } from './engine/ports.ts';
import { git } from './git-port.ts';
import { locateRepository } from './workspace/repository.ts';

const CONFIG = '.countersign/config.yaml';

describe('what a long-lived process says of a repository', () => {
  let made: Scratch;
  let path: string | undefined;
  let asked: string;
  beforeEach(() => {
    made = scratch();
    path = process.env.PATH;
    // The real git, with a line for each process of it.
    const folder = join(made.root, 'counted');
    asked = join(made.root, 'asked');
    mkdirSync(folder);
    writeFileSync(asked, '');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const lines = ['#!/bin/sh', `echo x >> '${asked}'`, `exec '${real}' "$@"`];
    writeFileSync(join(folder, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 });
    process.env.PATH = `${folder}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
    made.remove();
  });

  const portOf = (top = made.top) => git(locateRepository(top));
  const asks = (work: () => unknown): number => {
    const before = statSync(asked).size;
    work();
    return (statSync(asked).size - before) / 2;
  };
  const told = (port: GitPort, configured: string) => ({
    ...port.heads(configured, [CONFIG]),
    pinned: port.defaultBranchRef(configured),
  });
  /** As if the repository had rested: what was read of it may be remembered. */
  const settle = (top = made.top) => {
    for (const name of ['packed-refs', 'config']) {
      const file = join(locateRepository(top).commonDir, name);
      if (statSync(file, { throwIfNoEntry: false })) utimesSync(file, 1_000, 1_000);
    }
  };
  const oneSays = (port: GitPort, top = made.top) => {
    for (const configured of ['', 'work', 'refs/heads/work', 'refs/heads/main', 'none']) {
      const fresh = told(portOf(top), configured);
      // Twice: the second time from memory, where anything is remembered.
      expect(told(port, configured), configured).toEqual(fresh);
      expect(told(port, configured), configured).toEqual(fresh);
    }
  };

  it('asks git once for each state of the refs', () => {
    made.commit({ f: '1' });
    made.git('checkout', '-q', '-b', 'work');
    const port = portOf();
    expect(asks(() => told(port, ''))).toBe(2);
    expect(asks(() => told(port, ''))).toBe(0);
    made.commit({ f: '2' });
    expect(asks(() => told(port, ''))).toBe(2);
    expect(asks(() => told(port, ''))).toBe(0);
  });

  it('says what a new process says, whatever moves', () => {
    const port = portOf();
    const moves: readonly (() => unknown)[] = [
      () => {},
      () => made.commit({ f: '1' }),
      () => made.git('checkout', '-q', '-b', 'work'),
      () => made.commit({ f: '2' }),
      () => made.git('update-ref', 'refs/heads/main', 'HEAD'),
      () => made.git('pack-refs', '--all'),
      () => made.commit({ f: '3' }),
      () => made.git('pack-refs', '--all'),
      () => made.git('branch', '-f', 'main', 'HEAD~1'),
      () => made.git('pack-refs', '--all'),
      () => made.git('branch', '-D', 'main'),
      () => made.git('branch', 'master', 'HEAD~2'),
      () => made.git('update-ref', 'refs/remotes/origin/trunk', 'HEAD~1'),
      () => made.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk'),
      () => made.git('update-ref', 'refs/remotes/origin/trunk', 'HEAD'),
      () => made.git('pack-refs', '--all'),
      () => made.git('update-ref', '-d', 'refs/remotes/origin/trunk'),
      () => made.git('update-ref', 'refs/remotes/origin/work', 'HEAD~2'),
      () => made.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/work'),
      () => made.git('checkout', '-q', '--detach', 'HEAD~1'),
      () => made.git('checkout', '-q', 'master'),
      () => made.git('checkout', '-q', '--orphan', 'alone'),
      () => made.git('gc', '-q'),
    ];
    for (const [n, move] of moves.entries()) {
      move();
      oneSays(port);
      if (n % 2 === 0) settle();
      oneSays(port);
    }
  });

  it('sees packed refs that change again within one tick and keep their size', () => {
    const first = made.commit({ f: '1' });
    const second = made.commit({ f: '2' });
    made.git('pack-refs', '--all');
    const file = join(made.top, '.git/packed-refs');
    const port = portOf();
    expect(port.heads('').head).toBe(second);
    for (let n = 0; n < 20; n++) {
      const [from, to] = n % 2 === 0 ? [second, first] : [first, second];
      // In place: the same file, the same size.
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
      expect(port.heads('').head).toBe(to);
    }
  });

  it('sees what another worktree does, and keeps its own HEAD', () => {
    made.commit({ f: '1' });
    const other = join(made.root, 'other');
    made.git('worktree', 'add', '-q', '-b', 'side', other);
    const [here, there] = [portOf(), portOf(other)];
    oneSays(here);
    oneSays(there, other);
    const main = made.commit({ f: '2' });
    expect(there.heads('').defaultHead).toBe(main);
    oneSays(there, other);
    execFileSync('git', ['-C', other, 'update-ref', 'refs/heads/main', 'side']);
    expect(here.heads('').head).not.toBe(main);
    oneSays(here);
    made.git('pack-refs', '--all');
    oneSays(here);
    oneSays(there, other);
  });

  it('reads the configuration of the commit that the default branch is at', async () => {
    const set = (name: string) => made.commit({ [CONFIG]: `default_branch: ${name}\n` });
    const port = portOf();
    made.commit({ f: '1' });
    expect((await readConfig({ git: port })).defaultBranch).toBe('');
    for (const name of ['one', 'two', 'one']) {
      const commit = set(name);
      for (let n = 0; n < 2; n++)
        expect(await readConfig({ git: port })).toMatchObject({ defaultBranch: name, commit });
    }
    const before = made.git('rev-parse', 'HEAD~1');
    made.git('reset', '-q', '--hard', 'HEAD~1');
    expect(await readConfig({ git: port })).toMatchObject({ defaultBranch: 'two', commit: before });
    made.git('rm', '-q', CONFIG);
    made.commit({});
    expect((await readConfig({ git: port })).commit).toBe('');
  });

  it('asks git anew what a claim is about', () => {
    made.commit({ f: '1' });
    made.git('checkout', '-q', '-b', 'work');
    made.commit({ f: '2' });
    const port = portOf();
    port.heads('');
    port.heads('');
    const question = { commit: 'HEAD', base: '', defaultBranch: '' };
    const n = asks(() => expect(port.resolveClaim(question).commit).toBe(made.git('rev-parse', 'HEAD')));
    expect(n).toBeGreaterThan(1);
  });

  it.each([
    ['another ref backend', (dotGit: string) => mkdirSync(join(dotGit, 'reftable'))],
    [
      'a backend named in the configuration',
      (dotGit: string) => appendFileSync(join(dotGit, 'config'), '[Extensions]\n\trefStorage = files\n'),
    ],
    [
      'a pointer that is a link',
      (dotGit: string) => {
        rmSync(join(dotGit, 'HEAD'));
        symlinkSync('refs/heads/main', join(dotGit, 'HEAD'));
      },
    ],
    [
      'a ref that is no id',
      (dotGit: string) => writeFileSync(join(dotGit, 'refs/heads/master'), 'rubbish\n'),
    ],
    [
      'pointers that lead around',
      (dotGit: string) => {
        writeFileSync(join(dotGit, 'refs/heads/a'), 'ref: refs/heads/master\n');
        writeFileSync(join(dotGit, 'refs/heads/master'), 'ref: refs/heads/a\n');
      },
    ],
  ])('leaves to git what is not plain: %s', (_, change) => {
    made.commit({ f: '1' });
    const port = portOf();
    port.heads('');
    expect(asks(() => port.heads(''))).toBe(0);
    change(join(made.top, '.git'));
    for (let n = 0; n < 2; n++) expect(asks(() => port.heads(''))).toBe(1);
  });

  it('remembers nothing of a ref whose object is missing', () => {
    const lost = made.commit({ f: '1' });
    made.git('checkout', '-q', '-b', 'work');
    made.commit({ f: '2' });
    const object = join(made.top, '.git/objects', lost.slice(0, 2), lost.slice(2));
    const bytes = readFileSync(object);
    rmSync(object);
    const port = portOf();
    expect(port.heads('').defaultHead).toBe('');
    writeFileSync(object, bytes);
    expect(port.heads('').defaultHead).toBe(lost);
  });
});
