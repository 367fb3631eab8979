import { type CoverageReport, countOf, type FileCoverage, reportOf } from './coverage-report.ts';

/** A trace file of lcov. Undefined when it breaks off, or when a record's sums are not those of its lines. */
export function parseLcov(text: string): CoverageReport | undefined {
  const records = text.split(/^end_of_record[ \t]*$/m);
  // What stands behind the last end belongs to no record.
  if ((records.pop() ?? '').trim() !== '') return undefined;
  const files = records.map(recordOf);
  return files.every((file) => file !== undefined) ? reportOf(files) : undefined;
}

function recordOf(text: string): FileCoverage | undefined {
  const entries = text.split(/\r?\n/).filter((entry) => !/^\s*(#|$)/.test(entry));
  if (!entries.every((entry) => /^[A-Z_]+:/.test(entry))) return undefined;
  const all = (key: string) =>
    entries.filter((entry) => entry.startsWith(`${key}:`)).map((entry) => entry.slice(key.length + 1).trim());
  const lines = linesOf(all('DA'));
  const [path = '', ...others] = all('SF');
  if (lines === undefined || path === '' || others.length > 0) return undefined;
  const ran = [...lines.values()].filter((hit) => hit).length;
  const agrees =
    all('LF').every((sum) => countOf(sum) === lines.size) && all('LH').every((sum) => countOf(sum) === ran);
  return agrees ? { path, lines } : undefined;
}

function linesOf(entries: readonly string[]): ReadonlyMap<number, boolean> | undefined {
  const lines = new Map<number, boolean>();
  for (const entry of entries) {
    const [line, hits] = entry.split(',').map((part) => countOf(part.trim()));
    if (line === undefined || hits === undefined) return undefined;
    lines.set(line, hits > 0 || lines.get(line) === true);
  }
  return lines;
}
