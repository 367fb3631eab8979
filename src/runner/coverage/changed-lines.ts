import type { Change } from '../change.ts';
import { type ChangedText, changedTexts } from '../diff/changed-text.ts';
import { isDocument } from '../diff/documents.ts';
import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';
import { matchesGlob } from '../glob.ts';
import type { CoverageReport, FileCoverage } from '../parsers/coverage/coverage-report.ts';
import { isTestFile } from '../test-files.ts';
import { placesOf } from './places.ts';

/** The changed lines that can run, how many did, and some that did not, such as `src/a.ts:7`. */
export interface ChangedLines {
  readonly covered: number;
  readonly total: number;
  readonly missed: readonly string[];
}

/** Where the change is looked at: `in` are patterns of paths, none means where the report's files lie. */
export interface CoverageScope {
  readonly checkout: string;
  readonly in: readonly string[];
  readonly tests: readonly string[];
}

/**
 * Holds the lines that a change brings against a report. A source file that the report does not know was never loaded:
 * all its new lines of code count as lines that did not run.
 */
export async function changedLines(
  change: Change,
  report: CoverageReport,
  files: readonly FileCoverage[],
  scope: CoverageScope,
): Promise<ChangedLines> {
  const texts = (await changedTexts(change)).filter(
    ({ path, status }) => status !== 'deleted' && isSource(path, scope),
  );
  const known = placesOf(
    files,
    report.roots,
    scope.checkout,
    texts.map(({ path }) => path),
  );
  const seen = new Set([...known.keys()].map((path) => kindOf(path)));
  let covered = 0;
  const missed: string[] = [];
  for (const text of texts) {
    const lines =
      known.get(text.path) ??
      (scope.in.length > 0 || seen.has(kindOf(text.path)) ? unloaded(text) : new Map());
    for (const line of [...text.diff().added].map((n) => n + 1).sort((a, b) => a - b)) {
      const ran = lines.get(line);
      if (ran === true) covered += 1;
      if (ran === false) missed.push(`${text.path}:${line}`);
    }
  }
  return { covered, total: covered + missed.length, missed };
}

const isSource = (path: string, { in: patterns, tests }: CoverageScope) =>
  languageOf(path) !== 'plain' &&
  languageOf(path) !== 'shell' &&
  !/\.d\.[cm]?ts$/.test(path) &&
  !isTestFile(path, tests) &&
  !isDocument(path) &&
  (patterns.length === 0 || patterns.some((pattern) => matchesGlob(path, pattern)));

/** The language of a file and the folder at the top that it lies in. */
const kindOf = (path: string) =>
  `${languageOf(path)} ${path.includes('/') ? path.slice(0, path.indexOf('/')) : ''}`;

const runs = /=>|[=(]|\b(?:function|class|return|if|for|while|def|func|fn)\b/;

/** Lines that look as if they could run; a file of types alone has none. */
function unloaded({ path, after }: ChangedText): ReadonlyMap<number, boolean> {
  const { bare } = readSource(after, languageOf(path));
  const types = bare.replaceAll(
    /^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?(?:import|interface|type)\b[^;{]*(?:\{[^{}]*\}[^;\n]*)?/gm,
    (text) => text.replaceAll(/[^\n]/g, ' '),
  );
  const lines = types.split('\n').flatMap((line, n) => (runs.test(line) ? [[n + 1, false] as const] : []));
  return new Map(lines);
}
