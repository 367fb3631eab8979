import { lstatSync, mkdtempSync, readFileSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changedModes } from './diff.ts';
import { failureOf } from './failure-of.ts';
import { runGit } from './git.ts';

/**
 * Makes what a commit brought to index and files, or began to bring, as it is in `head` again. What somebody else wrote there is
 * neither as in the commit nor the beginning of it, and stays. It can be done again at any point. Throws GIT_FAILED.
 */
export function filesBack(path: string, commit: string, head: string): void {
  runGit(path, ['read-tree', '-i', '-m', commit, head]);
  const names = changedModes(path, head, commit).flatMap(({ path: name, modes }) =>
    modes.includes(SUBMODULE) ? [] : [name],
  );
  const asked = new Set(names);
  const made = unknownTo(path, names).filter((name) => asked.has(name));
  const edited = namesOf(runGit(path, ['diff-files', '--name-only', '-z'])).filter((name) => asked.has(name));
  const brought = new Set(broughtOf(path, commit, [...made, ...edited]));
  // A folder may stand where a file was: it goes first.
  for (const name of made.filter((one) => brought.has(one))) unlinked(path, name);
  const lost = edited.filter((name) => brought.has(name) || inPlaceOf(path, name) === '');
  if (lost.length > 0)
    runGit(path, ['checkout-index', '-f', '-u', '-q', '-z', '--stdin'], { input: `${lost.join('\0')}\0` });
}

export const SUBMODULE = '160000';
/** How many paths git is asked for at once. */
const MOST = 200;

/** What is where these files belong, in whole or on the way to it, and git tracks nothing by its name, ignored or not. */
export function unknownTo(path: string, names: readonly string[]): readonly string[] {
  const found = [...new Set(names.map((name) => inPlaceOf(path, name)))].filter((name) => name !== '');
  const unknown: string[] = [];
  for (let at = 0; at < found.length; at += MOST) {
    const asked = ['ls-files', '--others', '-z', '--', ...found.slice(at, at + MOST)];
    unknown.push(...namesOf(runGit(path, asked)));
  }
  return unknown;
}

const namesOf = (said: Buffer): readonly string[] =>
  said
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');

/** What takes the place of a file: something of its name, or what is no folder on the way to it; '' for nothing. */
function inPlaceOf(path: string, name: string): string {
  const parts = name.split('/');
  for (let n = 1; n <= parts.length; n++) {
    const part = parts.slice(0, n).join('/');
    const found = lstatSync(join(path, part), { throwIfNoEntry: false });
    if (found === undefined) return '';
    if (n === parts.length || !found.isDirectory()) return part;
  }
  return '';
}

/** Which of these files are as a commit has them, with kind and mode, or the beginning of it, where writing them was cut off. */
function broughtOf(path: string, commit: string, names: readonly string[]): readonly string[] {
  const wanted = new Set(names.filter((name) => inPlaceOf(path, name) === name));
  const entries = namesOf(runGit(path, ['ls-tree', '-r', '-z', '--full-tree', commit])).filter((entry) =>
    wanted.has(entry.slice(entry.indexOf('\t') + 1)),
  );
  if (entries.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  // An index beside the own one: git compares by its own rules, filters and all.
  const env = { GIT_INDEX_FILE: join(folder, 'index') };
  try {
    runGit(path, ['update-index', '-z', '--index-info'], { input: `${entries.join('\0')}\0`, env });
    runGit(path, ['update-index', '-q', '--refresh'], { accepts: 1, env });
    const others = new Set(namesOf(runGit(path, ['diff-files', '--name-only', '-z'], { env })));
    return entries
      .map((entry) => entry.slice(entry.indexOf('\t') + 1))
      .filter((name) => !others.has(name) || isBeginning(path, commit, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isBeginning(path: string, commit: string, name: string): boolean {
  if (!lstatSync(join(path, name)).isFile()) return false;
  const begun = readFileSync(join(path, name));
  let whole: Buffer = Buffer.alloc(0);
  const failed = failureOf(() => {
    whole = runGit(path, ['cat-file', '--filters', `${commit}:${name}`]);
  });
  return begun.length === 0 || (failed === undefined && whole.subarray(0, begun.length).equals(begun));
}

/** With the folders that hold nothing without it. */
function unlinked(path: string, name: string): void {
  unlinkSync(join(path, name));
  for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(path, folder));
    } catch {
      return;
    }
  }
}
