import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { covered } from './covered.ts';
import { locateRepository } from './repository.ts';

describe('what became of works in a later commit', () => {
  let made: Scratch;
  let path: string | undefined;
  beforeEach(() => {
    made = scratch();
    path = process.env.PATH;
  });
  afterEach(() => {
    process.env.PATH = path;
    made.remove();
  });

  const ask = (at: string, ...works: readonly (readonly [string, ...string[]])[]) =>
    covered(
      locateRepository(made.top),
      at,
      works.map(([commit, ...paths]) => ({ commit, paths })),
    );

  it('names the files that hold something else, and tells whether the commit is in the history', () => {
    const first = made.commit({ 'a.txt': '1', 'b.txt': '1' });
    const second = made.commit({ 'a.txt': '2' });
    made.git('checkout', '-q', '-b', 'side', first);
    const side = made.commit({ 'c.txt': '1' });
    expect(ask(second, [first, 'a.txt', 'b.txt'], [side, 'c.txt'], [second, 'a.txt'])).toEqual([
      { changed: ['a.txt'], held: true },
      { changed: ['c.txt'], held: false },
      { changed: [], held: true },
    ]);
    expect(ask('refs/heads/main', [first, 'a.txt'])).toEqual([{ changed: ['a.txt'], held: true }]);
  });

  it('holds nothing of a commit that is not here, or where there is none to look in', () => {
    const first = made.commit({ 'a.txt': '1' });
    expect(ask(first, ['f'.repeat(40), 'a.txt'], ['', 'a.txt'])).toEqual([
      { changed: ['a.txt'], held: false },
      { changed: ['a.txt'], held: false },
    ]);
    expect(ask('refs/heads/none', [first, 'a.txt'])).toEqual([{ changed: ['a.txt'], held: false }]);
    expect(ask(first, [first, 'a\nb.txt'])).toEqual([{ changed: [], held: true }]);
    expect(ask(made.commit({ 'a.txt': '2' }), [first, 'odd\nname'])).toEqual([
      { changed: ['odd\nname'], held: true },
    ]);
  });

  it('asks git twice at most, however many works there are', () => {
    const works = Array.from(
      { length: 20 },
      (_, n) => [made.commit({ [`${n}.txt`]: '1' }), `${n}.txt`] as const,
    );
    for (const [, file] of works) made.write(file, '2');
    const last = made.commit({});
    const asked = join(made.root, 'asked');
    const folder = join(made.root, 'counted');
    mkdirSync(folder);
    writeFileSync(asked, '');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const lines = ['#!/bin/sh', `echo x >> '${asked}'`, `exec '${real}' "$@"`];
    writeFileSync(join(folder, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 });
    process.env.PATH = `${folder}:${path}`;
    const found = ask(last, ...works);
    expect(found.every(({ changed, held }) => changed.length === 1 && held)).toBe(true);
    expect(statSync(asked).size / 2).toBe(2);
  });
});
