import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { expectRefused, type Ground, openGround } from './ground.ts';

let program: Program;
let ground: Ground;
beforeAll(() => {
  program = buildProgram();
  ground = openGround(program);
});
afterAll(() => {
  ground.remove();
  program.remove();
});
afterEach(() => ground.reset());

describe('what lands on a protected branch', () => {
  it('is refused unverified, with what is missing and the next command', () => {
    const before = ground.at('refs/heads/main');
    ground.desk.repo.commit({ 'a.txt': 'a\n' });
    const told = ground.push('origin', 'work:main');
    expectRefused(told, /no proof pack for the tree [0-9a-f]{12} of [0-9a-f]{12} \[unverified\]/);
    expect(told.err).toMatch(/next: run: countersign verify ITEM, then countersign proof push ITEM/);
    expect(ground.at('refs/heads/main')).toBe(before);
  });

  it('is taken when its pack was pushed before', () => {
    const { item, commit } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    expect(ground.desk.run('proof', 'push', item).code).toBe(0);
    const told = ground.push('origin', 'a:main');
    expect(told).toMatchObject({ code: 0, err: expect.stringContaining(`verified for ${item}`) });
    expect(ground.at('refs/heads/main')).toBe(commit);
  });

  it('is taken when its pack comes in the same push', () => {
    const { item, commit } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', item, '--local');
    const told = ground.push('origin', 'refs/countersign/proofs/*:refs/countersign/proofs/*', 'a:main');
    expect(told.code).toBe(0);
    expect(ground.at('refs/heads/main')).toBe(commit);
  });

  it('may be squashed, and may come in by a merge commit: the tree is what was verified', () => {
    const one = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', one.item);
    ground.git('checkout', '-q', '-B', 'landing', 'origin/main');
    ground.git('merge', '-q', '--squash', 'a');
    ground.git('commit', '-q', '-m', 'squashed');
    expect(ground.push('origin', 'landing:main').code).toBe(0);
    const two = ground.change('b', 'landing', { 'b.txt': 'b\n' });
    ground.desk.run('proof', 'push', two.item);
    ground.git('checkout', '-q', '-B', 'landing', 'origin/main');
    ground.git('merge', '-q', '--no-ff', '-m', 'merged', 'b');
    expect(ground.push('origin', 'landing:main').code).toBe(0);
    expect(ground.at('refs/heads/main')).toBe(ground.git('rev-parse', 'landing'));
  });

  it('that took the branch in is turned round by the command of the refusal', () => {
    const one = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', one.item);
    ground.push('origin', 'a:main');
    ground.git('checkout', '-q', '-b', 'b', 'main');
    ground.desk.repo.commit({ 'b.txt': 'b\n' });
    ground.git('merge', '-q', '--no-ff', '-m', 'the branch, taken in', 'a');
    ground.desk.run('proof', 'push', ground.verified());
    const told = ground.push('origin', 'b:main');
    expectRefused(told, /pass by/);
    const [, command = ''] = /run: (git checkout .*), and push that/.exec(told.err) ?? [];
    for (const words of command.split(', ')) ground.git(...words.split(' ').slice(1));
    expect(ground.push('origin', 'HEAD:main')).toMatchObject({ code: 0 });
  });

  it('may be rebased without being changed', () => {
    const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', item);
    ground.git('rebase', '-q', '--force-rebase', '--ignore-date', 'main');
    expect(ground.push('origin', 'a:main').code).toBe(0);
  });

  it('is verified again where the branch moved and the tree is a new one, and then taken', () => {
    const one = ground.change('a', 'main', { 'a.txt': 'a\n' });
    const two = ground.change('b', 'main', { 'b.txt': 'b\n' });
    ground.desk.run('proof', 'push', one.item, two.item);
    expect(ground.push('origin', 'a:main').code).toBe(0);
    ground.git('fetch', '-q', 'origin');
    ground.git('rebase', '-q', 'origin/main');
    expectRefused(ground.push('origin', 'b:main'), /no proof pack for the tree/);
    const again = ground.verified();
    ground.desk.run('proof', 'push', again);
    expect(ground.push('origin', 'b:main')).toMatchObject({ code: 0 });
  });

  it('is refused where it would undo what landed since it was verified', () => {
    const one = ground.change('a', 'main', { 'a.txt': 'a\n' });
    const two = ground.change('b', 'main', { 'b.txt': 'b\n' });
    ground.desk.run('proof', 'push', one.item, two.item);
    ground.push('origin', 'a:main');
    // The verified tree of b on top of a: a is gone from it.
    const stale = ground.git('commit-tree', 'b^{tree}', '-p', 'a', '-m', 'stale');
    const told = ground.push('origin', `${stale}:refs/heads/main`);
    expectRefused(told, /was verified, and not on the branch as it stands/);
    expect(told.err).toMatch(/"a.txt" changed on the branch since/);
    expect(told.err).toMatch(/next: run: git rebase/);
  });

  it('is refused when the branch went back and the old pack is shown again', () => {
    const { item, commit } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', item);
    ground.push('origin', 'a:main');
    ground.git('checkout', '-q', '-b', 'back', 'a');
    ground.git('revert', '--no-edit', 'a');
    const back = ground.verified();
    ground.desk.run('proof', 'push', back);
    expect(ground.push('origin', 'back:main').code).toBe(0);
    const again = ground.git('commit-tree', `${commit}^{tree}`, '-p', 'back', '-m', 'again');
    expectRefused(ground.push('origin', `${again}:refs/heads/main`), /"a.txt" changed on the branch since/);
  });

  it('counts where work stands on work that passed, also when both land at once', () => {
    const one = ground.change('a', 'main', { 'a.txt': 'a\n' });
    const two = ground.change('b', 'a', { 'b.txt': 'b\n' });
    ground.desk.run('proof', 'push', one.item, two.item);
    expect(ground.push('origin', 'b:main')).toMatchObject({ code: 0 });
  });

  it('is taken without a pack where the tree is the one that stands there', () => {
    ground.git('checkout', '-q', '-b', 'empty', 'main');
    ground.desk.repo.commit({}, 'nothing');
    expect(ground.push('origin', 'empty:main')).toMatchObject({
      code: 0,
      err: expect.stringContaining('nothing changes'),
    });
  });

  it('is judged by its tree, not by the history below it', () => {
    const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', item);
    ground.git('checkout', '-q', '-b', 'unseen', 'main');
    ground.desk.repo.commit({ 'unseen.txt': 'x\n' }, 'unseen');
    const merge = ground.git('commit-tree', 'a^{tree}', '-p', 'main', '-p', 'unseen', '-m', 'ours');
    expect(ground.push('origin', `${merge}:refs/heads/main`).code).toBe(0);
  });

  it('leaves branches alone that nobody protects', () => {
    ground.desk.repo.commit({ 'a.txt': 'a\n' });
    expect(ground.push('origin', 'work').code).toBe(0);
  });
});
