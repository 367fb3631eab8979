import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Court, codesOf, newSigner, openCourt } from './court.ts';

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
const onRef = async (ref: string, next: string, old = '', own?: Record<string, unknown>) =>
  codesOf((await court.judge([{ ref, old, next }], own))[0]?.findings ?? []);

describe('a pack', () => {
  it('of another key, such as that of another repository, does not count', async () => {
    const next = change();
    court.pack(next, {}, newSigner());
    const [finding] = await court.onMain(next);
    expect(finding?.says).toMatch(/signed by key [0-9a-f]+, which is not trusted/);
  });

  it('of another repository with the same tree and a trusted key does not count: its base is no step here', async () => {
    const next = change();
    court.pack(next, { baseCommit: 'c0ffee'.padEnd(40, '0') });
    const [finding] = await court.onMain(next);
    expect(finding?.says).toMatch(/judged against c0ffee000000, which is no step of the branch/);
  });

  it('that a person signed does not count, nor an override that the runner signed', async () => {
    const next = change();
    court.pack(next, {}, court.person);
    court.override(next, ['unverified'], { signer: court.runner });
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
  });

  it('that was edited does not count', async () => {
    const next = change();
    const ref = court.pack(next, { verdict: 'BLOCKED', cause: 'x' });
    const [line = ''] = git('show', `${ref}:pack.intoto.jsonl`).split('\n');
    const envelope = JSON.parse(line);
    const text = Buffer.from(envelope.payload, 'base64')
      .toString()
      .replace('"verdict":"BLOCKED"', '"verdict":"PASSED"');
    envelope.payload = Buffer.from(text).toString('base64');
    git('checkout', '-q', '--detach', 'main');
    git('rm', '-rqf', '.');
    court.repo.commit({ 'pack.intoto.jsonl': `${JSON.stringify(envelope)}\n` });
    git('update-ref', ref, 'HEAD');
    git('checkout', '-q', '-f', 'main');
    const [finding] = await court.onMain(next);
    expect(finding?.says).toMatch(/signature .* does not hold/);
  });

  it('under the name of another tree does not count for that', async () => {
    const good = change();
    const ref = court.pack(good);
    const bad = change({ 'bad.txt': 'x\n' });
    git('update-ref', `refs/countersign/proofs/${git('rev-parse', `${bad}^{tree}`)}/${'a'.repeat(64)}`, ref);
    const [finding] = await court.onMain(bad);
    expect(finding?.says).toMatch(/it is about the tree/);
  });

  it('whose base is history that never stood at the tip counts only for what it leaves alone', async () => {
    const gutted = court.commitOn('main', { 'a.txt': 'gutted\n' });
    const whole = court.commitOn(gutted, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    court.pack(whole);
    expect(await court.onMain(whole)).toEqual([]);
    landed(whole);
    const next = court.commitOn(whole, { 'a.txt': 'gutted\n', 'c.txt': 'c\n' });
    court.pack(next, { baseCommit: gutted });
    const [finding] = await court.onMain(next);
    expect(finding?.says).toMatch(/judged against .* and "a.txt" changed on the branch since/);
  });

  it('whose base came in by the side of a merge does not count', async () => {
    const side = change({ 'side.txt': 's\n' });
    const merge = git('commit-tree', 'main^{tree}', '-p', 'main', '-p', side, '-m', 'ours');
    expect(await court.onMain(merge)).toEqual([]);
    landed(merge);
    const next = court.commitOn(merge, { 'c.txt': 'c\n' });
    court.pack(next, { baseCommit: side });
    const [finding] = await court.onMain(next);
    expect(finding?.says).toMatch(/no step of the branch/);
  });
});

describe('a change of another base', () => {
  /** Verified on main, while main moved on by verified work on other files. */
  const moved = (files: Record<string, string> = { 'z.txt': 'z\n' }) => {
    const first = main();
    court.pack(first, { baseCommit: first });
    const work = change();
    court.pack(work);
    const other = change(files);
    landed(other);
    git('checkout', '-q', '--detach', work);
    git('rebase', '-q', 'main');
    const next = git('rev-parse', 'HEAD');
    git('checkout', '-q', 'main');
    return { first, work, next };
  };
  const PATCH = { branches: ['main'], judge: 'patch' };

  it('is verified again, unless the policy lets the same change count', async () => {
    const { next } = moved();
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
    expect(await court.onMain(next, PATCH)).toEqual([]);
  });

  it('is another change where one byte, one mode or one path is another', async () => {
    const { next } = moved();
    git('checkout', '-q', '--detach', next);
    git('update-index', '--chmod=+x', 'b.txt');
    git('commit', '-q', '--amend', '--no-edit');
    const mode = git('rev-parse', 'HEAD');
    git('checkout', '-q', '-f', 'main');
    const byte = court.commitOn('main', { 'b.txt': 'b \n' });
    const path = court.commitOn(next, { 'c.txt': 'c\n' });
    for (const one of [mode, byte, path])
      expect(codesOf(await court.onMain(one, PATCH))).toEqual(['unverified']);
  });

  it('does not land a second time after it was taken back', async () => {
    const { work, first } = moved();
    landed(first);
    landed(work);
    git('revert', '--no-edit', 'HEAD');
    const again = court.commitOn('main', { 'b.txt': 'b\n' });
    expect(codesOf(await court.onMain(again, PATCH))).toEqual(['unverified']);
  });

  it('needs a base that passed itself', async () => {
    const gutted = court.commitOn('main', { 'a.txt': 'gutted\n' });
    const work = court.commitOn(gutted, { 'b.txt': 'b\n' });
    court.pack(work, { baseCommit: gutted });
    const whole = court.commitOn(gutted, { 'a.txt': 'a\n', 'z.txt': 'z\n' });
    court.pack(whole);
    landed(whole);
    const next = court.commitOn('main', { 'b.txt': 'b\n' });
    expect(codesOf(await court.onMain(next, PATCH))).toEqual(['unverified']);
    court.pack(gutted);
    expect(await court.onMain(next, PATCH)).toEqual([]);
  });
});

describe('a protected branch', () => {
  it('is not deleted, not even by a person’s word', async () => {
    expect(await onRef('refs/heads/main', '', main())).toEqual(['deleted']);
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
    expect(await onRef('refs/heads/release/1', main(), '', own)).toEqual([]);
    const next = change();
    court.pack(next);
    expect(await onRef('refs/heads/release/1', next, '', own)).toEqual(['created']);
    court.override(next, ['created'], { ref: 'refs/heads/release/1', old: NOWHERE });
    expect(await onRef('refs/heads/release/1', next, '', own)).toEqual([]);
    expect(await onRef('refs/heads/release/2', next, '', own)).toEqual(['created']);
  });

  it('is meant by a ref that stands for it', async () => {
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    const [judged] = await court.judge([{ ref: 'refs/heads/alias', old: main(), next: change() }]);
    expect(judged?.update.ref).toBe('refs/heads/main');
    expect(codesOf(judged?.findings ?? [])).toEqual(['unverified']);
  });

  it.each(['refs/heads/Main', 'refs/heads/MAIN', 'refs/heads/ma\u200cin', 'refs/heads/ｍain'])(
    'is not taken for %s',
    async (ref) => expect(await onRef(ref, change())).toEqual(['name']),
  );

  it('takes no tree, file or tag in the place of a commit', async () => {
    git('tag', '-a', 'note', '-m', 'note', 'main');
    for (const id of [
      git('rev-parse', 'main^{tree}'),
      git('rev-parse', 'main:a.txt'),
      git('rev-parse', 'note'),
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
    expect(await onRef(`refs/replace/${bad}`, good)).toEqual(['replace']);
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

describe('an override', () => {
  it('lets go what it names of one update, and nothing else', async () => {
    const next = change({ '.countersign/config.yaml': 'gate: {strength: red-green}\n' });
    court.override(next, ['policy']);
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
    court.override(next, ['policy', 'unverified']);
    const [judged] = await court.judge([{ ref: 'refs/heads/main', old: main(), next }]);
    expect(judged?.findings).toEqual([]);
    expect(judged?.remarks.join()).toMatch(/overridden \(policy, unverified\) by key [0-9a-f]{12}: "agreed"/);
  });

  it.each([
    ['of another ref', () => ({ ref: 'refs/heads/other' })],
    ['from another state of the branch', () => ({ old: 'c0ffee'.padEnd(40, '0') })],
    ['of a new branch', () => ({ old: NOWHERE })],
    ['by somebody else', () => ({ signer: newSigner() })],
    ['of another tree', () => ({ tree: git('rev-parse', 'main^{tree}') })],
  ])('%s does not count', async (_, said) => {
    const next = change();
    court.override(next, ['unverified'], said());
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
  });

  it('is used up when the branch has moved', async () => {
    const next = change();
    court.override(next, ['unverified', 'rewritten']);
    expect(await court.onMain(next)).toEqual([]);
    landed(change({ 'c.txt': 'c\n' }));
    expect(codesOf(await court.onMain(next))).toEqual(['rewritten', 'unverified']);
  });

  it('is given by one of those whom the base names', async () => {
    git('checkout', '-q', 'main');
    court.repo.commit({ '.countersign/config.yaml': `gate: {overrides: [${'a'.repeat(64)}]}\n` });
    const next = change();
    court.override(next, ['unverified']);
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
  });
});

describe('tags and papers', () => {
  const own = { branches: ['main'], tags: ['v*'] };

  it('a protected tag stands on a protected tip and stays', async () => {
    expect(await onRef('refs/tags/v1', main(), '', own)).toEqual([]);
    git('tag', '-a', 'v1', '-m', 'one', 'main');
    expect(await onRef('refs/tags/v2', git('rev-parse', 'v1'), '', own)).toEqual([]);
    const next = change();
    expect(await onRef('refs/tags/v2', next, '', own)).toEqual(['tag']);
    expect(await onRef('refs/tags/v1', main(), next, own)).toEqual(['tag']);
    expect(await onRef('refs/tags/v1', '', main(), own)).toEqual(['tag']);
    expect(await onRef('refs/tags/V1', next, '', own)).toEqual(['name']);
    expect(await onRef('refs/tags/other', next, '', own)).toEqual([]);
  });

  it('a protected tag may come with the branch that it stands on', async () => {
    const next = change();
    court.pack(next);
    const updates = [
      { ref: 'refs/tags/v1', old: '', next },
      { ref: 'refs/heads/main', old: main(), next },
    ];
    expect((await court.judge(updates, own)).flatMap(({ findings }) => findings)).toEqual([]);
  });

  it('papers are added by who holds a trusted key, and never moved or deleted', async () => {
    const next = change();
    const ref = court.pack(next);
    const id = git('rev-parse', ref);
    expect(await onRef(ref, id)).toEqual([]);
    expect(await onRef(ref, '', id)).toEqual(['paper']);
    expect(await onRef(ref, main(), id)).toEqual(['paper']);
    expect(await onRef(`${ref.slice(0, -1)}0`, id)).toEqual(['paper']);
    expect(await onRef(`refs/countersign/proofs/${'a'.repeat(40)}/${ref.split('/').at(-1)}`, id)).toEqual([
      'paper',
    ]);
    expect(await onRef(`${ref}/more`, id)).toEqual(['paper']);
    expect(await onRef('refs/countersign/proofs/x', main())).toEqual(['paper']);
    const foreign = court.pack(next, { nonce: 'n-2' }, newSigner());
    expect(await onRef(foreign, git('rev-parse', foreign))).toEqual(['paper']);
    const word = court.override(next, ['policy']);
    expect(await onRef(word, git('rev-parse', word))).toEqual([]);
    const forged = court.override(next, ['policy'], { signer: court.runner });
    expect(await onRef(forged, git('rev-parse', forged))).toEqual(['paper']);
  });

  it('checkpoints of the log follow on each other', async () => {
    const next = change();
    expect(await onRef('refs/countersign/checkpoints', next, main())).toEqual([]);
    expect(await onRef('refs/countersign/checkpoints', main(), next)).toEqual(['paper']);
    expect(await onRef('refs/countersign/checkpoints', '', main())).toEqual(['paper']);
  });
});
