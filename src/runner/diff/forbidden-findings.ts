import { matchesGlob } from '../glob.ts';
import { isTestFile } from '../test-files.ts';
import type { ChangedText } from './changed-text.ts';
import { isDocument } from './documents.ts';
import { findPatterns, type Match, type PatternJob } from './find-patterns.ts';
import type { Finding } from './finding.ts';
import { type Forbidden, settings } from './forbidden.ts';
import { languageOf } from './language.ts';
import { type LineDiff, linesOf } from './line-diff.ts';
import { isProgram, listingOf } from './listing.ts';
import { mentionedIn } from './mentions.ts';
import { readSource } from './source.ts';

/** One rule on one side of one file. */
interface Search extends PatternJob {
  readonly rule: Forbidden;
  readonly file: ChangedText;
  readonly when: 'before' | 'after';
  /** Blank where a match may not start. */
  readonly starts: string;
}

/** The forbidden texts that the work adds; `unfinished` when a pattern took too long. */
export async function forbiddenFindings(
  texts: readonly ChangedText[],
  rules: readonly Forbidden[],
  testPatterns: readonly string[],
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[] | 'unfinished' | 'aborted'> {
  const isAside = (path: string) => isTestFile(path, testPatterns) || isDocument(path);
  const loaded = loadedByProduct(texts, isAside);
  const searches = texts
    .filter(({ path }) => loaded.has(path) || !isAside(path))
    .flatMap((file) => searchesIn(file, rules, loaded.has(file.path)));
  const found = await findPatterns(
    searches.map(({ source, flags, text }) => ({ source, flags, text })),
    limitMs,
    signal,
  );
  if (found === 'unfinished' || found === 'aborted') return found;
  const all = searches.flatMap((search, index) => spotsOf(search, found[index] ?? []));
  return oncePerLine(surplus(all)).map(({ search, line, said }) => ({
    reason: 'forbidden-pattern',
    path: search.file.path,
    message: `${JSON.stringify(search.file.path)} line ${line + 1}: ${search.rule.because}: ${said.slice(0, 80)}`,
    signable: true,
  }));
}

/** What the changed programs of the product name of the other changed files: no name or folder sets it apart then. */
function loadedByProduct(
  texts: readonly ChangedText[],
  isAside: (path: string) => boolean,
): ReadonlySet<string> {
  const there = new Map(texts.filter(({ after }) => after !== '').map((text) => [text.path, text.after]));
  const listing = listingOf([...there.keys()]);
  const found = new Set<string>();
  const isProduct = (path: string) => isProgram(path) && !isAside(path) && !isSettings(path);
  const queue = [...there.keys()].filter(isProduct);
  for (let path = queue.pop(); path !== undefined; path = queue.pop())
    for (const named of mentionedIn(path, there.get(path) ?? '', listing)) {
      if (found.has(named)) continue;
      found.add(named);
      if (!isProduct(named)) queue.push(named);
    }
  return found;
}

const isSettings = (path: string) => settings.some((pattern) => matchesGlob(path, pattern));

function searchesIn(file: ChangedText, rules: readonly Forbidden[], isLoaded: boolean): readonly Search[] {
  const wanted = rules.filter((rule) => appliesTo(rule, file.path, isLoaded));
  if (wanted.length === 0) return [];
  const language = languageOf(file.path);
  return (['before', 'after'] as const).flatMap((when) => {
    const text = file[when];
    if (text === '') return [];
    const source = readSource(text, language);
    const { code, bare, comments } = source;
    const readings = { whole: text, code, 'code-with-comments': text, comments };
    const starts = { whole: text, code: bare, 'code-with-comments': bare, comments };
    return wanted.map((rule) => ({
      rule,
      file,
      when,
      source: rule.pattern,
      flags: `g${rule.flags}`,
      text: readings[rule.where],
      starts: starts[rule.where],
    }));
  });
}

const appliesTo = (rule: Forbidden, path: string, isLoaded: boolean) =>
  (rule.in.length === 0 || rule.in.some((pattern) => matchesGlob(path, pattern))) &&
  !rule.notIn.some((pattern) => !(isLoaded && settings.includes(pattern)) && matchesGlob(path, pattern));

/** A match in lines that the change took away or brought. */
interface Spot {
  readonly search: Search;
  readonly line: number;
  /** Without the spaces at the start of lines: a text that only moves in stays the same. */
  readonly said: string;
}

function spotsOf(search: Search, matches: readonly Match[]): readonly Spot[] {
  if (matches.length === 0) return [];
  const { file, when, rule, starts } = search;
  const lines = linesOf(file[when]);
  const changed = changedIn(file.diff(), when);
  const excuse = rule.unless === '' ? undefined : new RegExp(rule.unless, 'im');
  return matches.flatMap(([from, to]): readonly Spot[] => {
    const begin = from + (/^\s*/.exec(starts.slice(from, to))?.[0].length ?? 0);
    if (begin === to || search.text.slice(from, begin).trim() !== '') return [];
    const line = lineAt(starts, begin);
    const last = lineAt(starts, Math.max(begin, to - 1));
    const own = lines.slice(line, last + 1);
    if (!own.some((_, n) => changed.has(line + n))) return [];
    const around = [...lines.slice(0, 1), ...lines.slice(Math.max(0, line - 3), last + 1)].join('\n');
    if (excuse?.test(around)) return [];
    return [{ search, line, said: own.map((text) => text.trim()).join(' ') }];
  });
}

const changedIn = (diff: LineDiff, when: 'before' | 'after') =>
  when === 'before' ? diff.removed : diff.added;

function lineAt(text: string, at: number): number {
  let line = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
}

/** What came less what went under the same rule with the same words: a line that moved to another place is not new. */
function surplus(spots: readonly Spot[]): readonly Spot[] {
  const key = ({ search, said }: Spot) => `${search.rule.pattern}\n${said}`;
  const gone = new Map<string, number>();
  for (const spot of spots)
    if (spot.search.when === 'before') gone.set(key(spot), (gone.get(key(spot)) ?? 0) + 1);
  return spots.filter((spot) => {
    if (spot.search.when === 'before') return false;
    const count = gone.get(key(spot)) ?? 0;
    gone.set(key(spot), count - 1);
    return count <= 0;
  });
}

const oncePerLine = (spots: readonly Spot[]): readonly Spot[] => [
  ...new Map(
    spots.map((spot) => [`${spot.search.file.path}\n${spot.line}\n${spot.search.rule.because}`, spot]),
  ).values(),
];
