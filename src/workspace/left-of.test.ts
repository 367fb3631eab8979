import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { leftOf } from './left-of.ts';
import { locateRepository } from './repository.ts';

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

const HEAD = '// SPDX-License-Identifier: Apache-2.0\n';
const LIB = 'function pay(user) {\n  assertAllowed(user);\n  return transfer(user, 1);\n}\n';

/** What is left on top of a commit that was taken off again, by what was done there. */
function left(first: Files, dropped: Done, ...then: readonly Done[]): readonly string[] {
  const from = repo.commit({ 'README.md': `${HEAD}read\n`, ...first });
  const [to = ''] = [dropped, ...then].map((one) => {
    if (typeof one !== 'function') return repo.commit(one);
    one();
    return repo.git('rev-parse', 'HEAD');
  });
  const change = { from, to, paths: repo.git('diff', '--name-only', from, to).split('\n') };
  return leftOf(locateRepository(repo.top), change, repo.git('rev-parse', 'HEAD'), from);
}
type Files = Readonly<Record<string, string>>;
type Done = Files | (() => void);
const move = () => {
  repo.git('mv', 'lib.js', 'kept.js');
  repo.git('commit', '-q', '-m', 'moved');
};
const revert = () => repo.git('revert', '--no-edit', 'HEAD');

/** Notes what git is asked; the lines that a search reads are counted. */
function askedOfGit() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-asked-'));
  const [log, input] = [join(folder, 'log'), join(folder, 'input')];
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
case " $* " in
  *' grep '*) cat >'${input}'; echo "$* $(grep -c '' '${input}')" >>'${log}'; exec '${git}' "$@" <'${input}' ;;
esac
echo "$*" >>'${log}'
exec '${git}' "$@"
`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  const before = process.env.PATH;
  process.env.PATH = `${folder}${delimiter}${before}`;
  return {
    asked: (name: string) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .filter((words) => words.includes(name)),
    end() {
      process.env.PATH = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('of a file that was taken off the main branch', () => {
  const bad = { 'lib.js': `${HEAD}export const bad = 1;\nexport const worse = 2;\n` };

  test('a line that nobody wrote anew is left, whatever blanks are before it', () => {
    expect(left({}, bad, { 'lib.js': `${HEAD}  export const bad = 1;\nexport const good = 42;\n` })).toEqual([
      'lib.js',
    ]);
  });

  test('lines are not that stand elsewhere on the main branch', () => {
    expect(left({}, bad, { 'lib.js': `${HEAD}export const good = 42;\n` })).toEqual([]);
  });

  test('nothing is where it was taken back and written anew, unless that is most of the same', () => {
    const anew = { 'lib.js': `${HEAD}export const bad = 1;\nexport const good = 42;\n` };
    expect(left({}, bad, revert, anew)).toEqual([]);
    repo.remove();
    repo = scratch();
    const same = { 'lib.js': `${bad['lib.js']}export const good = 42;\n` };
    expect(left({}, bad, revert, same)).toEqual(['lib.js']);
  });

  test('all is under another name', () => {
    expect(left({}, bad, move)).toEqual(['kept.js']);
  });
});

test('what was put into a file of the main branch is left, also where such a line stands elsewhere there', () => {
  const put = LIB.replace('  return tr', '  return true;\n  return tr');
  const first = { 'lib.js': LIB, 'other.js': 'return true;\n' };
  const next = { 'lib.js': put.replace('user, 1', 'user, 2') };
  expect(left(first, { 'lib.js': put }, next)).toEqual(['lib.js']);
});

describe('of a line that was taken away, which was taken off the main branch', () => {
  const away = { 'lib.js': LIB.replace('  assertAllowed(user);\n', '') };
  const other = (text: string) => ({ 'lib.js': text.replace('user, 1', 'user, 2') });

  test('that it is away is left, where others changed the next one', () => {
    expect(left({ 'lib.js': LIB }, away, other(away['lib.js']))).toEqual(['lib.js']);
  });

  test('nothing is where it came back, and went again by somebody else', () => {
    expect(left({ 'lib.js': LIB }, away, revert, other(away['lib.js']))).toEqual([]);
  });
});

describe.each([
  ['a removal', () => repo.git('rm', '-q', 'lib.js')],
  ['a change of mode', () => repo.git('update-index', '--chmod=+x', 'lib.js')],
])('of %s, which was taken off the main branch', (_, change) => {
  const made = () => {
    change();
    repo.git('commit', '-q', '-m', 'made');
    repo.git('reset', '-q', '--hard');
  };

  test('all is left that did not come back in between', () => {
    expect(left({ 'lib.js': LIB }, made, { 'other.js': 'one\n' })).toEqual(['lib.js']);
  });

  test('nothing is where it was taken back, and was made anew', () => {
    expect(left({ 'lib.js': LIB }, made, revert, { 'other.js': 'one\n' }, made)).toEqual([]);
  });
});

test('a removal is left where the file was there again with nothing of it', () => {
  const gone = () => {
    repo.git('rm', '-q', 'lib.js');
    repo.git('commit', '-q', '-m', 'gone');
  };
  expect(left({ 'lib.js': LIB }, gone, { 'lib.js': 'other\n' }, gone)).toEqual(['lib.js']);
});

test('only those new files are blamed that have a line of a file that is gone', () => {
  const bad = { 'lib.js': `${HEAD}export const bad = 1;\nexport const worse = 2;\n` };
  const good = Object.fromEntries([1, 2, 3].map((n) => [`${n}.js`, `${HEAD}export const n = ${n};\n`]));
  const { asked, end } = askedOfGit();
  try {
    expect(left({}, bad, revert, good)).toEqual([]);
    expect(asked('blame')).toHaveLength(0);
    repo.remove();
    repo = scratch();
    const moved = { 'kept.js': `${HEAD}  export const  bad = 1 ;\nexport const good = 2;\n` };
    expect(left({}, bad, move, { ...moved, ...good })).toEqual(['kept.js']);
    expect(asked('blame').map((words) => words.at(-1))).toEqual(['kept.js']);
  } finally {
    end();
  }
});

test('of a file that was written anew, the main branch is not asked for each line that is gone', () => {
  const long = Array.from({ length: 400 }, (_, n) => `export const bad${n} = ${n};\n`).join('');
  const { asked, end } = askedOfGit();
  try {
    const anew = { 'lib.js': `export const bad0 = 0;\nexport const good = 1;\n` };
    expect(left({}, { 'lib.js': long }, revert, anew)).toEqual([]);
    expect(asked('grep').map((words) => words.at(-1))).toEqual(['1', '10']);
  } finally {
    end();
  }
});
