/** The lines of one file that can run, counted from 1, and whether they did. */
export interface FileCoverage {
  /** As the report has it. */
  readonly path: string;
  readonly lines: ReadonlyMap<number, boolean>;
}

/** What a coverage report says. */
export interface CoverageReport {
  /** undefined for a format that has totals only. */
  readonly files: readonly FileCoverage[] | undefined;
  readonly covered: number;
  readonly total: number;
  /** Folders that the paths may be relative to. */
  readonly roots: readonly string[];
}

/** Adds up the lines of files; a file that stands twice ran where either of its entries says so. */
export function reportOf(entries: readonly FileCoverage[], roots: readonly string[] = []): CoverageReport {
  const byPath = new Map<string, Map<number, boolean>>();
  for (const { path, lines } of entries) {
    const known = byPath.get(path) ?? new Map<number, boolean>();
    for (const [line, ran] of lines) known.set(line, ran || known.get(line) === true);
    byPath.set(path, known);
  }
  const files = [...byPath].map(([path, lines]) => ({ path, lines }));
  const all = files.flatMap(({ lines }) => [...lines.values()]);
  return { files, covered: all.filter((ran) => ran).length, total: all.length, roots };
}

/** A whole number that is not negative, as reports write them; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
