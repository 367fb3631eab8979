import { basename, dirname } from 'node:path/posix';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import { languageOf } from '../diff/language.ts';
import type { TestDeclaration, TestText } from '../diff/read-tests.ts';
import type { Source } from '../diff/source.ts';
import { pastBracket } from '../diff/span.ts';
import type { TestCase } from '../report.ts';
import { standingOf } from './python-classes.ts';

/** What a test is called, below what it stands in; a part that no text tells is undefined. */
export type Chain = readonly (string | undefined)[];

/** By the groups and tests in which it is declared, in Rust by the modules of the file. Go tells none. */
export function chainOf({ language, source, tests }: TestText, test: TestDeclaration): Chain {
  const name = plain(test.name);
  if (language === 'python') {
    const standing = standingOf(source, test);
    return typeof standing === 'string' ? [name] : [standing.className, name];
  }
  const groups = language === 'js' ? groupsOf(source) : language === 'rust' ? modulesOf(source) : [];
  const parents = tests.map((one) => ({
    from: one.head,
    to: one.start + one.code.length,
    name: plain(one.name),
  }));
  const around = [...groups, ...(language === 'js' ? parents : [])].filter(
    ({ from, to }) => from < test.head && to > test.start,
  );
  return [...around.sort((one, other) => one.from - other.from).map((one) => one.name), name];
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly name: string | undefined;
}

/** A file is asked for each of its tests. */
const read = new WeakMap<Source, readonly Part[]>();
const onceFor =
  (partsIn: (source: Source) => readonly Part[]) =>
  (source: Source): readonly Part[] => {
    const parts = read.get(source) ?? partsIn(source);
    read.set(source, parts);
    return parts;
  };

