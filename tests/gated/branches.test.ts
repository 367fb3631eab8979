import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Court, codesOf, openCourt } from './court.ts';

let court: Court;
beforeEach(() => {
  court = openCourt();
});
afterEach(() => court.remove());

const NOWHERE = '0'.repeat(40);
const main = () => court.repo.git('rev-parse', 'main');
const git = (...args: string[]) => court.repo.git(...args);
const change = (files: Record<string, string> = { 'b.txt': 'b\n' }) => court.commitOn('main', files);
/** Moves main, as an earlier push did. */
const landed = (commit: string) => git('reset', '-q', '--hard', commit);

describe('a protected branch', () => {
  it('is not deleted, not even by a person’s word', async () => {
    expect(await court.onRef('refs/heads/main', '', main())).toEqual(['deleted']);
  });

  it('is not rewritten without a person, also to a verified tree', async () => {
    const first = main();
    const next = change();
    court.pack(next);
    landed(change({ 'c.txt': 'c\n' }));
    expect(codesOf(await court.onMain(next))).toEqual(['rewritten', 'unverified']);
    expect(codesOf(await court.onMain(first))).toEqual(['rewritten', 'unverified']);
    const [said] = await court.onMain(next);
    expect(said?.next).toMatch(/git rebase/);
    court.override(next, ['rewritten', 'unverified']);
    expect(await court.onMain(next)).toEqual([]);
  });

  it('is begun by a person, or where another protected one stands', async () => {
    const own = { branches: ['main', 'release/*'] };
    expect(await court.onRef('refs/heads/release/1', main(), '', own)).toEqual([]);
    const next = change();
    court.pack(next);
    expect(await court.onRef('refs/heads/release/1', next, '', own)).toEqual(['created']);
    court.override(next, ['created'], { ref: 'refs/heads/release/1', old: NOWHERE });
    expect(await court.onRef('refs/heads/release/1', next, '', own)).toEqual([]);
    expect(await court.onRef('refs/heads/release/2', next, '', own)).toEqual(['created']);
  });

  it('is judged by where it stands, not by where the pusher says that it stands', async () => {
    const soft = change({ '.countersign/config.yaml': 'gate: {branches: []}\n' });
    const next = court.commitOn(soft, { 'x.txt': 'x\n' });
    court.pack(next, { baseCommit: soft });
    for (const old of [soft, ''])
      expect(
        codesOf((await court.judge([{ ref: 'refs/heads/main', old, next }]))[0]?.findings ?? []),
      ).toEqual(['stale']);
    const updates = [
      { ref: 'refs/heads/main', old: soft, next },
      { ref: 'refs/tags/v1', old: '', next },
    ];
    const own = { branches: ['main'], tags: ['v*'] };
    expect((await court.judge(updates, own)).map(({ findings }) => codesOf(findings))).toEqual([
      ['stale'],
      [],
    ]);
  });

  it('is meant by a ref that stands for it', async () => {
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    const [judged] = await court.judge([{ ref: 'refs/heads/alias', old: main(), next: change() }]);
    expect(judged?.update.ref).toBe('refs/heads/main');
    expect(codesOf(judged?.findings ?? [])).toEqual(['unverified']);
  });

  it.each(['refs/heads/Main', 'refs/heads/MAIN', 'refs/heads/ma\u200cin', 'refs/heads/ｍain'])(
    'is not taken for %s',
    async (ref) => expect(await court.onRef(ref, change())).toEqual(['name']),
  );

  it('takes no tree, file or tag in the place of a commit', async () => {
    git('tag', '-a', 'note', '-m', 'note', 'main');
    court.repo.write(
      'commit.txt',
      `tree ${git('rev-parse', 'main^{tree}')}\nparent ${main()}\n\nlike a commit\n`,
    );
    const like = git('hash-object', '-w', 'commit.txt');
    for (const id of [
      git('rev-parse', 'main^{tree}'),
      git('rev-parse', 'main:a.txt'),
      git('rev-parse', 'note'),
      like,
    ])
      expect(codesOf(await court.onMain(id))).toEqual(['no-commit']);
    expect(codesOf(await court.onMain('f'.repeat(40)))).toEqual(['no-commit']);
  });

  it('moves no submodule whose content nobody saw, unless the policy lets it', async () => {
    const link = (id: string) => {
      git('checkout', '-q', '--detach', 'main');
      court.repo.write('.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n\tignore = all\n');
      git('add', '.gitmodules');
      git('update-index', '--add', '--cacheinfo', `160000,${id},lib`);
      git('commit', '-qm', 'lib');
      const commit = git('rev-parse', 'HEAD');
      git('checkout', '-q', '-f', 'main');
      court.pack(commit);
      return commit;
    };
    const next = link('c0ffee'.padEnd(40, '0'));
    expect(codesOf(await court.onMain(next))).toEqual(['submodule']);
    expect(await court.onMain(next, { branches: ['main'], submodules: true })).toEqual([]);
    landed(next);
    expect(codesOf(await court.onMain(link('beef'.padEnd(40, '0'))))).toEqual(['submodule']);
  });

  it('is judged without replacements, grafts, filters and settings of a diff', async () => {
    const good = change();
    court.pack(good);
    const bad = change({ 'b.txt': 'bad\n', '.gitattributes': '* -diff filter=x ident text eol=crlf\n' });
    git('replace', bad, good);
    writeFileSync(join(court.repo.top, '.git/info/attributes'), '* -diff\n');
    git('config', 'diff.external', '/bin/true');
    git('config', 'filter.x.clean', 'true');
    expect(codesOf(await court.onMain(bad))).toEqual(['unverified']);
    const orphan = git('commit-tree', `${good}^{tree}`, '-m', 'orphan');
    writeFileSync(join(court.repo.top, '.git/info/grafts'), `${orphan} ${main()}\n`);
    expect(codesOf(await court.onMain(orphan))).toEqual(['rewritten']);
    expect(await court.onRef(`refs/replace/${bad}`, good)).toEqual(['replace']);
  });

  it.each([
    ['a line break', Buffer.from('x\ny')],
    ['bytes that are no text', Buffer.from([0x78, 0xff])],
  ])('takes no path with %s', async (_, name) => {
    const blob = git('rev-parse', 'main:a.txt');
    const { spawnSync } = await import('node:child_process');
    const listing = Buffer.concat([Buffer.from(`100644 blob ${blob}\t`), name, Buffer.from('\0')]);
    const made = spawnSync('git', ['mktree', '-z'], {
      cwd: court.repo.top,
      input: listing,
      encoding: 'utf8',
    });
    const next = git('commit-tree', made.stdout.trim(), '-p', 'main', '-m', 'odd');
    court.pack(next);
    expect(codesOf(await court.onMain(next))).toEqual(['fault']);
  });
});
