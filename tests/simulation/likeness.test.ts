import { afterAll, beforeAll, expect, it } from 'vitest';
import { gitInMemory } from '../../bench/simulation/git-in-memory.ts';
import { Repository } from '../../bench/simulation/repository.ts';
import { workspaceInMemory } from '../../bench/simulation/workspace-in-memory.ts';
import { git } from '../../src/git-port.ts';
import { locateRepository } from '../../src/workspace/repository.ts';
import { workspace } from '../../src/workspace-port.ts';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';

// The simulation answers for git by itself: here both are asked the same, about the same history.
const BASE = { 'README.md': 'read\n', 'a.txt': 'one\n', 'b.txt': 'one\n' };
const ENV = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
let real: Scratch;
const memory = new Repository('/memory', BASE);
/** Ids of commits here and there, by name. */
const ids = new Map<string, { readonly real: string; readonly memory: string }>();

function commit(name: string, branch: string, files: Readonly<Record<string, string>>): void {
  const known = real.git('branch', '--list', branch) !== '';
  real.git('checkout', '-q', ...(known ? [branch] : ['-b', branch, 'main']));
  ids.set(name, { real: real.commit(files, name), memory: memory.commit(branch, files, name) });
}

beforeAll(() => {
  real = scratch({ name: 'repo' });
  ids.set('base', { real: real.commit(BASE, 'base'), memory: memory.commitOf('main') });
  commit('mine 1', 'mine', { 'a.txt': 'mine\n' });
  commit('mine 2', 'mine', { 'c.txt': 'mine\n' });
  commit('theirs', 'theirs', { 'b.txt': 'theirs\n' });
  commit('clash', 'clash', { 'a.txt': 'clash\n' });
  commit('main 2', 'main', { 'd.txt': 'main\n' });
});
afterAll(() => real.remove());

const NAMES = ['base', 'mine 1', 'mine 2', 'theirs', 'clash', 'main 2'];
const named = (side: 'real' | 'memory', found: string) =>
  [...ids].find(([, id]) => id[side] === found)?.[0] ?? found;

/** Everything that is asked of both, with commits told by their names. */
function answers(side: 'real' | 'memory') {
  const repository = locateRepository(real.top, ENV);
  const port = side === 'real' ? git(repository) : gitInMemory(memory);
  const place =
    side === 'real' ? workspace(repository, real.top) : workspaceInMemory(memory, new Map(), '/memory');
  const id = (name: string) => ids.get(name)?.[side] ?? '';
  const pairs = NAMES.flatMap((one) => NAMES.map((other) => [one, other] as const));
  return {
    ancestors: pairs.filter(([one, other]) => port.isAncestor(id(one), id(other))),
    changed: pairs.map(([one, other]) => [one, other, [...place.changed(id(one), id(other))].sort()]),
    merged: pairs.map(([one, other]) => [one, other, place.merged(id(one), id(other)).conflicts]),
    commits: pairs.map(([one, other]) =>
      place.commits(id(one), id(other)).map(({ sha }) => named(side, sha)),
    ),
    claims: NAMES.map((name) => {
      const claimed = port.resolveClaim({ commit: id(name), base: '', defaultBranch: '' });
      return [name, named(side, claimed.base), claimed.changed.map(({ path }) => path).sort()];
    }),
    between: pairs.map(([one, other]) =>
      port.commitsBetween(id(one), id(other)).map((sha) => named(side, sha)),
    ),
    differing: port.differing(id('base'), id('mine 2'), ['a.txt', 'b.txt', 'c.txt']),
    covered: port.covered(id('main 2'), [
      { commit: id('mine 2'), paths: ['a.txt', 'b.txt'] },
      { commit: id('base'), paths: ['d.txt'] },
    ]),
    became: NAMES.map((name) => {
      const change = { from: id('base'), to: id('mine 2'), paths: ['a.txt', 'c.txt'] };
      return place.becameOf(change, id(name));
    }),
    heads: Object.values(port.heads('')).map((sha) => named(side, sha)),
    read: [port.readAt(id('mine 2'), 'c.txt')?.toString(), port.readAt(id('base'), 'c.txt')?.toString()],
    unknown: [port.namedCommit('nobody').commit, place.commitOf('refs/heads/nobody')],
    up: [named(side, place.commitOf(`${id('mine 2')}^`)), named(side, place.commitOf('refs/heads/theirs'))],
    branches: [place.moveBranch('new', '', id('base')), place.moveBranch('new', id('mine 1'), id('mine 2'))],
  };
}

it('the repository of the simulation answers as git does', () => {
  expect(answers('memory')).toEqual(answers('real'));
});
