/** How many tests were to run, and in which line that is told. */
export interface Collected {
  readonly line: number;
  readonly count: number;
  /** Files that skipped themselves; undefined where that is not told, as by xdist. */
  readonly skipped: number | undefined;
}

/** Undefined where the number of tests is not told, or told twice. */
export function collectedIn(lines: readonly string[]): Collected | undefined {
  const found = lines.flatMap((text, line) => collectedOf(text, line) ?? []);
  return found.length === 1 ? found[0] : undefined;
}

function collectedOf(text: string, line: number): Collected | undefined {
  const [, all, rest = ''] =
    /^(?:collecting \.\.\. )?collected (\d+) items?((?: \/ \d+ \w+)*)\s*$/.exec(text) ?? [];
  if (all !== undefined) {
    const told = (word: string) => Number(new RegExp(`/ (\\d+) ${word}`).exec(rest)?.[1] ?? 0);
    return { line, count: Number(all) - told('deselected'), skipped: told('skipped') };
  }
  const spread =
    /^\d+ workers? \[(\d+) items?\]\s*$/.exec(text) ??
    /^gw\d+ \[(\d+)\](?: \/ gw\d+ \[\d+\])*\s*$/.exec(text);
  return spread === null ? undefined : { line, count: Number(spread[1]), skipped: undefined };
}

const words = {
  passed: 'passed',
  failed: 'failed',
  error: 'errors',
  errors: 'errors',
  skipped: 'skipped',
  xfailed: 'xfailed',
  xpassed: 'xpassed',
  deselected: '',
  warning: '',
  warnings: '',
} as const;
type Sum = Exclude<(typeof words)[keyof typeof words], ''>;

/** What the last line sums up. */
export type Sums = Readonly<Record<Sum, number>>;

const ENDS = / in \d+(?:\.\d+)?s(?: \((?:\d+ days?, )?\d+:\d\d:\d\d\))?$/;

/**
 * The sums of the last line, whose end has to be there. Undefined when it is none, when another line looks like one, when
 * it counts what is not known, or when the session says that it was stopped.
 */
export function sumsIn(lines: readonly string[]): Sums | undefined {
  let last = lines.length - 1;
  while (last > 0 && lines[last] === '') last -= 1;
  const found = lines.flatMap((line, at) => (contentOf(line) === undefined ? [] : at));
  const stopped = lines.some((line) => line.startsWith('!!') && /^!{2,} .* !{2,}$/.test(line));
  // Without the end of its line it may have lost a part.
  if (stopped || found.length !== 1 || found[0] !== last || last === lines.length - 1) return undefined;
  return sumsOf(contentOf(lines[last] ?? '') ?? '');
}

/** The text between the bars, which are of one length or longer by one on the right. */
function contentOf(line: string): string | undefined {
  const [, left = '', text = '', right = ''] = /^(=+) ([^=]+) (=+)$/.exec(line) ?? [];
  const even = right.length - left.length;
  if (left === '' || even < 0 || even > 1) return undefined;
  const end = ENDS.exec(text);
  return end === null ? undefined : text.slice(0, end.index);
}

function sumsOf(content: string): Sums | undefined {
  const sums: Record<Sum, number> = { passed: 0, failed: 0, errors: 0, skipped: 0, xfailed: 0, xpassed: 0 };
  if (content === 'no tests ran') return sums;
  const seen = new Set<string>();
  for (const part of content.split(', ')) {
    const [, number, word = ''] = /^(\d+) (\w+)$/.exec(part) ?? [];
    if (!isWord(word) || seen.has(word)) return undefined;
    seen.add(word);
    const sum = words[word];
    if (sum !== '') sums[sum] = Number(number);
  }
  return sums;
}

const isWord = (word: string): word is keyof typeof words => Object.hasOwn(words, word);
