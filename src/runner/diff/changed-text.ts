import type { Change, ChangedFile } from '../change.ts';
import { type LineDiff, lineDiff, linesOf } from './line-diff.ts';

/** A changed file with the text of both sides, '' where a side has none. */
export interface ChangedText extends ChangedFile {
  readonly before: string;
  readonly after: string;
  /** Worked out when it is asked for. */
  diff(): LineDiff;
}

/** Reads both sides of every changed file. Bytes that are no UTF-8 become replacement characters. */
export async function changedTexts(change: Change): Promise<readonly ChangedText[]> {
  const texts: ChangedText[] = [];
  for (const file of change.files) {
    const before = (await change.before(file.path))?.toString('utf8') ?? '';
    const after = (await change.after(file.path))?.toString('utf8') ?? '';
    texts.push(textOf(file, before, after));
  }
  return texts;
}

/** One pair of texts; a file that moved is given the old text of its old path. */
export function textOf(file: ChangedFile, before: string, after: string): ChangedText {
  let known: LineDiff | undefined;
  const diff = () => {
    known ??= lineDiff(linesOf(before), linesOf(after));
    return known;
  };
  return { path: file.path, status: file.status, before, after, diff };
}
