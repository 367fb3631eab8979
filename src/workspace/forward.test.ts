import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitAhead, type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { forward } from './forward.ts';

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

test('PROTO-21: what somebody else has brought, whose branch is just about to move, is left there', () => {
  repo.commit({ 'lib.js': 'a\n' });
  const [theirs, ours] = [
    commitAhead(repo, { 'theirs.js': '1;\n', 'both.js': '1;\n' }),
    commitAhead(repo, { 'ours.js': '1;\n', 'both.js': '1;\n' }),
  ];
  // They hold the index as we begin, and their branch moves before we try once more.
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const held = `fatal: Unable to create '${repo.top}/.git/index.lock': File exists.`;
  const beside = join(repo.root, 'beside');
  mkdirSync(beside);
  const lines = [
    'case " $* " in',
    '*" read-tree "*)',
    `  if [ ! -e '${beside}/begun' ]; then`,
    `    touch '${beside}/begun'; '${real}' read-tree -m -u HEAD ${theirs}; echo "${held}" >&2; exit 128`,
    '  fi',
    `  '${real}' update-ref HEAD ${theirs} ;;`,
    'esac',
    `exec '${real}' "$@"`,
  ];
  writeFileSync(join(beside, 'git'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${beside}:${path}`;
  try {
    expect(() => forward(repo.top, ours)).toThrow('update-ref');
  } finally {
    process.env.PATH = path;
  }
  expect([repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain')]).toEqual([theirs, '']);
});

test('what git ignores and does not know is not written over', () => {
  repo.commit({ 'lib.js': 'a\n' });
  const made = commitAhead(repo, { 'own.env': 'of the work\n' });
  writeFileSync(join(repo.top, '.git/info/exclude'), '*.env\n');
  repo.write('own.env', 'nowhere else\n');
  expect(() => forward(repo.top, made)).toThrow('own.env');
  expect(readFileSync(join(repo.top, 'own.env'), 'utf8')).toBe('nowhere else\n');
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('what somebody asks of merges by hand keeps no commit from being brought', () => {
  repo.commit({ 'lib.js': 'a\n' });
  const made = commitAhead(repo, { 'lib.js': 'b\n' });
  repo.git('config', 'merge.verifySignatures', 'true');
  repo.git('config', 'branch.main.mergeoptions', '-s ours --squash');
  forward(repo.top, made);
  expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([made, '']);
});
