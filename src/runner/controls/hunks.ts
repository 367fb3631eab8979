import type { Change, ChangedFile } from '../change.ts';
import { lineDiff, linesOf } from '../diff/line-diff.ts';
import { inlineTestLines, withoutInlineTests } from '../inline-tests.ts';
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
    found.push(...takenBack(path, before.toString('utf8'), after.toString('utf8')));
  }
  return found.slice(0, max);
}

/** Tests that stand in a source stay as they are, wherever they stand: they are to notice. */
function takenBack(path: string, before: string, after: string): readonly Mutant[] {
  const lines = linesOf(after);
  const tests = inlineTestLines(path, after);
  const places = lines.flatMap((_, i) => (tests.has(i + 1) ? [] : [i]));
  const old = linesOf(withoutInlineTests(path, before));
  const now = places.map((at) => lines[at] ?? '');
  return hunksOf(old, now).flatMap((hunk) => {
    const [taken, given] = [old.slice(...hunk.old), now.slice(...hunk.now)];
    if ([...taken, ...given].every((line) => line.trim() === '')) return [];
    const at = places[hunk.now[0]] ?? (places.at(-1) ?? -1) + 1;
    const gone = new Set(places.slice(...hunk.now));
    const rest = lines.slice(at).filter((_, i) => !gone.has(at + i));
    const content = [...lines.slice(0, at), ...taken, ...rest, ''].join('\n');
    const what = `taken back: ${(given[0] ?? taken[0] ?? '').trim()}`;
    return [{ path, line: at + 1, what, content }];
  });
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
