import type { Mutant } from './mutants.ts';

/** A stretch of a text and what is to stand there instead. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length;

/** The same for many places of one text: 1-based. */
export function lineNumbers(text: string): (at: number) => number {
  const numbers = new Uint32Array(text.length + 1);
  for (let at = 0, line = 1; at <= text.length; at++) {
    numbers[at] = line;
    if (text.charAt(at) === '\n') line++;
  }
  return (at) => numbers[at] ?? 1;
}

/** A text with its edits as one mutant. Of edits that overlap, the first and longest stays. */
export function mutantOf(path: string, text: string, edits: readonly Edit[]): Mutant {
  const comment = /\.(py|rb)$/i.test(path) ? behindLine : inPlace;
  const chosen: Edit[] = [];
  for (const edit of [...edits].sort((a, b) => a.from - b.from || b.to - a.to))
    if (edit.from >= (chosen.at(-1)?.to ?? 0)) chosen.push(edit);
  let content = text;
  for (const edit of chosen.toReversed()) content = comment(content, edit, lineOf(text, edit.from));
  const brief = `${briefly(text, chosen[0])}${chosen.length > 1 ? `, and ${chosen.length - 1} more` : ''}`;
  return { path, line: lineAt(text, chosen[0]?.from ?? 0), what: brief, brief, content };
}

// What stood there stays as a comment: a test that goes by the words of the source must not notice.
const inPlace = (text: string, { from, to, word }: Edit, was: string) =>
  `${text.slice(0, from)}${word} /* ${was.replaceAll('*/', '* /').replaceAll('/*', '/ *')} */${text.slice(to)}`;

const behindLine = (text: string, { from, to, word }: Edit, was: string) =>
  `${text.slice(0, from)}${word}${text.slice(to).replace(/(?=\n|$)/, `  # ${was.replaceAll('$', '$$$$')}`)}`;

const lineOf = (text: string, at: number) => text.split('\n')[lineAt(text, at) - 1]?.trim() ?? '';

function briefly(text: string, edit: Edit | undefined): string {
  if (edit === undefined) return '';
  const { from, to, word } = edit;
  const was = text.slice(from, to).replace(/\s+/g, ' ');
  if (was !== '') return `${was} -> ${word}`;
  const before = text.charAt(from - 1);
  return `${before} -> ${before}${word}`;
}
