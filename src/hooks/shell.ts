import { basename } from 'node:path';

/** One simple command of a line: its words without quotes, and the files it is redirected into. */
export interface Simple {
  readonly words: readonly string[];
  readonly writes: readonly string[];
}

/**
 * The simple commands of a shell line, as far as they can be told from its text. It is a look, no shell: expansions stay
 * as they are written, and whoever wants to hide a path from it can.
 */
export function simpleCommands(line: string): readonly Simple[] {
  const commands: { words: string[]; writes: string[] }[] = [{ words: [], writes: [] }];
  let redirected = false;
  for (const token of tokensOf(line)) {
    const current = commands.at(-1);
    if (current === undefined) break;
    if (token.operator === '') {
      if (redirected) current.writes.push(token.text);
      else current.words.push(token.text);
      redirected = false;
    } else if (token.operator === 'write') redirected = true;
    else if (token.operator === 'end') commands.push({ words: [], writes: [] });
  }
  return commands.filter(({ words, writes }) => words.length + writes.length > 0);
}

interface Token {
  readonly text: string;
  readonly operator: '' | 'write' | 'read' | 'end';
}

const BLANK = /[^\S\n]+/y;
/** A file descriptor before a redirection is part of it, where it stands alone. */
const DESCRIPTOR = /\d+(?=[<>])/y;
const OPERATOR = /&>>?|>&|>>?\|?|<<?<?|\|\|?|&&?|;;?|\n|\(|\)|`|\$\(/y;
const PIECE = /\\([\s\S]?)|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([\s\S])/y;

function tokensOf(line: string): readonly Token[] {
  const tokens: Token[] = [];
  let word: string | undefined;
  let at = 0;
  const taken = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    at += found?.[0].length ?? 0;
    return found;
  };
  const flush = () => {
    if (word !== undefined) tokens.push({ text: word, operator: '' });
    word = undefined;
  };
  while (at < line.length) {
    if (word === undefined) taken(DESCRIPTOR);
    const operator = taken(OPERATOR)?.[0];
    if (operator !== undefined) {
      flush();
      tokens.push({ text: operator, operator: kindOf(operator) });
    } else if (taken(BLANK) !== null) flush();
    else word = `${word ?? ''}${unquoted(taken(PIECE))}`;
  }
  flush();
  return tokens;
}

function kindOf(operator: string): Token['operator'] {
  if (operator.includes('>')) return operator === '>&' ? 'read' : 'write';
  return operator.includes('<') ? 'read' : 'end';
}

/** A piece of a word without its quotes. */
function unquoted(piece: RegExpExecArray | null): string {
  const [, escaped, single, double, plain] = piece ?? [];
  return escaped ?? single ?? double?.replace(/\\([\s\S])/g, '$1') ?? plain ?? '';
}

/** Programs that change nothing of the files they are given. */
const READERS = new Set(
  (
    'cat ls head tail less more grep egrep fgrep rg ag wc file stat du diff cmp sha256sum sha1sum md5sum jq yq ' +
    'cd pwd echo printf test [ true false which type basename dirname realpath readlink sort uniq cut tr tree bat'
  ).split(' '),
);
const GIT_READERS = new Set(
  'add commit diff show log status ls-files ls-tree blame grep cat-file rev-parse branch push fetch tag'.split(
    ' ',
  ),
);

/** False where the command could change a file that it names. */
export function onlyReads({ words }: Simple): boolean {
  const [program = '', ...rest] = programOf(words);
  const name = basename(program);
  if (name === 'git') return GIT_READERS.has(rest.find((word) => !word.startsWith('-')) ?? '');
  return READERS.has(name) || name === '';
}

/** Programs that start another one. */
const STARTERS = new Set(
  'sudo time nice nohup command exec env export npx bunx node npm pnpm yarn bun run'.split(' '),
);

/** The program of a command and its words: without assignments before it, and without what only starts it. */
export function programOf(words: readonly string[]): readonly string[] {
  const first = words.findIndex(
    (word, i) => !/^[A-Za-z_]\w*=/.test(word) && !STARTERS.has(word) && !(i > 0 && word.startsWith('-')),
  );
  return first === -1 ? [] : words.slice(first);
}
