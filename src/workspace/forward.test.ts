import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitAhead, type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { backward, forward, settle } from './forward.ts';
import { merge } from './merging.ts';

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

/** Runs something with a git that does something else first where its words fit one of the cases of a shell. */
function withGit(cases: readonly string[], work: () => void): void {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const beside = join(repo.root, 'beside');
  mkdirSync(beside);
  const lines = [
    `BESIDE='${beside}' REAL='${real}'`,
    '[ ! -e "$BESIDE/dead" ] || exit 1',
    'case " $* " in',
    ...cases,
    'esac',
    'exec "$REAL" "$@"',
  ];
  writeFileSync(join(beside, 'git'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${beside}:${path}`;
  try {
    work();
  } finally {
    process.env.PATH = path;
  }
}

/** From then on every call fails, as of a process that has ended. */
const DIES = 'touch "$BESIDE/dead"; exit 1 ;;';
const notes = () => repo.git('for-each-ref', 'refs/worktree/');
const state = () => [repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain'), notes()];
const BEFORE = { 'both.js': '1;\n', 'gone.js': '1;\n', 'cut.js': '1;\n', 'dir/a.js': '1;\n' };

/** A commit that adds, changes and removes files, and puts a file where a folder was, and a folder where a file was. */
function manyAhead(): readonly [before: string, made: string] {
  const before = repo.commit({ ...BEFORE, to: 'a file\n' });
  for (const name of ['gone.js', 'dir', 'to']) repo.git('rm', '-r', '-q', name);
  const made = repo.commit({
    ...{ 'both.js': '2;\n', 'cut.js': '12;\n34;\n', dir: 'a file\n' },
    ...{ 'new/one.js': '1;\n', 'to/a.js': '1;\n' },
  });
  repo.git('reset', '-q', '--hard', before);
  return [before, made];
}

test('R2: what a process brought that ended before the branch moved is put back, and the same words bring it', () => {
  const [before, made] = manyAhead();
  repo.write('own.txt', 'nowhere else\n');
  const dying = ['*" update-ref "*" --stdin "*)', DIES];
  withGit(dying, () => expect(() => forward(repo.top, made)).toThrow());
  // Not one of ours.
  const other = ['refs/worktree/countersign/other', before] as const;
  repo.git('update-ref', ...other);
  expect(repo.git('status', '--porcelain')).toContain('M  both.js');
  settle(repo.top);
  repo.git('update-ref', '-d', ...other);
  expect(state()).toEqual([before, '?? own.txt', '']);
  forward(repo.top, made);
  expect(state()).toEqual([made, '?? own.txt', '']);
});

test('R2: what a process wrote that ended in the middle of it is put back, and the next one brings its own', () => {
  const [before, made] = manyAhead();
  const other = commitAhead(repo, { 'new/one.js': 'another\n' });
  const half = [
    '*" read-tree -m -u "*)',
    `cd '${repo.top}'; rm gone.js; printf '2;\\n' >both.js; printf '12;' >cut.js; rm -r dir; echo a file >dir`,
    "mkdir new; printf '1;\\n' >new/one.js; rm to; mkdir to; : >to/a.js",
    DIES,
  ];
  withGit(half, () => expect(() => forward(repo.top, made)).toThrow());
  repo.write('lib.js', 'of somebody else\n');
  settle(repo.top);
  expect(state()).toEqual([before, '?? lib.js', '']);
  forward(repo.top, other);
  expect(state()).toEqual([other, '?? lib.js', '']);
});

test('R2: what somebody wrote since in a file that was on its way is theirs', () => {
  const [, made] = manyAhead();
  withGit(['*" update-ref "*" --stdin "*)', DIES], () => expect(() => forward(repo.top, made)).toThrow());
  repo.write('both.js', 'theirs\n');
  settle(repo.top);
  expect(state().slice(1)).toEqual(['M both.js', '']);
});

test('R2: taking a move back, and a process that ends in it, leaves nothing', () => {
  const [before, made] = manyAhead();
  forward(repo.top, made);
  withGit(['*" read-tree "*)', DIES], () => expect(() => backward(repo.top, made, before)).toThrow());
  settle(repo.top);
  expect(state()).toEqual([before, '', '']);
});

test('who was only taken for ended moves nothing any more', () => {
  const [before, made] = manyAhead();
  const late = [
    '*" update-ref "*" --stdin "*)',
    `"$REAL" update-ref refs/worktree/countersign/${made} HEAD ;;`,
  ];
  withGit(late, () => expect(() => forward(repo.top, made)).toThrow('update-ref'));
  expect(state()).toEqual([before, '', '']);
});

test('a checkout that fails in the middle is put back, and why it failed is told', () => {
  repo.commit({ 'a.txt': 'one\n', '.gitattributes': '*.bin filter=big\n' });
  const before = repo.git('rev-parse', 'HEAD');
  const made = commitAhead(repo, { 'a.txt': 'two\n', 'b-new.txt': 'new\n', 'z.bin': 'x\n' });
  repo.git('config', 'filter.big.clean', 'cat');
  repo.git('config', 'filter.big.required', 'true');
  repo.git('config', 'filter.big.smudge', 'echo object not reachable >&2; false');
  expect(() => forward(repo.top, made)).toThrow('smudge filter big failed');
  expect(state()).toEqual([before, '', '']);
  expect(existsSync(join(repo.top, 'b-new.txt'))).toBe(false);
  repo.git('config', 'filter.big.smudge', 'cat');
  forward(repo.top, made);
  expect(state()).toEqual([made, '', '']);
});

test('PROTO-21: what somebody else has brought, whose branch is just about to move, is left there', () => {
  repo.commit({ 'lib.js': 'a\n' });
  const [theirs, ours] = [
    commitAhead(repo, { 'theirs.js': '1;\n', 'both.js': '1;\n' }),
    commitAhead(repo, { 'ours.js': '1;\n', 'both.js': '1;\n' }),
  ];
  // They hold the index as we begin, and their branch moves before we try once more.
  const held = `fatal: Unable to create '${repo.top}/.git/index.lock': File exists.`;
  const lines = [
    '*" read-tree "*)',
    '  if [ ! -e "$BESIDE/begun" ]; then',
    `    touch "$BESIDE/begun"; "$REAL" read-tree -m -u HEAD ${theirs}; echo "${held}" >&2; exit 128`,
    '  fi',
    `  "$REAL" update-ref HEAD ${theirs} ;;`,
  ];
  withGit(lines, () => expect(() => forward(repo.top, ours)).toThrow('update-ref'));
  expect([repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain')]).toEqual([theirs, '']);
});

test('R2, PROTO-21: the same merge that is asked for twice within a second is in, and both are told so', () => {
  repo.commit({ 'lib.js': 'a\n' });
  const theirs = commitAhead(repo, { 'new.js': '1;\n' });
  repo.commit({ 'own.js': '1;\n' });
  // The other one made the very same commit, and moves the branch there right before.
  const twice =
    '*" update-ref "*" --stdin "*) cat >"$BESIDE/in"; "$REAL" "$@" <"$BESIDE/in" || exit; exec <"$BESIDE/in" ;;';
  let head = '';
  withGit([twice], () => {
    head = merge(repo.top, theirs, 'merge').head;
  });
  expect(state()).toEqual([head, '', '']);
  expect(repo.git('rev-parse', `${head}^2`)).toBe(theirs);
});

test('who holds the lock of a submodule is waited for: of two whose submodules follow at once none is told no', () => {
  const sub = scratch({ root: repo.top, name: 'sub' });
  for (const [key, value] of [
    ['path', 'sub'],
    ['url', sub.top],
  ] as const) {
    repo.git('config', '-f', '.gitmodules', `submodule.sub.${key}`, value);
    repo.git('config', `submodule.sub.${key}`, value);
  }
  const older = sub.commit({ 'lib.js': '1;\n' });
  repo.commit({});
  const newer = sub.commit({ 'lib.js': '2;\n' });
  const made = commitAhead(repo, {});
  sub.git('checkout', '-q', older);
  const lock = join(sub.top, '.git/index.lock');
  const held = `touch "$BESIDE/held" '${lock}'; "$REAL" "$@"; code=$?; rm '${lock}'; exit $code`;
  withGit([`*" submodule "*) [ -e "$BESIDE/held" ] || { ${held}; } ;;`], () => forward(repo.top, made));
  expect([sub.git('rev-parse', 'HEAD'), ...state()]).toEqual([newer, made, '', '']);
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
