import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { type Court, codesOf, newSigner, openCourt } from './court.ts';

let court: Court;
beforeEach(() => {
  court = openCourt();
});
afterEach(() => court.remove());

const main = () => court.repo.git('rev-parse', 'main');
const git = (...args: string[]) => court.repo.git(...args);
const change = (files: Record<string, string> = { 'b.txt': 'b\n' }) => court.commitOn('main', files);
/** Moves main, as an earlier push did. */
const landed = (commit: string) => git('reset', '-q', '--hard', commit);

describe('a pack', () => {
  it('counts in a repository that names its objects by SHA-256', async () => {
    const other = openCourt('sha256');
    try {
      const next = other.commitOn('main', { 'b.txt': 'b\n' });
      expect(codesOf(await other.onMain(next))).toEqual(['unverified']);
      other.pack(next);
      expect(await other.onMain(next)).toEqual([]);
    } finally {
      other.remove();
    }
  });

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

describe('an old pack, after what others landed', () => {
  it('takes nothing of theirs away, also where a commit without a change stands on it', async () => {
    const mine = change();
    court.pack(mine);
    landed(change({ 'a.txt': 'mended by others\n' }));
    git('commit', '-q', '--allow-empty', '-m', 'nothing');
    const undoing = git('commit-tree', `${mine}^{tree}`, '-p', 'main', '-m', 'undoing');
    const [finding] = await court.onMain(undoing);
    expect(finding?.says).toMatch(/"a.txt" changed on the branch since/);
  });

  it('lands nothing twice by a merge whose first parent passes by what was taken back', async () => {
    const first = main();
    const work = change({ 'a.txt': 'bad\n' });
    court.pack(work);
    landed(work);
    court.repo.commit({ 'a.txt': 'a\n' }, 'taken back');
    const around = git('commit-tree', 'main^{tree}', '-p', first, '-p', 'main', '-m', 'around');
    const [finding] = await court.onMain(around);
    expect(finding).toMatchObject({ code: 'rewritten', says: expect.stringMatching(/pass by/) });
    const over = git('commit-tree', 'main^{tree}', '-p', 'main', '-p', first, '-m', 'over');
    expect(await court.onMain(over)).toEqual([]);
  });
});

describe('a pack that was changed without its verdict', () => {
  it.each([
    ['a line more', (text: string) => `{}\n${text}`],
    ['its end cut off', (text: string) => text.trimEnd()],
    ['two verdicts', (text: string) => text + text],
  ])('does not count with %s, and is not taken', async (_, how) => {
    const next = change();
    const ref = court.pack(next);
    const text = how(`${git('show', `${ref}:pack.intoto.jsonl`)}\n`);
    const id = court.paper(ref, 'pack.intoto.jsonl', text);
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
    const name = `${ref.slice(0, ref.lastIndexOf('/'))}/${sha256Hex(text)}`;
    expect(await court.onRef(name, id)).toEqual(['paper']);
  });
});

describe('criteria', () => {
  it('that are not on the branch any more count for nothing', async () => {
    git('checkout', '-q', 'main');
    git('rm', '-q', '.countersign/criteria/default.yaml');
    git('commit', '-qm', 'no criteria');
    const next = change();
    court.pack(next, { criteria: { path: '.countersign/criteria/default.yaml', digest: 'a'.repeat(64) } });
    const [finding] = await court.onMain(next);
    expect(finding?.says).toMatch(/is not on the branch any more/);
  });
});

describe('work on work', () => {
  it('needs a pack on the tree below it, whatever the name of the ref says', async () => {
    const below = change();
    const next = court.commitOn(below, { 'c.txt': 'c\n' });
    court.pack(next, { baseCommit: below });
    const other = court.pack(change({ 'other.txt': 'x\n' }));
    git(
      'update-ref',
      `refs/countersign/proofs/${git('rev-parse', `${below}^{tree}`)}/${'a'.repeat(64)}`,
      other,
    );
    expect(codesOf(await court.onMain(next))).toEqual(['unverified']);
    court.pack(below);
    expect(await court.onMain(next)).toEqual([]);
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
