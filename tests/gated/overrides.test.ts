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
    expect(await court.onRef('refs/tags/v1', main(), '', own)).toEqual([]);
    git('tag', '-a', 'v1', '-m', 'one', 'main');
    expect(await court.onRef('refs/tags/v2', git('rev-parse', 'v1'), '', own)).toEqual([]);
    const next = change();
    expect(await court.onRef('refs/tags/v2', next, '', own)).toEqual(['tag']);
    expect(await court.onRef('refs/tags/v1', main(), next, own)).toEqual(['tag']);
    expect(await court.onRef('refs/tags/v1', '', main(), own)).toEqual(['tag']);
    expect(await court.onRef('refs/tags/V1', next, '', own)).toEqual(['name']);
    expect(await court.onRef('refs/tags/other', next, '', own)).toEqual([]);
  });

  it('a protected tag is on no other commit with the tree of a protected tip', async () => {
    const like = git('commit-tree', 'main^{tree}', '-m', 'like the tip');
    expect(await court.onRef('refs/tags/v3', like, '', own)).toEqual(['tag']);
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
    expect(await court.onRef(ref, id)).toEqual([]);
    expect(await court.onRef(ref, '', id)).toEqual(['paper']);
    expect(await court.onRef(ref, main(), id)).toEqual(['paper']);
    expect(await court.onRef(`${ref.slice(0, -1)}0`, id)).toEqual(['paper']);
    expect(
      await court.onRef(`refs/countersign/proofs/${'a'.repeat(40)}/${ref.split('/').at(-1)}`, id),
    ).toEqual(['paper']);
    expect(await court.onRef(`${ref}/more`, id)).toEqual(['paper']);
    expect(await court.onRef('refs/countersign/proofs/x', main())).toEqual(['paper']);
    const foreign = court.pack(next, { nonce: 'n-2' }, newSigner());
    expect(await court.onRef(foreign, git('rev-parse', foreign))).toEqual(['paper']);
    const word = court.override(next, ['policy']);
    const said = git('rev-parse', word);
    expect(await court.onRef(word, said)).toEqual([]);
    const elsewhere = `refs/countersign/overrides/${main()}/${word.split('/').at(-1)}`;
    expect(await court.onRef(elsewhere, said)).toEqual(['paper']);
    const later = git('commit-tree', `${id}^{tree}`, '-p', id, '-m', 'later');
    expect(await court.onRef(ref, later, id)).toEqual(['paper']);
    const forged = court.override(next, ['policy'], { signer: court.runner });
    expect(await court.onRef(forged, git('rev-parse', forged))).toEqual(['paper']);
  });

  it.each(['refs/countersign', 'refs/countersign/proofs', 'refs/countersign/checkpoints/x'])(
    'nothing is put at %s, where it would keep papers out',
    async (ref) => {
      expect(await court.onRef(ref, main())).toEqual(['paper']);
    },
  );

  it('checkpoints of the log follow on each other', async () => {
    const next = change();
    expect(await court.onRef('refs/countersign/checkpoints', next, main())).toEqual([]);
    expect(await court.onRef('refs/countersign/checkpoints', main(), next)).toEqual(['paper']);
    expect(await court.onRef('refs/countersign/checkpoints', '', main())).toEqual(['paper']);
  });
});
