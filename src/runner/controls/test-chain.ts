import { basename } from 'node:path/posix';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import { languageOf } from '../diff/language.ts';
import type { TestDeclaration, TestText } from '../diff/read-tests.ts';
import { pastBracket } from '../diff/span.ts';
import type { TestCase } from '../report.ts';
import { standingOf } from './python-classes.ts';

/** What a test is called, below what it stands in; a part that no text tells is undefined. */
export type Chain = readonly (string | undefined)[];

/** By the groups and tests in which it is declared. Go and Rust tell none. */
export function chainOf({ language, source, tests }: TestText, test: TestDeclaration): Chain {
  const name = plain(test.name);
  if (language === 'python') {
    const standing = standingOf(source, test);
    return typeof standing === 'string' ? [name] : [standing.className, name];
  }
  if (language !== 'js') return [name];
  const groups = [...source.bare.matchAll(GROUP)].map(({ 0: call, index }) => {
    const at = index + call.length - 1;
    const opened = /^\s*(['"`])/.exec(source.code.slice(at + 1));
    const from = at + 1 + (opened?.[0].length ?? 0);
    const end = source.bare.indexOf(opened?.[1] ?? '\0', from);
    const isText = opened !== null && end > from && /^\s*[,)]/.test(source.bare.slice(end + 1));
    return {
      from: index,
      to: pastBracket(source.bare, at),
      name: isText ? plain(source.code.slice(from, end)) : undefined,
    };
  });
  const parents = tests.map((one) => ({
    from: one.head,
    to: one.start + one.code.length,
    name: plain(one.name),
  }));
  const around = [...groups, ...parents].filter(({ from, to }) => from < test.head && to > test.start);
  return [...around.sort((one, other) => one.from - other.from).map((one) => one.name), name];
}

const GROUP =
  /(?<![\w$.])(?:[fx]?describe|suite|context|xcontext)(?:\.(?:only|skip|concurrent|sequential|serial|parallel))*\s*\(/g;

/** What is filled in where a name is made for each row of a table, or in a loop. */
export const FILLED = /\$\{[^}]*\}|%[a-zA-Z#]|\$[\w.]+/;

const plain = (name: string): string | undefined =>
  name.startsWith('(') || FILLED.test(name) || /\\[^'"`\\]/.test(name)
    ? undefined
    : name.replace(/\\(.)/g, '$1');

/** Whether a report tells a test that is called and stands as this one, and no more than that. */
export function isExactly({ id, file }: TestCase, path: string, chain: Chain): boolean {
  const told = id.replace(/#\d+$/, '');
  const way = file !== undefined && told.startsWith(`${file} > `) ? told.slice(file.length + 3) : told;
  const language = languageOf(path);
  const last = chain.at(-1) ?? '';
  if (language === 'python') return isOfPython(told, path, chain);
  if (language === 'rust') return isOfRust(told.split('::'), path, last);
  if (language === 'go') return told.split(' > ').at(-1)?.split('/')[0] === last;
  const parts = chain.map((part) => (part === undefined ? '.+' : literalPattern(part)));
  const ways = [way, way.replace(/^\S*\.[cm]?[jt]sx? > /, '')];
  return [' > ', ' '].some((join) =>
    ways.some((one) => new RegExp(`^(?:${parts.join(join)})$`, 's').test(one)),
  );
}

/** As `tests.test_a.TestB > test_c[1]`, or `tests/test_a.py::TestB::test_c`. */
function isOfPython(told: string, path: string, chain: Chain): boolean {
  const parts = told.replace(/\[.*$/s, '').split(/ > |::/);
  if (parts.pop() !== chain.at(-1)) return false;
  const around = parts
    .join('.')
    .replace(/\.py(?=\.|$)/, '')
    .split(/[./]/);
  const own = [basename(path, '.py'), ...chain.slice(0, -1)];
  return own.every((part, n) => around.at(n - own.length) === part);
}

/** As `module::tests::name`, where the module is a file of the sources. */
function isOfRust(parts: readonly string[], path: string, name: string): boolean {
  const [, stem = ''] = /(?:^|\/)src\/(?:.*\/)?(\w+)\.rs$/.exec(path) ?? [];
  return parts.at(-1) === name && (/^(?:lib|main|mod)?$/.test(stem) || parts.slice(0, -1).includes(stem));
}
