const WORDS = ['PASSED', 'FAILED', 'ERROR', 'SKIPPED', 'XFAIL', 'XPASS'] as const;

/** What a line says of a test; `id` is pytest's node id, or the place of a skipped one. */
export interface Line {
  readonly word: (typeof WORDS)[number];
  readonly id: string;
}

/** No program tells the outcome of a test in a longer line. */
const LONGEST = 10_000;
const words = WORDS.join('|');
const PROGRESS = String.raw`\[ *\d+(?:%| */ *\d+)\]`;
const PLAIN = new RegExp(` (${words})(?: +${PROGRESS})?$`);
const WITH_REASON = / (SKIPPED|XFAIL|XPASS) \(/;
const OF_WORKER = new RegExp(String.raw`^\[gw\d+\] (?:${PROGRESS} )?(${words}) (\S.*)$`);
const IN_SUMMARY = new RegExp(`^(${words}) (\\S.*)$`);
const BAR = /^={3,} .* ={3,}$/;
const SUMMARY = /^={3,} short test summary info ={3,}$/;

/** The outcomes that a session tells as it goes or, where it does not, in its short summary. */
export function linesOf(session: readonly string[]): { lines: readonly Line[]; inSummary: boolean } {
  const end = session.findIndex(isBar);
  const running = session.slice(0, end < 0 ? undefined : end).flatMap((line) => runningLine(line) ?? []);
  if (running.length > 0) return { lines: running, inSummary: false };
  return { lines: summaryOf(session).flatMap(summaryLines), inSummary: true };
}

const isBar = (line: string) => line.startsWith('===') && BAR.test(line);

function runningLine(text: string): Line | undefined {
  if (text.length > LONGEST) return undefined;
  const line = text.trimEnd();
  const [, ofWorker = '', test = ''] = OF_WORKER.exec(line) ?? [];
  if (test !== '') return lineOf(ofWorker, test);
  const found = PLAIN.exec(line) ?? WITH_REASON.exec(line);
  return found === null ? undefined : lineOf(found[1] ?? '', line.slice(0, found.index));
}

/** With more than -v, the file that a test was taken from follows its id. */
const TAKEN_FROM = / <- \S+$/;

function lineOf(word: string, test: string): Line | undefined {
  const id = test.replace(TAKEN_FROM, '');
  return isWord(word) && id.includes('::') ? { word, id } : undefined;
}

const isWord = (word: string): word is Line['word'] => WORDS.some((known) => known === word);

/** The lines between the title of the last short summary and the next bar. */
function summaryOf(lines: readonly string[]): readonly string[] {
  const start = lines.findLastIndex((line) => isBar(line) && SUMMARY.test(line));
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex(isBar);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

/** Skipped tests of one place and reason share a line that counts them. */
const FOLDED = /^SKIPPED \[(\d{1,6})\] (\S.*?)(?::\d+)?: /;

function summaryLines(text: string): readonly Line[] {
  if (text.length > LONGEST) return [];
  const [, times, place = ''] = FOLDED.exec(text) ?? [];
  if (times !== undefined) return Array<Line>(Number(times)).fill({ word: 'SKIPPED', id: place });
  const [, word = '', rest = ''] = IN_SUMMARY.exec(text.trimEnd()) ?? [];
  const line = lineOf(word, word === 'PASSED' ? rest : (split(rest)[0] ?? ''));
  return line === undefined ? [] : [line];
}

/** Why tests failed, by id, as the short summary tells. */
export function messagesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    summaryOf(lines).flatMap((text) => {
      const [, word = '', rest = ''] = text.length > LONGEST ? [] : (IN_SUMMARY.exec(text) ?? []);
      const [id = '', message = ''] = split(rest);
      return word === 'FAILED' || word === 'ERROR' ? [[id, message] as const] : [];
    }),
  );
}

/** An id and the reason behind it. Parameters stand in brackets and may hold the same dash. */
function split(text: string): readonly [string, string] {
  const [dash, bracket] = [text.indexOf(' - '), text.indexOf('[', text.indexOf('::'))];
  const plain = bracket < 0 || (dash >= 0 && dash < bracket);
  const at = plain ? dash : text.indexOf('] - ', bracket) + 1;
  return at <= 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 3)];
}
