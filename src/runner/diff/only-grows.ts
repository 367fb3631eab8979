import type { ChangedText } from './changed-text.ts';
import { linesOf } from './line-diff.ts';

const ENDS = /\b(?:_?exit\w*|reallyExit|abort|kill|skip|only|return)\b/;
const IMPORT =
  /^(\s*(?:from\s+[\w.]+\s+import\s|(?:import|export)\s*\{|(?:const|let|var)\s*\{))([\w\s,$]+)(|\}\s*(?:=|from\b).*)$/;

/**
 * Whether a text kept every line that it had, and no new line ends or skips anything. A line that takes names from a
 * module may take more of them: written as a line of its own that would have been growth as well.
 */
export function onlyGrows(text: ChangedText): boolean {
  const { added, removed } = text.diff();
  const [old, now] = [linesOf(text.before), linesOf(text.after)];
  const fresh = [...added].map((line) => now[line] ?? '');
  return (
    fresh.every((line) => !ENDS.test(line)) &&
    [...removed].every((line) => fresh.some((other) => takesMore(old[line] ?? '', other)))
  );
}

function takesMore(was: string, is: string): boolean {
  const [before, after] = [IMPORT.exec(was), IMPORT.exec(is)];
  if (before === null || after === null) return false;
  const [names, more] = [namesIn(before), namesIn(after)];
  return (
    before[1] === after[1] && before[3]?.trim() === after[3]?.trim() && names.every((n) => more.includes(n))
  );
}

const namesIn = ([, , names = '']: RegExpExecArray) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
