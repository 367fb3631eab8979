/** Where a test lies in a text: its body is the slice from `start` to `end`. */
export interface Span {
  readonly name: string;
  /** How many tests it makes: rows of a table that stands there, else one. */
  readonly weight: number;
  /** Where the declaration begins, with what stands above it. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The place behind the bracket that closes the one at `at`; the end of the text where none does. */
export function pastBracket(bare: string, at: number): number {
  const open = bare.charAt(at);
  const close = pairs[open];
  let depth = 0;
  for (let i = at; i < bare.length; i++) {
    const char = bare.charAt(i);
    if (char === open) depth++;
    else if (char === close && --depth === 0) return i + 1;
  }
  return bare.length;
}

/** How many entries a list literal has that starts at `at`; 1 where it is none or empty. */
export const entriesOf = (bare: string, at: number): number =>
  bare.charAt(at) === '[' ? Math.max(1, partsOf(bare, bare, at).length) : 1;

/** What stands between the commas of the bracket at `at`, as the text has it; the commas are found in its bare reading. */
export function partsOf(text: string, bare: string, at: number): readonly string[] {
  const end = pastBracket(bare, at) - 1;
  const parts: string[] = [];
  let depth = 0;
  let from = at + 1;
  for (let i = at + 1; i < end; i++) {
    const char = bare.charAt(i);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  return [...parts, text.slice(from, end).trim()].filter((part) => part !== '');
}
