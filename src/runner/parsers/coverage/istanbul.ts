import { asMapping, asText, type Json, parseMapping } from '../json.ts';
import { type CoverageReport, countOf, type FileCoverage, reportOf } from './coverage-report.ts';

/** The reporter `json` of istanbul, nyc, c8, jest and vitest: a statement counts for the line where it starts. */
export function parseIstanbul(text: string): CoverageReport | undefined {
  const files = Object.entries(parseMapping(text) ?? { '': undefined }).map(([, value]) =>
    fileOf(asMapping(value)),
  );
  return files.every((file) => file !== undefined) ? reportOf(files) : undefined;
}

function fileOf(file: Json | undefined): FileCoverage | undefined {
  const [path, places, hits] = [asText(file?.path), asMapping(file?.statementMap), asMapping(file?.s)];
  if (path === undefined || places === undefined || hits === undefined) return undefined;
  const lines = new Map<number, boolean>();
  if (Object.keys(places).length !== Object.keys(hits).length) return undefined;
  for (const [id, place] of Object.entries(places)) {
    const line = countOf(asMapping(asMapping(place)?.start)?.line);
    const count = Object.hasOwn(hits, id) ? countOf(hits[id]) : undefined;
    if (line === undefined || count === undefined) return undefined;
    lines.set(line, count > 0 || lines.get(line) === true);
  }
  return { path, lines };
}

/** The reporter `json-summary`: totals alone. Undefined when they are not the sums of the files. */
export function parseIstanbulSummary(text: string): CoverageReport | undefined {
  const { total, ...files } = parseMapping(text) ?? {};
  const whole = linesOf(total);
  const parts = Object.values(files).map(linesOf);
  if (whole === undefined || parts.some((part) => part === undefined)) return undefined;
  const sum = (key: 'total' | 'covered') => parts.reduce((all, part) => all + (part?.[key] ?? 0), 0);
  const agrees = parts.length === 0 || (sum('total') === whole.total && sum('covered') === whole.covered);
  return agrees ? { files: undefined, ...whole, roots: [] } : undefined;
}

function linesOf(value: unknown): { readonly total: number; readonly covered: number } | undefined {
  const lines = asMapping(asMapping(value)?.lines);
  const [total, covered] = [countOf(lines?.total), countOf(lines?.covered)];
  return total === undefined || covered === undefined || covered > total ? undefined : { total, covered };
}
