import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runIn, type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { checkoutsOf } from './checkout.ts';
import { locateRepository } from './repository.ts';

const open: Scratch[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.remove();
});

function fresh(format: 'sha1' | 'sha256' = 'sha1') {
  const made = scratch({ format });
  open.push(made);
  const target = () => mkdtempSync(join(made.root, 'out-'));
  return { made, target, repo: locateRepository(made.top, {}) };
}

/** A commit of a hand-made tree object: what the porcelain would refuse to make. */
function forged(made: Scratch, lines: readonly string[]): string {
  const tree = runIn(made.top, ['mktree', '-z', '--missing'], lines.map((line) => `${line}\0`).join(''));
  return made.git('commit-tree', tree, '-m', 'forged');
}
const blob = (made: Scratch, text: string) => runIn(made.top, ['hash-object', '-w', '--stdin'], text);
const raw = (made: Scratch, entries: readonly [string, string, string][]) => {
  const content = Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  );
  const file = join(made.root, 'raw-tree');
  writeFileSync(file, content);
  const tree = made.git('hash-object', '-t', 'tree', '--literally', '-w', file);
  return { tree, commit: made.git('commit-tree', tree, '-m', 'raw') };
};

describe.each(['sha1', 'sha256'] as const)('checkoutsOf in a %s repository', (format) => {
  it('writes files, modes, links and empty files, without .git', async () => {
    const { made, repo, target } = fresh(format);
    made.write('run.sh', '#!/bin/sh\n');
    chmodSync(join(made.top, 'run.sh'), 0o755);
    mkdirSync(join(made.top, 'd.x'));
    symlinkSync('../run.sh', join(made.top, 'd.x/link'));
    const commit = made.commit({ 'd/ü b': 'x', 'd.a': '', 'd/e/f': 'y'.repeat(300_000), d0: '1' });
    const out = target();
    const checkout = await checkoutsOf(repo, commit)(out);
    expect(checkout).toMatchObject({ tree: made.git('rev-parse', 'HEAD^{tree}'), files: 6, submodules: [] });
    expect(lstatSync(join(out, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(out, 'd/ü b')).mode & 0o777).toBe(0o644);
    expect(readlinkSync(join(out, 'd.x/link'))).toBe('../run.sh');
    expect(existsSync(join(out, '.git'))).toBe(false);
    expect(await checkout.treeNow()).toBe(checkout.tree);
  });

  it('sees every kind of change to a tracked path, and no new file', async () => {
    const { made, repo, target } = fresh(format);
    const commit = made.commit({ 'd/a': '1', 'd/b': '2', c: '3' });
    const changes: ((out: string) => void)[] = [
      (out) => writeFileSync(join(out, 'c'), 'other'),
      (out) => rmSync(join(out, 'd/a')),
      (out) => chmodSync(join(out, 'c'), 0o755),
      (out) => {
        rmSync(join(out, 'c'));
        symlinkSync('d/a', join(out, 'c'));
      },
      (out) => {
        renameSync(join(out, 'd'), join(out, 'moved'));
        symlinkSync('moved', join(out, 'd'));
      },
    ];
    for (const change of changes) {
      const out = target();
      const checkout = await checkoutsOf(repo, commit)(out);
      writeFileSync(join(out, 'new'), '');
      expect(await checkout.treeNow()).toBe(checkout.tree);
      change(out);
      expect(await checkout.treeNow()).not.toBe(checkout.tree);
    }
  });
});

describe('checkoutsOf', () => {
  it('takes no filter, no attribute, no replace ref, no hidden change and no working tree file', async () => {
    const { made, repo, target } = fresh();
    made.git('config', 'filter.evil.smudge', 'echo smudged');
    made.git('config', 'core.autocrlf', 'true');
    const commit = made.commit({
      '.gitattributes': 'f filter=evil\nf text eol=crlf\n',
      f: 'a\nb\n',
      g: 'kept\n',
    });
    const other = blob(made, 'replaced\n');
    made.git('replace', made.git('rev-parse', 'HEAD:g'), other);
    made.git('update-index', '--assume-unchanged', 'g');
    made.write('g', 'hidden change\n');
    made.write('untracked', '');
    mkdirSync(join(made.top, '.git/info'), { recursive: true });
    writeFileSync(join(made.top, '.git/info/attributes'), 'g export-ignore\n');
    writeFileSync(
      join(made.top, '.git/hooks/post-checkout'),
      `#!/bin/sh\ntouch '${join(made.root, 'hooked')}'\n`,
      { mode: 0o755 },
    );
    const out = target();
    await checkoutsOf(repo, commit)(out);
    expect(readFileSync(join(out, 'f'), 'utf8')).toBe('a\nb\n');
    expect(readFileSync(join(out, 'g'), 'utf8')).toBe('kept\n');
    expect(existsSync(join(out, 'untracked'))).toBe(false);
    expect(existsSync(join(made.root, 'hooked'))).toBe(false);
  });

  it('reports submodules and leaves their folders empty', async () => {
    const { made, repo, target } = fresh();
    made.commit({ f: '1' });
    made.git('update-index', '--add', '--cacheinfo', `160000,${made.git('rev-parse', 'HEAD')},lib/sub`);
    made.git('commit', '-q', '-m', 'sub');
    const out = target();
    const checkout = await checkoutsOf(repo, made.git('rev-parse', 'HEAD'))(out);
    expect(checkout.submodules).toEqual(['lib/sub']);
    expect(await checkout.treeNow()).toBe(checkout.tree);
  });

  it('writes an empty tree', async () => {
    const { made, repo, target } = fresh();
    const checkout = await checkoutsOf(repo, made.commit({}))(target());
    expect(checkout.files).toBe(0);
    expect(await checkout.treeNow()).toBe(checkout.tree);
  });

  it.each([
    ['an absolute link', { l: '/etc/passwd' }, ['l']],
    ['a link out', { l: '../x' }, ['l']],
    ['a link out of a folder', { 'd/l': '../../x' }, ['d/l']],
    ['a link out by way of a link', { 'p/q/r/d': '../../../top', x: 'p/q/r/d/../..' }, ['x']],
    ['a link to a link out', { a: '/etc', b: 'a/passwd' }, ['a', 'b']],
  ])('leaves out %s', async (_, links, leftOut) => {
    const { made, repo, target } = fresh();
    for (const [path, to] of Object.entries(links)) {
      made.write(`${path}.keep`, '');
      symlinkSync(to, join(made.top, path));
    }
    const commit = made.commit({ 'top/f': '' });
    const out = target();
    const checkout = await checkoutsOf(repo, commit)(out);
    expect([...checkout.leftOut].sort()).toEqual(leftOut);
    for (const path of leftOut) expect(lstatSync(join(out, path), { throwIfNoEntry: false })).toBeUndefined();
    expect(existsSync(join(out, 'top/f'))).toBe(true);
    expect(await checkout.treeNow()).toBe(checkout.tree);
    // What somebody puts there is another tree.
    writeFileSync(join(out, leftOut[0] ?? ''), '');
    expect(await checkout.treeNow()).not.toBe(checkout.tree);
  });

  it.each(['..', '.', '.git', '.GIT', '.g\u200cit', 'git~1', '.git '])(
    'refuses the name %j',
    async (name) => {
      const { made, repo, target } = fresh();
      const inner = raw(made, [['100644', 'f', blob(made, 'x')]]).tree;
      const { commit } = raw(made, [['40000', name, inner]]);
      const out = target();
      await expect(checkoutsOf(repo, commit)(out)).rejects.toMatchObject({ code: 'UNSAFE_TREE' });
      expect(existsSync(join(made.root, 'f'))).toBe(false);
    },
  );

  it('refuses a link and a folder of one name, a name twice, and an unknown mode', async () => {
    const { made, repo, target } = fresh();
    const f = blob(made, 'x');
    const inner = raw(made, [['100644', 'f', f]]).tree;
    for (const entries of [
      [
        ['120000', 'a', blob(made, '..')],
        ['40000', 'a', inner],
      ],
      [
        ['100644', 'a', f],
        ['100644', 'a', f],
      ],
    ] as [string, string, string][][]) {
      const { commit } = raw(made, entries);
      await expect(checkoutsOf(repo, commit)(target())).rejects.toMatchObject({ code: 'UNSAFE_TREE' });
    }
  });

  it('refuses objects whose content is not what their id says', async () => {
    const { made, repo, target } = fresh();
    const commit = made.commit({ f: 'honest', g: 'other' });
    const path = (oid: string) => join(made.top, '.git/objects', oid.slice(0, 2), oid.slice(2));
    const honest = path(made.git('rev-parse', 'HEAD:f'));
    chmodSync(honest, 0o644);
    writeFileSync(honest, readFileSync(path(made.git('rev-parse', 'HEAD:g'))));
    await expect(checkoutsOf(repo, commit)(target())).rejects.toMatchObject({
      code: expect.stringMatching(/TREE_MISMATCH|MISSING_OBJECT|GIT_FAILED/),
    });
  });

  it('refuses a missing object, a short id, an unknown commit, and a folder in use', async () => {
    const { made, repo, target } = fresh();
    const lost = forged(made, [`100644 blob ${'1'.repeat(40)}\tf`]);
    await expect(checkoutsOf(repo, lost)(target())).rejects.toMatchObject({ code: 'MISSING_OBJECT' });
    await expect(checkoutsOf(repo, 'HEAD')(target())).rejects.toMatchObject({ code: 'UNKNOWN_COMMIT' });
    await expect(checkoutsOf(repo, '2'.repeat(40))(target())).rejects.toMatchObject({
      code: 'UNKNOWN_COMMIT',
    });
    await expect(checkoutsOf(repo, made.commit({}))(made.top)).rejects.toMatchObject({
      code: 'FOLDER_NOT_EMPTY',
    });
  });
});
