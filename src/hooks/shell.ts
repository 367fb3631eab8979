import { basename } from 'node:path';
import { programOf } from './shell-program.ts';
import { type Token, tokensOf } from './shell-tokens.ts';
import type { Simple } from './simple.ts';

/** How deep a line may hold another one: `bash -c "bash -c …"`. */
const DEPTH = 3;

/**
 * The simple commands of a shell line, and of the lines that it gives to another shell, as far as they can be told from its
 * text. It is a look, no shell: expansions stay as they are written, and whoever wants to hide a path from it can.
 */
export function simpleCommands(line: string, depth = 0): readonly Simple[] {
  const commands = split(tokensOf(line));
  if (depth >= DEPTH) return commands;
  return commands.flatMap((simple) => [
    simple,
    ...linesIn(simple).flatMap((inner) => simpleCommands(inner, depth + 1)),
  ]);
}

function split(tokens: readonly Token[]): readonly Simple[] {
  const commands: { words: string[]; writes: string[]; fed: string[] }[] = [];
  let current = { words: [] as string[], writes: [] as string[], fed: [] as string[] };
  let redirected = false;
  for (const { operator, text } of tokens) {
    if (operator === 'fed') current.fed.push(text);
    else if (operator === '') {
      if (!redirected) current.words.push(text);
      // `2>&1` names no file, `>& FILE` does.
      else if (!/^(?:\d+-?|-)$/.test(text)) current.writes.push(text);
      redirected = false;
    } else if (operator === 'write') redirected = true;
    else if (operator === 'end') {
      commands.push(current);
      current = { words: [], writes: [], fed: [] };
    }
  }
  commands.push(current);
  return commands.filter(({ words, writes }) => words.length + writes.length > 0);
}

const SHELLS = /^(ba|da|z|k|a)?sh$/;

/** Lines that a command gives to a shell. */
function linesIn({ words, fed }: Simple): readonly string[] {
  const [program = '', ...rest] = programOf(words);
  if (program === 'eval') return [rest.join(' ')];
  if (!SHELLS.test(basename(program))) return [];
  const at = rest.findIndex((word) => /^-\w*c$/.test(word));
  return at === -1 ? fed : [rest[at + 1] ?? ''];
}

/** Programs whose words or input are code, in which a path is part of a text. */
const INTERPRETERS =
  /^(python|node|deno|bun|perl|ruby|php|lua|Rscript|sqlite|g?awk|mawk|sed|ed|ex|vim?$|nvim|osascript|(ba|da|z|k)?sh$|eval|tclsh)/;

/** False where what stands in quotes is text for people, and no path or code. */
export const takesCode = ({ words }: Simple): boolean =>
  words.some((word) => !/\s/.test(word) && INTERPRETERS.test(basename(word)));
