import { type CoverageReport, countOf, type FileCoverage, reportOf } from './coverage-report.ts';

const block = /^(.+):(\d+)\.\d+,(\d+)\.\d+ (\d+) (\d+)$/;
/** No block of a program spans more lines. */
const longest = 100_000;

/** A cover profile of Go: every line of a block ran when the block did. */
export function parseGoCover(text: string): CoverageReport | undefined {
  const [mode = '', ...entries] = text.split(/\r?\n/).filter((line) => line !== '');
  if (!/^mode: (set|count|atomic)$/.test(mode)) return undefined;
  const files = entries.map((entry): FileCoverage | undefined => {
    const [, path = '', from, to, , hits] = block.exec(entry) ?? [];
    const [first, last, count] = [countOf(from), countOf(to), countOf(hits)];
    if (first === undefined || last === undefined || count === undefined) return undefined;
    if (last < first || last - first > longest) return undefined;
    const lines = Array.from({ length: last - first + 1 }, (_, n) => [first + n, count > 0] as const);
    return { path, lines: new Map(lines) };
  });
  return files.every((file) => file !== undefined) ? reportOf(files) : undefined;
}
