/** A word of a shell line, what divides words, or a text that the line holds as input. */
export interface Token {
  readonly text: string;
  readonly operator: '' | 'write' | 'read' | 'end' | 'fed';
}

const BLANK = /[^\S\n]+/y;
/** A file descriptor before a redirection is part of it, where it stands alone. */
const DESCRIPTOR = /\d+(?=[<>])/y;
const COMMENT = /#[^\n]*/y;
const OPERATOR = /&>>?|>&|>>?\|?|<<<|<<-|<<|<|\|\|?|&&?|;;?|\n|\(|\)|`|\$\(/y;
const PIECE = /\\([\s\S]?)|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([^\s\\'"&<>|;()`$]+|[\s\S])/y;

/** The tokens of a line. Texts behind `<<EOF` stand whole, as `fed`, before the line end that begins them. */
export function tokensOf(line: string): readonly Token[] {
  const tokens: Token[] = [];
  /** Words that end a text which is still to come. */
  const ends: string[] = [];
  let isEnd = false;
  let word: string | undefined;
  let at = 0;
  const taken = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    at += found?.[0].length ?? 0;
    return found;
  };
  const flush = () => {
    if (word === undefined) return;
    if (isEnd) ends.push(word);
    else tokens.push({ text: word, operator: '' });
    isEnd = false;
    word = undefined;
  };
  while (at < line.length) {
    if (word === undefined && (taken(DESCRIPTOR) || taken(COMMENT))) continue;
    const operator = taken(OPERATOR)?.[0];
    if (operator !== undefined) {
      flush();
      if (operator === '\n') {
        const fed = fedBehind(line.slice(at), ends.splice(0));
        at += fed.reduce((sum, { text }) => sum + text.length, 0);
        tokens.push(...fed);
      }
      isEnd = operator === '<<' || operator === '<<-';
      tokens.push({ text: operator, operator: kindOf(operator) });
    } else if (taken(BLANK) !== null) flush();
    else word = `${word ?? ''}${unquoted(taken(PIECE))}`;
  }
  flush();
  return tokens;
}

/** The texts at the beginning of these lines, each up to its end. */
function fedBehind(lines: string, ends: readonly string[]): readonly Token[] {
  let at = 0;
  return ends.map((end) => {
    const text = upTo(lines.slice(at), end);
    at += text.length;
    return { text, operator: 'fed' };
  });
}

/** The text up to the line that ends it, that line included; all of it where none does. */
function upTo(text: string, end: string): string {
  let at = 0;
  while (at < text.length) {
    const stop = text.indexOf('\n', at);
    const next = stop === -1 ? text.length : stop + 1;
    if (text.slice(at, next).trim() === end) return text.slice(0, next);
    at = next;
  }
  return text;
}

function kindOf(operator: string): Token['operator'] {
  if (operator.includes('>')) return 'write';
  return operator.includes('<') ? 'read' : 'end';
}

/** A piece of a word without its quotes. */
function unquoted(piece: RegExpExecArray | null): string {
  const [, escaped, single, double, plain] = piece ?? [];
  return escaped ?? single ?? double?.replace(/\\([\s\S])/g, '$1') ?? plain ?? '';
}
