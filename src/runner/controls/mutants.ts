import type { ChangedFile } from '../change.ts';
import type { Work } from './work.ts';

/** One small change of behaviour in one file. */
export interface Mutant {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly what: string;
  readonly content: string;
}

const CODE = /\.([cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|swift|scala)$/i;

/** Whether operators of this language are known well enough to be turned around. */
export const isCode = ({ path }: ChangedFile): boolean => CODE.test(path) && !/\.d\.[cm]?ts$/.test(path);

// Each is tried once a line, in this order: a turned condition or answer is noticed before a changed figure.
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/(?<![=!<>])==(?!=)/, '!='],
  [/(?<!=)!=(?!=)/, '=='],
  [/<=/, '>'],
  [/(?<![=-])>=/, '<'],
  [/(?<=\s)<(?=\s)/, '>='],
  [/(?<=\s)>(?=\s)/, '<='],
  [/&&/, '||'],
  [/\|\|/, '&&'],
  [/\band\b(?=.*:)/, 'or'],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bTrue\b/, 'False'],
  [/\bFalse\b/, 'True'],
  [/(?<=\s)\+(?=\s)/, '-'],
  [/(?<=\s)-(?=\s)/, '+'],
  [/(?<=\s)\*(?=\s)/, '/'],
  [/(?<=\s)%(?=\s)/, '*'],
  [/(?<=\breturn\s)[^;{}]+(?=;?\s*$)/, 'undefined'],
  [/(?<=[=(,[\s])-?\d+(?=[\s,;)\]])/, '7919'],
  [/(?<=[=(,[\s:?])'[^'\n]+'/, "'mutated'"],
  [/(?<=[=(,[\s:?])"[^"\n]+"/, '"mutated"'],
];

const IDLE = /^\s*(\/\/|\/\*|\*|#|import\b|from\b|export \*|package\b|use\b|$)/;

/**
 * Mutants of a text on the lines asked for, one operator each, spread over the lines: every line has had its turn
 * before a line has a second. In Python nothing returns `undefined`.
 */
export function mutantsOf(path: string, text: string, isAsked: (line: number) => boolean): readonly Mutant[] {
  const lines = text.split('\n');
  const found: { readonly turn: number; readonly mutant: Mutant }[] = [];
  lines.forEach((line, at) => {
    if (!isAsked(at + 1) || IDLE.test(line)) return;
    let turn = 0;
    for (const [pattern, replacement] of OPERATORS) {
      const word = replacement === 'undefined' && path.endsWith('.py') ? 'None' : replacement;
      const changed = line.replace(pattern, word);
      if (changed === line) continue;
      const content = [...lines.slice(0, at), changed, ...lines.slice(at + 1)].join('\n');
      found.push({
        turn: turn++,
        mutant: { path, line: at + 1, what: `${line.trim()} -> ${changed.trim()}`, content },
      });
    }
  });
  return found.sort((a, b) => a.turn - b.turn).map(({ mutant }) => mutant);
}

/** Mutants on the lines that the work added or changed. */
export async function mutantsOfWork({ change, changedSources }: Work, added: readonly ChangedFile[]) {
  const found: Mutant[][] = [];
  for (const file of [...changedSources, ...added].filter(isCode)) {
    const after = await change.after(file.path);
    if (after === undefined) continue;
    const before = new Set(
      (await change.before(file.path))
        ?.toString('utf8')
        .split('\n')
        .map((l) => l.trim()),
    );
    const lines = after.toString('utf8').split('\n');
    found.push([
      ...mutantsOf(file.path, after.toString('utf8'), (line) => !before.has((lines[line - 1] ?? '').trim())),
    ]);
  }
  return turns(found);
}

/** One of each list, then a second of each, and so on. */
export function turns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}
