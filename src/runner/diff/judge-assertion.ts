/** One assertion of a test's text. */
export interface Assertion {
  /** Offset in the text that was searched. */
  readonly at: number;
  /**
   * `specific` names what it wants, `vague` is content with much (anything true, any error), `empty` cannot fail:
   * it compares a thing with itself.
   */
  readonly strength: 'specific' | 'vague' | 'empty';
  /** For `empty`: both sides are written out, so that nothing is looked at at all. */
  readonly literal: boolean;
}

/** A text in which assertions are looked for: without comments, and without the inside of texts as well. */
export interface Searched {
  readonly code: string;
  readonly bare: string;
}

/** What an assertion is made of: the name it goes by, what it looks at, and what it wants. */
export interface AssertionParts {
  readonly at: number;
  readonly args: readonly string[];
  /** True for names that are content with much. */
  readonly vague: boolean;
}

const written = /^(?:true|false|True|False|null|undefined|None|nil|-?\d[\d_.]*|'[^']*'|"[^"]*"|`[^`$]*`)$/;
const plainName = /^[\w$.]+$/;
const comparison =
  /[=!]==?|[<>]=?|\b(?:in|instanceof|is|isinstance|matches!?|contains|includes|test|match|equals?|startsWith|endsWith|deepEqual)\b/;

/** Two sides that are the same written value, or the same name: nothing can make them differ. */
export function judgeComparison({ at, args, vague }: AssertionParts): Assertion {
  const [left = '', right = ''] = args;
  const same = args.length >= 2 && left === right && (written.test(left) || plainName.test(left));
  if (same) return { at, strength: 'empty', literal: written.test(left) };
  return { at, strength: vague ? 'vague' : 'specific', literal: false };
}

/** One condition: specific when it compares, empty when it is a written value or compares a thing with itself. */
export function judgeCondition(at: number, condition: string): Assertion {
  const text = bracketless(condition);
  if (written.test(text)) return { at, strength: 'empty', literal: true };
  const sides = /^(.+?)\s*(?:===?|\bis\b)\s*(.+)$/s.exec(text);
  if (sides !== null)
    return judgeComparison({ at, args: [(sides[1] ?? '').trim(), (sides[2] ?? '').trim()], vague: false });
  return { at, strength: comparison.test(text) ? 'specific' : 'vague', literal: false };
}

const bracketless = (text: string) => /^\(([^()]*)\)$/.exec(text.trim())?.[1]?.trim() ?? text.trim();
