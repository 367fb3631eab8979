import { singleQuoted } from '../../kernel/single-quoted.ts';

/** One word of a shell's line. */
export interface Word {
  /** What the program gets, as long as `isGlob` is false. */
  readonly text: string;
  /** As it is written. */
  readonly raw: string;
  /** Whether the shell puts names of files in its place. */
  readonly isGlob: boolean;
}

const PLAIN = /^[\w@%+=:,./-]+/;

/**
 * The simple commands of a line that are joined by `&&`, each with its words; of a pipe only what stands before it.
 * undefined for a line that asks more of a shell: variables, redirections, other joints, commands inside.
 */
export function commandsOf(line: string): readonly (readonly Word[])[] | undefined {
  const commands: Word[][] = [[]];
  let rest = line.trim();
  let isPiped = false;
  while (rest !== '') {
    const joint = /^(&&|\|(?![|&]))\s*/.exec(rest);
    const word = joint === null ? wordAt(rest) : undefined;
    if (joint !== null) {
      isPiped = joint[1] === '|';
      if (!isPiped) commands.push([]);
    } else if (word === undefined) return undefined;
    else if (!isPiped) commands.at(-1)?.push(word);
    rest = rest.slice((joint?.[0] ?? word?.raw ?? '').length).trimStart();
  }
  return commands.every((words) => words.length > 0) ? commands : undefined;
}

const PART = /^(?:'([^']*)'|"((?:[^"\\$`]|\\["\\])*)"|\\(.)|([^\s'"\\$`;&|<>()#~]|(?<=\S)[#~]))/s;

function wordAt(rest: string): Word | undefined {
  let [text, raw, isGlob] = ['', '', false];
  for (;;) {
    const found = PART.exec(rest.slice(raw.length));
    if (found === null) break;
    const [part, single, double, escaped, bare] = found;
    raw += part;
    text += single ?? double?.replace(/\\(.)/g, '$1') ?? escaped ?? bare ?? '';
    isGlob ||= bare !== undefined && '*?['.includes(bare);
  }
  const next = rest.charAt(raw.length);
  return raw === '' || !/^(\s|&|\||$)/.test(next) ? undefined : { text, raw, isGlob };
}

/** A word that stands for itself. */
export const wordOf = (text: string): Word => ({
  text,
  raw: PLAIN.exec(text)?.[0] === text ? text : singleQuoted(text),
  isGlob: false,
});

/** The line of a shell with these words. */
export const lineOf = (words: readonly Word[]): string =>
  words.map(({ text, raw, isGlob }) => (isGlob ? raw : wordOf(text).raw)).join(' ');

/** Words for a start without a shell; the shell's own where files have to be found for them. */
export const argvOf = (words: readonly Word[]): readonly string[] =>
  words.some(({ isGlob }) => isGlob) ? ['/bin/sh', '-c', lineOf(words)] : words.map(({ text }) => text);

/** Words, or a shell's line, with more words at the end. */
export const withWords = (
  run: readonly string[] | string,
  more: readonly string[],
): readonly string[] | string =>
  typeof run === 'string' ? [run, ...more.map((text) => wordOf(text).raw)].join(' ') : [...run, ...more];
