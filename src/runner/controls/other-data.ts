import { isManifest } from '../diff/entries.ts';
import type { Mutant } from './mutants.ts';

/** The same file with something else in it, for what is no code: whoever asks for what it holds sees that. */
export function withOtherData(path: string, text: string): Mutant | undefined {
  const [what, content] = otherOfKind(path, text);
  return content === text ? undefined : { path, line: 1, what, content };
}

function otherOfKind(path: string, text: string): readonly [what: string, content: string] {
  const json = /\.json$/i.test(path) ? otherJson(path, text) : undefined;
  if (json !== undefined) return ['each name and value another one', json];
  return RECIPES.test(path) ? ['each recipe does nothing', idleRecipes(text)] : ['emptied', ''];
}

const RECIPES = /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$/;

function otherJson(path: string, text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const other = otherOf(value);
    const kept = isManifest(path) && isObject(value) ? keptOf(value) : {};
    return `${JSON.stringify(isObject(other) ? { ...other, ...kept } : other, undefined, 2)}\n`;
  } catch {
    return undefined;
  }
}

/** Without these no test would run, whatever it asks; and each script can be called, and does nothing. */
function keptOf({ type, scripts }: Readonly<Record<string, unknown>>): object {
  const idle = Object.entries(isObject(scripts) ? scripts : {}).map(([name, script]) => [
    name,
    /^(?:pre|post)?test/.test(name) ? script : 'exit 0',
  ]);
  return { ...(type === undefined ? {} : { type }), scripts: Object.fromEntries(idle) };
}

/** Each target is there, and does nothing. */
const idleRecipes = (text: string): string =>
  text.replace(/^\t(?:.*\\\n)*.*/gm, (recipe) => (recipe === '\t@:' ? '\t@: 0' : '\t@:'));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of lists the order and the length as well, and the first one twice. */
function otherOf(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return -7919;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) {
    const others = value.map(otherOf).reverse();
    return others.length === 0 ? [-7919] : [...others, others[0]];
  }
  if (!isObject(value)) return -7919;
  const entries = Object.entries(value)
    .map(([key, one]) => [`${key}7919`, otherOf(one)])
    .reverse();
  return Object.fromEntries(entries.length === 0 ? [['7919', '']] : entries);
}
