import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertInside } from '../inside-tree.ts';
import type { HarnessFile } from './harness-file.ts';

/** What becomes of a file. undefined is no file. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What an installation, or its removal, would change; nothing is written. Throws BAD_INPUT. */
export function planned(
  top: string,
  files: readonly HarnessFile[],
  part: 'withOurs' | 'without',
): readonly Change[] {
  return files.flatMap((file) => {
    assertInside(top, file.path);
    const before = textAt(join(top, file.path));
    const after = file[part](before);
    return before === after ? [] : [{ path: file.path, before, after }];
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

const textAt = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

const CONTEXT = 3;

/** A change as a unified diff of one hunk: what is the same at both ends is left out but for three lines. */
export function diffText({ path, before, after }: Change): string {
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
