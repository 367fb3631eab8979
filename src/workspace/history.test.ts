import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, scratch, scratchAt } from '../../tests/fixtures/scratch-repo.ts';
import { history, noPast } from './history.ts';
import { locateRepository } from './repository.ts';

const of = (top: string) => history(locateRepository(top, {}), noPast());
const NOWHERE = 'a'.repeat(40);

test('a branch is where it is now, however often it was asked for, also once it is packed and gone', () => {
  const repo = scratch();
  const one = repo.commit({ 'a.txt': '1\n' });
  const told = of(repo.top);
  expect(told.commitOf('refs/heads/main')).toBe(one);
  const two = repo.commit({ 'a.txt': '2\n' });
  expect(told.commitOf('refs/heads/main')).toBe(two);
  repo.git('branch', 'side', one);
  repo.git('pack-refs', '--all');
  expect(told.commitOf('refs/heads/side')).toBe(one);
  repo.git('branch', '-D', '-q', 'side');
  expect(told.commitOf('refs/heads/side')).toBe('');
  repo.git('reset', '-q', '--hard', one);
  expect(told.commitOf('refs/heads/main')).toBe(one);
  repo.git('checkout', '-q', '--detach', two);
  expect(told.commitOf('HEAD')).toBe(two);
  repo.git('checkout', '-q', 'main');
  expect(told.commitOf('HEAD')).toBe(one);
  repo.remove();
});

test('what is between two names follows the names', () => {
  const repo = scratch();
  const one = repo.commit({ 'a.txt': '1\n' });
  const told = of(repo.top);
  const between = () => told.commits(one, 'refs/heads/main').map(({ sha }) => sha);
  expect(between()).toEqual([]);
  const two = repo.commit({ 'a.txt': '2\n' });
  expect(between()).toEqual([two]);
  expect(told.ownLine(one, 'refs/heads/main')).toEqual([two]);
  const three = repo.commit({ 'b.txt': '3\n' });
  expect(between()).toEqual([two, three]);
  expect(told.ownLine(one, 'refs/heads/main')).toEqual([three, two]);
  expect(told.merges(one, 'refs/heads/main')).toEqual([]);
  repo.git('reset', '-q', '--hard', two);
  expect(between()).toEqual([two]);
  expect(() => told.commits(one, 'refs/heads/none')).toThrow('git log');
  expect(() => told.commits(NOWHERE, two)).toThrow('git log');
  repo.remove();
});

test('a commit that is not here yet is there once it came, and in what it is in', () => {
  const repo = scratch();
  const one = repo.commit({ 'a.txt': '1\n' });
  const other = scratchAt(freshFolder(), join(freshFolder(), 'clone'));
  execFileSync('git', ['clone', '-q', repo.top, other.top]);
  const two = repo.commit({ 'a.txt': '2\n' });
  const told = of(other.top);
  expect(told.commitOf(two)).toBe('');
  expect(told.isAncestor(one, two)).toBe(false);
  expect(told.isAncestor(two, two)).toBe(false);
  expect(told.commitOf(one)).toBe(one);
  execFileSync('git', ['fetch', '-q'], { cwd: other.top });
  expect(told.commitOf(two)).toBe(two);
  expect(told.isAncestor(one, two)).toBe(true);
  expect(told.isAncestor(two, one)).toBe(false);
  expect(told.isAncestor(two, one)).toBe(false);
  expect(told.commitOf(`${two}^`)).toBe(one);
  expect(told.commitOf(`${two}^`)).toBe(one);
  expect(told.commitOf(`${one}^`)).toBe('');
  repo.remove();
  other.remove();
});

test('of a history that was cut short nothing is taken for the last word', () => {
  const repo = scratch();
  const one = repo.commit({ 'a.txt': '1\n' });
  const two = repo.commit({ 'a.txt': '2\n' });
  const three = repo.commit({ 'a.txt': '3\n' });
  const other = scratchAt(freshFolder(), join(freshFolder(), 'clone'));
  execFileSync('git', ['clone', '-q', '--depth', '2', `file://${repo.top}`, other.top]);
  const told = of(other.top);
  expect(told.commitOf(three)).toBe(three);
  expect(told.commitOf(two)).toBe(two);
  expect(told.commitOf(`${two}^`)).toBe('');
  expect(told.isAncestor(one, three)).toBe(false);
  execFileSync('git', ['fetch', '-q', '--unshallow'], { cwd: other.top });
  expect(told.commitOf(`${two}^`)).toBe(one);
  expect(told.isAncestor(one, three)).toBe(true);
  expect(told.commits(one, three).map(({ sha }) => sha)).toEqual([two, three]);
  repo.remove();
  other.remove();
});

test('a git that was stopped has said nothing, and is asked again', () => {
  const repo = scratch();
  const one = repo.commit({ 'a.txt': '1\n' });
  const two = repo.commit({ 'a.txt': '2\n' });
  const told = of(repo.top);
  expect([told.commitOf(one), told.commitOf(two)]).toEqual([one, two]);
  const { PATH } = process.env;
  const stopped = join(repo.root, 'bin');
  mkdirSync(stopped);
  writeFileSync(join(stopped, 'git'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
  process.env.PATH = `${stopped}:${PATH}`;
  try {
    expect(() => told.isAncestor(one, two)).toThrow('SIGKILL');
    expect(() => told.commitOf('HEAD')).toThrow('SIGKILL');
  } finally {
    process.env.PATH = PATH;
  }
  expect([told.isAncestor(one, two), told.isAncestor(two, one)]).toEqual([true, false]);
  expect(told.isAncestor(NOWHERE, two)).toBe(false);
  repo.remove();
});
