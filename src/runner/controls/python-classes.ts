import type { TestDeclaration } from '../diff/read-tests.ts';
import type { Source } from '../diff/source.ts';

/** Where a function of Python stands: at the top of its module, in a class, or in another function. */
export type Standing = 'top' | 'function' | { readonly className: string };

const TRANSPARENT = /^\s*(?:if|elif|else|try|except|finally|with|for)\b/;

/** By the nearest lines above that are indented less. */
export function standingOf(
  { bare }: Source,
  { head, start }: Pick<TestDeclaration, 'head' | 'start'>,
): Standing {
  const declared = /^([ \t]*)(?:async[ \t]+)?def\b/m.exec(bare.slice(head, start));
  let indent = (declared?.[1] ?? '').length;
  const above = bare.slice(0, head).split('\n');
  for (let n = above.length - 1; n >= 0 && indent > 0; n--) {
    const line = above[n] ?? '';
    const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (own >= indent || /^\s*(?:$|[)\]}])/.test(line)) continue;
    const className = /^\s*class\s+(\w+)/.exec(line)?.[1];
    if (className !== undefined) return { className };
    if (!TRANSPARENT.test(line)) return 'function';
    indent = own;
  }
  return 'top';
}

/** What classes of Python take from each other, by their names alone. */
export interface Classes {
  /** Whether pytest collects tests of this class, or of one that takes them from it. */
  isCollected(name: string): boolean;
  /** Whether it takes something from another class, or another one from it. */
  isRelated(name: string): boolean;
  /** Whether all that it takes something from is known. */
  isKnown(name: string): boolean;
}

interface Class {
  readonly name: string;
  readonly bases: readonly string[];
  /** pytest collects none that has to be made with something. */
  readonly isMade: boolean;
}

export function classesOf(sources: readonly Source[]): Classes {
  const all = new Map<string, Class[]>();
  for (const own of sources.flatMap(({ bare }) => declaredIn(bare)))
    all.set(own.name, [...(all.get(own.name) ?? []), own]);
  const basesOf = (name: string) => (all.get(name) ?? []).flatMap(({ bases }) => bases);
  const heirs = new Set<string>();
  const collected = new Set<string>();
  const take = (name: string) => {
    if (collected.has(name)) return;
    collected.add(name);
    for (const base of basesOf(name)) take(base);
  };
  for (const [name, list] of all) {
    for (const { bases } of list) for (const base of bases) heirs.add(base);
    if (name.startsWith('Test') && list.some(({ isMade }) => !isMade)) take(name);
  }
  const isKnown = (name: string, seen: ReadonlySet<string> = new Set()): boolean =>
    seen.has(name) ||
    (all.has(name) && basesOf(name).every((base) => isKnown(base, new Set([...seen, name]))));
  return {
    isCollected: (name) => collected.has(name),
    isRelated: (name) => heirs.has(name) || basesOf(name).length > 0,
    isKnown: (name) => isKnown(name),
  };
}

function declaredIn(bare: string): readonly Class[] {
  return [...bare.matchAll(CLASS)].map(({ 1: name = '', 2: list = '', index }) => {
    const next = bare.slice(index + 1).search(/^[ \t]*class\b/m);
    const body = bare.slice(index, next < 0 ? undefined : index + 1 + next);
    const bases = list.split(',').flatMap((one) => /^\s*(?:\w+\.)*(\w+)\s*(?:\[.*)?$/.exec(one)?.[1] ?? []);
    return {
      name,
      bases: bases.filter((base) => base !== 'object'),
      isMade: /\bdef\s+__init__\b/.test(body),
    };
  });
}

const CLASS = /^[ \t]*class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?[ \t]*:/gm;
