import { isTestFile } from '../test-files.ts';
import { type ChangedText, textOf } from './changed-text.ts';
import { linesOf } from './line-diff.ts';

/** So much of a file has to be found again for it to count as moved. */
const share = 0.8;

/** The changed test files; one that moved is a single entry, with its old text as what it was. */
export function testPairs(
  texts: readonly ChangedText[],
  patterns: readonly string[],
): readonly ChangedText[] {
  const tests = texts.filter(({ path }) => isTestFile(path, patterns));
  const added = tests.filter(({ status }) => status === 'added');
  const movedFrom = new Map<ChangedText, ChangedText>();
  const movedTo = new Set<ChangedText>();
  for (const gone of tests.filter(({ status }) => status === 'deleted')) {
    const place = added.find((candidate) => !movedTo.has(candidate) && isKept(gone.before, candidate.after));
    if (place === undefined) continue;
    movedFrom.set(gone, place);
    movedTo.add(place);
  }
  return tests.flatMap((text) => {
    if (movedTo.has(text)) return [];
    const place = movedFrom.get(text);
    return place === undefined
      ? [text]
      : [textOf({ path: place.path, status: 'modified' }, text.before, place.after)];
  });
}

function isKept(before: string, after: string): boolean {
  const said = (text: string) =>
    linesOf(text)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const left = new Map<string, number>();
  for (const line of said(after)) left.set(line, (left.get(line) ?? 0) + 1);
  const lines = said(before);
  const kept = lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
  return lines.length > 0 && kept.length >= lines.length * share;
}
