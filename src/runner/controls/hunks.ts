import type { Change, ChangedFile } from '../change.ts';
import { lineDiff, linesOf } from '../diff/line-diff.ts';
import type { Mutant } from './mutants.ts';

interface Hunk {
  readonly old: readonly [start: number, end: number];
  readonly now: readonly [start: number, end: number];
}

/** The work with one of its hunks taken back, for at most `max` of them. Hunks of blank lines alone are left out. */
export async function revertedHunks(
  change: Change,
  files: readonly ChangedFile[],
  max: number,
): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  for (const { path } of files) {
    const [before, after] = [await change.before(path), await change.after(path)];
    if (before === undefined || after === undefined) continue;
    const [old, now] = [linesOf(before.toString('utf8')), linesOf(after.toString('utf8'))];
    for (const hunk of hunksOf(old, now)) {
      const [taken, given] = [old.slice(...hunk.old), now.slice(...hunk.now)];
      if ([...taken, ...given].every((line) => line.trim() === '')) continue;
      const content = [...now.slice(0, hunk.now[0]), ...taken, ...now.slice(hunk.now[1]), ''].join('\n');
      const what = `taken back: ${(given[0] ?? taken[0] ?? '').trim()}`;
      found.push({ path, line: hunk.now[0] + 1, what, content });
    }
  }
  return found.slice(0, max);
}

/** Runs of lines that differ, in order. */
function hunksOf(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  const { added, removed } = lineDiff(old, now);
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [oldStart, nowStart] = [i, j];
    while (removed.has(i) || added.has(j)) {
      if (removed.has(i)) i++;
      else j++;
    }
    if (i > oldStart || j > nowStart) hunks.push({ old: [oldStart, i], now: [nowStart, j] });
    i++;
    j++;
  }
  return hunks;
}
