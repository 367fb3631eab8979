import type { Change, ChangedFile } from './change.ts';
import { lineDiff, linesOf } from './diff/line-diff.ts';

const MOST = 400;

/** What a person reads before they sign: each file with its lines that went and came. Bounded, and says so. */
export async function shownLines(change: Change, files: readonly ChangedFile[]): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const { path, status } of files) {
    const [before, after] = [await change.before(path), await change.after(path)];
    shown.push(`${status}: ${path}`);
    if ([before, after].some((bytes) => bytes?.includes(0))) {
      shown.push('  (not a text)');
      continue;
    }
    const [old, now] = [before, after].map((bytes) => linesOf(bytes?.toString('utf8') ?? ''));
    const { added, removed } = lineDiff(old ?? [], now ?? []);
    for (const line of [...removed].sort((a, b) => a - b)) shown.push(`  - ${old?.[line] ?? ''}`);
    for (const line of [...added].sort((a, b) => a - b)) shown.push(`  + ${now?.[line] ?? ''}`);
  }
  const more = shown.length - MOST;
  return more > 0 ? [...shown.slice(0, MOST), `and ${more} more lines`] : shown;
}
