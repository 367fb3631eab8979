import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitAhead, type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { mergedTree } from './landing.ts';

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

test('PROTO-239: no filter that a configuration names writes into what two commits come to', () => {
  repo.commit({ 'lib.js': 'a\nb\nc\nd\ne\nf\n' });
  const [one, other] = [
    commitAhead(repo, { 'lib.js': 'A\nb\nc\nd\ne\nf\n' }),
    commitAhead(repo, { 'lib.js': 'a\nb\nc\nd\ne\nF\n' }),
  ];
  repo.git('config', 'filter.evil.clean', 'sed s/c/evil/');
  repo.git('config', 'merge.renormalize', 'true');
  writeFileSync(join(repo.top, '.git/info/attributes'), '*.js filter=evil\n');
  const { tree } = mergedTree(repo.top, one, other);
  expect(repo.git('show', `${tree}:lib.js`)).toBe('A\nb\nc\nd\ne\nF');
});

test('PROTO-239: nor is a new file put into another folder than it was built in', () => {
  repo.commit({ 'a/1': '1\n', 'a/2': '2\n' });
  const one = commitAhead(repo, { 'a/new': 'new\n' });
  repo.git('mv', 'a', 'b');
  const other = repo.commit({});
  repo.git('config', 'merge.directoryRenames', 'true');
  const { tree, conflicts } = mergedTree(repo.top, one, other);
  expect(conflicts).toEqual([]);
  expect(repo.git('ls-tree', '-r', '--name-only', tree).split('\n')).toEqual(['a/new', 'b/1', 'b/2']);
});
