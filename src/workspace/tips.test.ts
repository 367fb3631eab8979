import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIn, type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { readAt } from './blob.ts';
import { runGit } from './git.ts';
import { assertAbsent } from './lacking.ts';
import { locateRepository } from './repository.ts';
import { tips } from './tips.ts';

describe('tips of a repository', () => {
  let made: Scratch;
  beforeEach(() => {
    made = scratch();
  });
  afterEach(() => made.remove());

  const ask = (configured = '', paths: readonly string[] = ['a b']) =>
    tips(locateRepository(made.top), configured, paths);

  it('knows nothing before the first commit', () => {
    expect(ask()).toMatchObject({ head: '', defaultHead: '' });
    expect(ask().files.size).toBe(0);
  });

  it('names both commits and reads the files at each, absent ones and folders as undefined', () => {
    const main = made.commit({ 'a b': 'old\n', 'dir/x': '' });
    made.git('checkout', '-q', '-b', 'work');
    const work = made.commit({ 'a b': 'missing\nnew' });
    const found = ask('', ['a b', 'none', 'dir']);
    expect(found).toMatchObject({ head: work, defaultHead: main });
    expect(found.branch.name).toBe('main');
    const texts = [...found.files].map(([name, content]) => [name, content?.toString('utf8')]);
    expect(Object.fromEntries(texts)).toEqual({
      [`${main}:a b`]: 'old\n',
      [`${main}:none`]: undefined,
      [`${main}:dir`]: undefined,
      [`${work}:a b`]: 'missing\nnew',
      [`${work}:none`]: undefined,
      [`${work}:dir`]: undefined,
    });
  });

  it('tells what the repository lacks of a commit from what the commit does not have', () => {
    made.commit({ 'a/b': 'here\n', 'a/c/d': 'taken away\n', 'a/e/f': 'with its folder\n' });
    for (const name of ['HEAD:a/c/d', 'HEAD:a/e']) {
      const id = made.git('rev-parse', name);
      rmSync(join(made.top, '.git/objects', id.slice(0, 2), id.slice(2)));
    }
    const { lacking, head } = ask('', ['a/b', 'a/c', 'a/c/d', 'a/c/x', 'a/e/f', 'a/x', 'a/b/x', 'x/y']);
    expect([...lacking].sort()).toEqual([`${head}:a/c/d`, `${head}:a/e/f`]);
    const repo = locateRepository(made.top);
    expect(() => assertAbsent(repo, head, 'a/c/d')).toThrow(/git show .*:a\/c\/d/);
    expect(() => assertAbsent(repo, head, 'a/e/f')).toThrow(/not in this repository/);
    for (const absent of ['a/x', 'a/c', 'x/y']) expect(assertAbsent(repo, head, absent)).toBeUndefined();
    expect(assertAbsent(repo, '1'.repeat(40), 'a/b')).toBeUndefined();
  });

  it('tells what a partial clone left out from what the commit does not have, and how to bring it in', () => {
    made.commit({ 'a/b': 'left out\n', 'a/c/d': 'here\n' });
    made.git('config', 'uploadpack.allowFilter', 'true');
    const top = join(made.root, 'partial');
    const url = `file://${made.top}`;
    made.git('clone', '-q', '--filter=blob:none', '--no-checkout', url, top);
    runIn(top, ['cat-file', '-e', 'HEAD:a/c/d']);
    const repo = locateRepository(top);
    const { files, lacking, head } = tips(repo, '', ['a/b', 'a/c/d', 'a/x']);
    expect([...lacking]).toEqual([`${head}:a/b`]);
    expect(files.get(`${head}:a/c/d`)?.toString()).toBe('here\n');
    const missing = { code: 'MISSING_OBJECT', message: expect.stringContaining(`git show ${head}:a/b`) };
    expect(() => readAt(repo, head, 'a/b')).toThrow(expect.objectContaining(missing));
    const id = runIn(top, ['rev-parse', 'HEAD:a/b']);
    expect(() => runGit(repo, ['cat-file', 'blob', id])).toThrow(
      expect.objectContaining({ code: 'MISSING_OBJECT', message: expect.stringContaining(`git show ${id}`) }),
    );
    const bare = join(made.root, 'treeless');
    made.git('clone', '-q', '--filter=tree:0', '--no-checkout', url, bare);
    const other = locateRepository(bare);
    expect([...tips(other, '', ['a/b', 'x']).lacking]).toEqual([`${head}:a/b`, `${head}:x`]);
    expect(() => assertAbsent(other, head, 'x')).toThrow(/git show .*:x/);
  });

  it('prefers the configured branch, then origin, and ignores what is no name of a branch', () => {
    const first = made.commit({ f: '1' });
    const second = made.commit({ f: '2' });
    made.git('branch', 'trunk', first);
    expect(ask('trunk').defaultHead).toBe(first);
    expect(ask('absent').defaultHead).toBe(second);
    for (const odd of ['main~1', 'main^', 'main\nHEAD', 'main@{0}', 'main:f', '..'])
      expect(ask(odd).defaultHead).toBe(second);
    made.git('update-ref', 'refs/remotes/origin/develop', first);
    made.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    expect(ask().defaultHead).toBe(first);
    expect(ask().branch.name).toBe('develop');
  });

  it('has no default branch beside HEAD where none of the usual ones exists', () => {
    made.git('checkout', '-q', '-b', 'topic');
    const head = made.commit({ f: '1' });
    expect(ask()).toMatchObject({ head, defaultHead: '' });
    expect(ask().branch).toMatchObject({ ref: 'HEAD', name: 'topic' });
  });
});