const groupsOf = onceFor((source) =>
  [...source.bare.matchAll(GROUP)].map(({ 0: call, index }) => {
    const at = index + call.length - 1;
    const opened = /^\s*(['"`])/.exec(source.code.slice(at + 1, at + 200));
    const from = at + 1 + (opened?.[0].length ?? 0);
    const end = source.bare.indexOf(opened?.[1] ?? '\0', from);
    const isText = opened !== null && end > from && /^\s*[,)]/.test(source.bare.slice(end + 1, end + 200));
    return {
      from: index,
      to: pastBracket(source.bare, at),
      name: isText ? plain(source.code.slice(from, end)) : undefined,
    };
  }),
);

const modulesOf = onceFor((source) =>
  [...source.bare.matchAll(/\bmod\s+(\w+)\s*\{/g)].map(({ 0: whole, 1: name, index }) => ({
    from: index,
    to: pastBracket(source.bare, index + whole.length - 1),
    name,
  })),
);

const GROUP =
  /(?<![\w$.])(?:[fx]?describe|suite|context|xcontext)(?:\.(?:only|skip|concurrent|sequential|serial|parallel))*\s*\(/g;

/** What is filled in where a name is made for each row of a table, or in a loop. */
export const FILLED = /\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\$\{[^}\n]{0,200}\}|%[a-zA-Z#]|\$[\w.]+/;

const plain = (name: string): string | undefined =>
  name.startsWith('(') || FILLED.test(name) || /\\[^'"`\\]/.test(name)
    ? undefined
    : name.replace(/\\(.)/g, '$1');

/** Whether a report tells a test that is called and stands as this one, and no more than that. */
export const isExactly = (test: TestCase, path: string, chain: Chain): boolean =>
  standsAs(test, path, chain, 'exactly');

/** The same, where a program may have put it into something else. */
export const isWithin = (test: TestCase, path: string, chain: Chain): boolean =>
  standsAs(test, path, chain, 'within');

function standsAs({ id, file }: TestCase, path: string, chain: Chain, how: 'exactly' | 'within'): boolean {
  const told = unnumbered(id);
  const language = languageOf(path);
  if (language === 'python') return isOfPython(told, path, chain, how);
  if (language === 'rust') return told === [...moduleOfRust(path), ...chain].join('::');
  if (language === 'go') return isOfGo(told, path, chain, how);
  const ways = told.startsWith(`${file} > `)
    ? [told.slice(`${file} > `.length)]
    : [told, belowFile(told, path)];
  const before = how === 'within' ? '(?:.+(?: > | ))?' : '';
  const parts = chain.map((part) => (part === undefined ? '.+' : literalPattern(part)));
  return [' > ', ' '].some((join) => {
    const pattern = new RegExp(`^${before}${parts.join(join)}$`, 's');
    return ways.some((way) => pattern.test(way));
  });
}

/** Without the number that tells it from others that are called the same. */
export const unnumbered = (id: string): string => id.replace(/#\d+$/, '');

/** Some reports tell the file in the place of a group. */
function belowFile(told: string, path: string): string {
  const [start = '', first = ''] = /^(\S*\.[cm]?[jt]sx?) > /.exec(told) ?? [];
  return first !== '' && isEndOf(first.split('/'), path.split('/')) ? told.slice(start.length) : told;
}

/** Whether the ends of two ways are the same, as far as both reach. */
function isEndOf(one: readonly string[], other: readonly string[]): boolean {
  const reach = Math.min(one.length, other.length);
  return reach > 0 && one.slice(-reach).join('/') === other.slice(-reach).join('/');
}

/** As `tests.test_a.TestB > test_c[1]`, or `tests/test_a.py::TestB::test_c`. */
function isOfPython(told: string, path: string, chain: Chain, how: 'exactly' | 'within'): boolean {
  const parts = withoutRows(told).split(/ > |::/);
  if (parts.pop() !== chain.at(-1)) return false;
  const around = parts
    .join('.')
    .replace(/\.py(?=\.|$)/, '')
    .split(/[./]/);
  const classes = chain.slice(0, -1);
  if (classes.some((name, n) => around.at(n - classes.length) !== name)) return false;
  const module = around.slice(0, around.length - classes.length);
  const own = path.replace(/\.py$/, '').split('/');
  // A class may stand in others.
  return (
    isEndOf(module, own) || (how === 'within' && classes.length > 0 && module.includes(basename(path, '.py')))
  );
}

/** As `example.org/unit/orders > TestFind/an_order`; a module need not lie at the top. */
function isOfGo(told: string, path: string, chain: Chain, how: 'exactly' | 'within'): boolean {
  const [where = '', name = ''] = told.split(' > ');
  const folder = how === 'exactly' ? dirname(path) : basename(dirname(path));
  return name.split('/')[0] === chain.at(-1) && (folder === '.' || `/${where}`.endsWith(`/${folder}`));
}

/** Of tests of Go that are called alike those of the outermost package: the path of a module is told by none of its files. */
export function nearestTo(path: string, tests: readonly TestCase[]): readonly TestCase[] {
  if (languageOf(path) !== 'go') return tests;
  const depth = ({ id }: TestCase) => (id.split(' > ')[0] ?? '').length;
  const least = Math.min(...tests.map(depth));
  return tests.filter((test) => depth(test) === least);
}

/** As `module::tests::name`; what lies below `tests/` and `src/bin/` is a program of its own. */
export function moduleOfRust(path: string): readonly string[] {
  const [, inside] = /(?:^|\/)src\/(?!bin\/)(.*)\.rs$/.exec(path) ?? [];
  const parts = inside?.split('/') ?? [];
  return /^(?:mod|lib|main)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
}

/** Rows of a table of pytest have the name of their test. */
const withoutRows = (told: string) => told.replace(/\[.*$/s, '');

/** Which test a report tells, without what one test of Python or Go makes of its rows, or several binaries of one of Rust. */
export function testOf(id: string, path: string, isInBinaries: boolean): string {
  const language = languageOf(path);
  if (isInBinaries) return unnumbered(id);
  if (language === 'python') return withoutRows(id);
  return language === 'go' ? id.replace(/( > [^/]*)\/.*$/s, '$1') : id;
}
