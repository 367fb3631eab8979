import { readSource } from '../diff/source.ts';
import { partsOf, pastBracket } from '../diff/span.ts';

/** The same for Python: what documents a module, its classes and functions, and which parameters they name. */
export function pythonShape(before: string, after: string): string {
  const now = definitionsIn(after);
  // A program that shows its own documentation does something with it.
  const isShown = /\b__doc__\b|\bgetdoc\b|\bdocopt\b/.test(before);
  const lines: string[] = [];
  for (const [place, { documentation, parameters }] of definitionsIn(before)) {
    const other = now.get(place);
    if (other === undefined) continue;
    if (!isShown && other.documentation !== documentation)
      lines.push(tried(`${place === '' ? '' : `${place}.`}__doc__ = (${other.documentation || 'None'})`));
    if (other.parameters !== undefined && other.parameters !== parameters)
      lines.push(tried(signed(place, other.parameters)));
  }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

const tried = (statement: string) => `try:\n ${statement}\nexcept Exception:\n pass`;

const signed = (place: string, parameters: string) =>
  `v7919 = lambda ${parameters}: 0\n ${place}.__signature__ = __import__('inspect').signature(v7919)`;

interface Definition {
  /** A literal, as it is written; '' for none. */
  readonly documentation: string;
  /** Names and plain defaults; undefined for what has none. */
  readonly parameters: string | undefined;
}

const HEAD = /^([ \t]*)(?:(?:async[ \t]+)?(def)|class)[ \t]+(\w+)[ \t]*/gm;

/** By the name that reaches each from the module; '' is the module. What functions hold is out of reach. */
function definitionsIn(text: string): ReadonlyMap<string, Definition> {
  const { bare } = readSource(text, 'python');
  const first = /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(text)?.[0].length ?? 0;
  const found = new Map<string, Definition>([
    ['', { documentation: literalAt(text, bare, first), parameters: undefined }],
  ]);
  let around: { readonly indent: number; readonly name: string }[] = [];
  for (const { 0: whole, 1: indent = '', 2: def, 3: name = '', index } of bare.matchAll(HEAD)) {
    around = around.filter((outer) => outer.indent < indent.length);
    const place = [...around.map((outer) => outer.name), name].join('.');
    const open = index + whole.length;
    const end = bare.charAt(open) === '(' ? pastBracket(bare, open) : open;
    const colon = bare.indexOf(':', end);
    around.push({ indent: indent.length, name: def === undefined ? name : '?' });
    if (colon < 0 || place.includes('?')) continue;
    const body = colon + 1 + (/^[ \t]*(?:\n[ \t]*)*/.exec(text.slice(colon + 1))?.[0].length ?? 0);
    const parameters = def === undefined ? undefined : parametersAt(text, bare, open);
    found.set(place, { documentation: literalAt(text, bare, body), parameters });
  }
  return found;
}

/** The text that stands here alone as a statement. */
function literalAt(text: string, bare: string, at: number): string {
  const quote = /^[rRuU]?("""|'''|"|')/.exec(bare.slice(at, at + 4));
  const [opening = '', mark = ''] = quote ?? [];
  const close = quote === null ? -1 : bare.indexOf(mark, at + opening.length);
  if (close < 0) return '';
  const end = close + mark.length;
  return /^[ \t]*(?:\n|$|;|#)/.test(text.slice(end)) ? text.slice(at, end) : '';
}

const PLAIN = /^(?:None|True|False|-?\d+(?:\.\d+)?|'[^'\\\n]*'|"[^"\\\n]*"|\(\)|\[\]|\{\})$/;

/** Nothing of it may run: annotations are left out, and of defaults what is no literal is another. */
function parametersAt(text: string, bare: string, open: number): string | undefined {
  if (bare.charAt(open) !== '(') return undefined;
  const parts = partsOf(text, bare, open).map((part) => {
    const [, name] = /^(\*{0,2}\s*\w+|\*|\/)/.exec(part) ?? [];
    const value = /(?<![=!<>])=(?!=)\s*([\s\S]*)$/.exec(part)?.[1];
    return name === undefined || value === undefined ? name : `${name}=${PLAIN.test(value) ? value : 'None'}`;
  });
  return parts.includes(undefined) ? undefined : parts.join(', ');
}
