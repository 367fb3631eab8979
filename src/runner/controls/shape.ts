import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';
import { partsOf, pastBracket } from '../diff/span.ts';
import { pythonShape } from './shape-python.ts';

/**
 * Code that gives the functions of base what those of head tell of themselves beside what they do: how many parameters
 * they name, their own names and, in Python, the text that documents them. A test that asks for nothing else passes on
 * base then, and one that calls them finds what they did. '' where nothing differs.
 */
export function shapeOf(path: string, before: string, after: string): string {
  switch (languageOf(path)) {
    case 'js':
      return scriptShape(before, after);
    case 'python':
      return pythonShape(before, after);
    default:
      return '';
  }
}

function scriptShape(before: string, after: string): string {
  const now = functionsIn(after);
  return [...functionsIn(before)]
    .flatMap(([place, { length, name }]) => {
      const other = now.get(place);
      if (other === undefined) return [];
      const told = [
        ...(other.length === length ? [] : [`'length', { value: ${other.length} }`]),
        ...(other.name === name ? [] : [`'name', { value: ${JSON.stringify(other.name)} }`]),
      ];
      return told.map((what) => `;try { Object.defineProperty(${place}, ${what}); } catch {}\n`);
    })
    .join('');
}

interface Shape {
  readonly length: number;
  readonly name: string;
}

/** Functions that the top of a file declares, assigns or exports, up to their parameters. */
const DECLARED =
  /^(?:export\s+(?:default\s+)?)?(?:async\s+)?function\b\s*\*?\s*([A-Za-z_$][\w$]*)\s*(?:<[^()\n]*>)?\s*(?=\()/gm;
const ASSIGNED =
  /^(?:export\s+)?(?:(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?|((?:module\.)?exports(?:\.[A-Za-z_$][\w$]*)?)\s*)=\s*(?:async\s+)?(?:(function)\b\s*\*?\s*([A-Za-z_$][\w$]*)?\s*)?(?:<[^()\n]*>)?(?:\s*(?=\()|([A-Za-z_$][\w$]*)\s*=>)/gm;

const HANDED = /^((?:module\.)?exports(?:\.[A-Za-z_$][\w$]*)?)\s*=\s*([A-Za-z_$][\w$]*)[ \t]*(?:;|$)/gm;

/** By the expression that reaches each at the end of its module. */
function functionsIn(text: string): ReadonlyMap<string, Shape> {
  const { bare } = readSource(text, 'js');
  const found = new Map<string, Shape>();
  const assigned = new Map<string, number>();
  for (const { 0: whole, 1: name = '', index } of bare.matchAll(DECLARED))
    found.set(name, { length: lengthAt(text, bare, index + whole.length), name });
  for (const match of bare.matchAll(ASSIGNED)) {
    const [whole, variable, exported = '', isFunction, own, single] = match;
    const at = match.index + whole.length;
    const place = variable ?? exported;
    if (isFunction === undefined && single === undefined && !isArrow(bare, at)) continue;
    assigned.set(place, match.index);
    const name = own ?? variable ?? '';
    found.set(place, { length: single === undefined ? lengthAt(text, bare, at) : 1, name });
  }
  for (const { 1: place = '', 2: name = '', index } of bare.matchAll(HANDED)) {
    const shape = found.get(name);
    // What is assigned last counts.
    if (shape !== undefined && index > (assigned.get(place) ?? -1)) found.set(place, shape);
  }
  return found;
}

const isArrow = (bare: string, at: number) =>
  /^\s*(?::[^={;]+)?=>/.test(bare.slice(pastBracket(bare, at), pastBracket(bare, at) + 300));

/** Parameters before the first that has a default or takes the rest. */
function lengthAt(text: string, bare: string, at: number): number {
  const parts = partsOf(text, bare, at).filter((part) => !/^this\s*:/.test(part));
  const end = parts.findIndex((part) => part.startsWith('...') || hasDefault(part));
  return end < 0 ? parts.length : end;
}

/** Defaults inside of what is taken apart are none of the parameter's. */
function hasDefault(part: string): boolean {
  const { bare } = readSource(part, 'js');
  const end = /^[{[]/.test(bare) ? pastBracket(bare, 0) : 0;
  return /=(?!>)/.test(bare.slice(end));
}
