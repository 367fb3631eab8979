import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from '../engine-error.ts';
import { assertInside } from '../inside-tree.ts';
import type { Change } from './change.ts';
import type { HarnessFile } from './harness-file.ts';
import { type Originals, originalOf } from './originals.ts';

/**
 * What an installation, or its removal, would change; nothing is written. A file that is as the installation left it becomes
 * again what it was before, to the byte; of any other our part is taken out. Throws BAD_INPUT.
 */
export function planned(
  top: string,
  files: readonly HarnessFile[],
  part: 'withOurs' | 'without',
  originals: Originals = {},
): readonly Change[] {
  return files.flatMap((file) => {
    assertInside(top, file.path);
    const before = textAt(top, file.path);
    const original = part === 'without' ? originalOf(originals, file.path, before) : undefined;
    const after = original === undefined ? file[part](before) : (original.before ?? undefined);
    if (before === after) return [];
    const isFirst = part === 'withOurs' && file.without(before) === before;
    return [{ path: file.path, before, after, isFirst }];
  });
}

/** Carries the changes out, files that are left empty and the folders that only held them included. */
export function carryOut(top: string, changes: readonly Change[]): void {
  for (const { path, after } of changes) {
    assertInside(top, path);
    const full = join(top, path);
    if (after === undefined) {
      rmSync(full, { force: true });
      removeEmpty(top, dirname(path));
      continue;
    }
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, after);
  }
}

function removeEmpty(top: string, folder: string): void {
  if (folder === '.') return;
  try {
    rmdirSync(join(top, folder));
  } catch {
    // Somebody else's files are in it.
    return;
  }
  removeEmpty(top, dirname(folder));
}

function textAt(top: string, path: string): string | undefined {
  const full = join(top, path);
  if (!existsSync(full)) return undefined;
  const bytes = readFileSync(full);
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  throw new EngineError('BAD_INPUT', `${path} is no UTF-8 text`, `mend ${path}; nothing was written`);
}

const CONTEXT = 3;

/** A change as a unified diff of one hunk: what is the same at both ends is left out but for three lines. */
export function diffText({ path, before, after }: Pick<Change, 'path' | 'before' | 'after'>): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const same = (a: number, b: number) => old[a] === now[b];
  let head = 0;
  while (head < old.length && head < now.length && same(head, head)) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    same(old.length - 1 - tail, now.length - 1 - tail)
  )
    tail += 1;
  const from = Math.max(0, head - CONTEXT);
  const kept = Math.min(CONTEXT, tail);
  const span = (lines: readonly string[]) => `${from + 1},${lines.length - tail + kept - from}`;
  return [
    before === undefined ? '--- /dev/null' : `--- a/${path}`,
    after === undefined ? '+++ /dev/null' : `+++ b/${path}`,
    `@@ -${span(old)} +${span(now)} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + kept).map((line) => ` ${line}`),
  ].join('\n');
}

const linesOf = (text: string | undefined) => (text === undefined ? [] : text.replace(/\n$/, '').split('\n'));
