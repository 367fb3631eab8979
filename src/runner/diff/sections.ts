import { isDeepStrictEqual } from 'node:util';
import { linesOf } from './line-diff.ts';

/** Sections of a TOML manifest that are the builder's, and lines in them that are not. */
export interface SectionRules {
  readonly free: RegExp;
  readonly guardedLine: RegExp;
  /** Sections and lines that ask for packages. */
  readonly asks: RegExp;
}

/** pyproject.toml: a package from a path or an address could replace the test runner; so could a plug-in. */
export const pyproject: SectionRules = {
  free: /^(project|project\.(optional-dependencies|scripts|gui-scripts|urls)|dependency-groups|tool\.poetry|tool\.poetry\.(dependencies|dev-dependencies|scripts|urls|extras|group\.[\w-]+\.dependencies))$/,
  guardedLine: /@\s*(\w+\+)?(file|https?|git|ssh):|\{[^}]*\b(path|git|url)\s*=|entry-points/,
  asks: /^(project|project\.optional-dependencies|dependency-groups|tool\.poetry\..*dependencies)$/,
};

/** Cargo.toml: targets can be told not to be tested, and a path or an address could replace a package. */
export const cargo: SectionRules = {
  free: /^(package|features|workspace\.package|(workspace\.)?((dev|build)-)?dependencies(\..+)?|target\..+\.((dev|build)-)?dependencies)$/,
  guardedLine: /\b(path|git|registry)\s*=|^\s*(build|auto\w+|links|test|harness)\s*=/,
  asks: /dependencies/,
};

/** What in a TOML manifest is protected and changed ('' for nothing), and whether it asks for other packages. */
export function sectionChange(
  before: string,
  after: string,
  rules: SectionRules,
): { readonly guarded: string; readonly dependencies: boolean } {
  const [old, now] = [sectionsOf(before), sectionsOf(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  const guarded = changed.filter((name) => {
    if (!rules.free.test(name)) return true;
    const [was, is] = [old.get(name) ?? [], now.get(name) ?? []];
    const differing = [
      ...was.filter((line) => !is.includes(line)),
      ...is.filter((line) => !was.includes(line)),
    ];
    return differing.some((line) => rules.guardedLine.test(line));
  });
  return {
    guarded: guarded
      .map((name) => (name === '' ? 'the lines before its first section' : `[${name}]`))
      .slice(0, 6)
      .join(', '),
    dependencies: changed.some((name) => rules.asks.test(name)),
  };
}

/** Lines by section; a name that stands twice collects both. Blank lines and comments say nothing. */
function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let name = '';
  for (const line of linesOf(text)) {
    const header = /^\s*\[\[?([^\]]+)\]\]?\s*(#.*)?$/.exec(line)?.[1];
    if (header !== undefined) name = header.replaceAll(/\s/g, '');
    else if (!/^\s*(#|$)/.test(line)) sections.set(name, [...(sections.get(name) ?? []), line]);
  }
  return sections;
}
