import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import { insideCheckout } from '../checks/inside.ts';
import { readSource, type Source } from '../diff/source.ts';
import { pastBracket } from '../diff/span.ts';

/** A script of a checkout. */
interface Script {
  readonly path: string;
  readonly text: string;
}

/**
 * Whether a word that a script calls as tests are declared is given a name first. A test program's is; a helper of the
 * tests, or what the product calls the same, only where it hands that on as the name of a test and uses it for nothing
 * else.
 */
export async function takesNames(
  checkout: string,
  { path, text }: Script,
  word: string,
  seen: Set<string> = new Set(),
): Promise<boolean> {
  const isFirst = seen.size === 0;
  seen.add(`${path} ${word}`);
  const source = readSource(text, 'js');
  // More ways that a helper has can only make the word a test program's.
  const taken = takenFrom(source, word, isFirst ? topOf(source) : () => true);
  // What is called has no property's name, and what is loaded is not what a function inside of another one is.
  const inText = isFirst ? calledAs : functionOf;
  const own = isFirst && taken.length > 0 ? undefined : inText(source, word);
  if (own !== undefined) return isOnlyName(own, source.code);
  const ways = taken.length === 0 && !isFirst ? handedOn(source.code, word) : taken;
  // A word of base's own, such as one that is extended, is a test program's where that is loaded.
  const isProgram = isFirst || TEST_PROGRAM.test(source.code);
  if (ways.length === 0) return isProgram;
  // Any function may load something by that name: a test program, where there is one, is what the file declares tests with.
  for (const { module } of ways)
    if (module === '' ? isProgram : await isForeign(checkout, module)) return true;
  return isHandedOn(checkout, path, ways, seen);
}

/** The same of files of the project that hand the word on, under whatever name: one of them is enough. */
async function isHandedOn(
  checkout: string,
  from: string,
  ways: readonly Taken[],
  seen: Set<string>,
): Promise<boolean> {
  for (const { module, word } of ways) {
    const at = module.startsWith('.') ? moduleAt(checkout, join(dirname(from), module)) : undefined;
    if (at === undefined || seen.has(`${at.path} ${word}`)) continue;
    const script = { path: at.path, text: await readFile(at.real, 'utf8') };
    if (await takesNames(checkout, script, word, seen)) return true;
  }
  return false;
}

/** By its place, or by a short name for a place of the project. */
const NEAR = /^(?:\.|[#~]|@\/)/;
const PROGRAM =
  '["\'](?:node:test|vitest|@jest/globals|@playwright/test|@vitest/[\\w-]+|bun:test|ava|tape|tap|mocha|uvu)["\']';
const TEST_PROGRAM = new RegExp(PROGRAM);

const isForeign = async (checkout: string, module: string): Promise<boolean> =>
  !NEAR.test(module) && !(await isPackage(checkout, module));

/** What a function gets first, and its body; both in the bare reading. */
interface Helper {
  readonly first: string;
  readonly body: string;
}

/** The function that a call of a word means in a text which declares it. */
const calledAs = (source: Source, word: string): Helper | undefined => functionOf(source, word, DECLARES);

/** What stands before the name of a function that is called by that alone. */
const DECLARES = /\b(?:function\b\s*\*?|const|let|var)\s*$/;

/** The function that a text declares by a name, or hands out as the whole module. */
function functionOf({ bare }: Source, word: string, declares?: RegExp): Helper | undefined {
  const name = word === 'default' ? WHOLE : `(?<![\\w$])${literalPattern(word)}(?![\\w$])`;
  for (const { 0: found, index } of bare.matchAll(new RegExp(name, 'g'))) {
    if (declares?.test(bare.slice(Math.max(0, index - 40), index)) === false) continue;
    const after = bare.slice(index + found.length);
    const given =
      VALUE.exec(after) ?? (/\bfunction\s*\*?\s*$/.test(bare.slice(0, index)) ? CALLED.exec(after) : null);
    const way = given ?? CALLED.exec(after);
    if (way === null) continue;
    const at = index + found.length + way[0].length;
    if (way[1] !== undefined) return { first: way[1], body: bodyAt(bare, at) };
    const end = pastBracket(bare, at - 1);
    // A call goes on otherwise than what declares a function.
    const rest = /^\s*(?::[^={;]*)?(?:=>|(?=\{))/.exec(bare.slice(end, end + 200));
    if (rest === null) continue;
    const first = /^\(\s*(?:\.\.\.\s*)?([\w$]+)/.exec(bare.slice(at - 1, end))?.[1] ?? '';
    return { first, body: bodyAt(bare, end + rest[0].length) };
  }
  return undefined;
}

const WHOLE = '\\bmodule\\.exports(?=\\s*=)|\\bexport\\s+default\\b';
/** Up to the parameters of a function that is a value, or past the arrow behind the only one. */
const VALUE =
  /^\s*(?::[^=;,()]*)?[=:]?\s*(?:async\b\s*)?(?:function\b\s*\*?\s*\w*\s*)?(?:<[^>(]*>)?(?:\(|([\w$]+)\s*=>)/;
const CALLED = /^\s*(?:<[^>(]*>)?\(/;

/** A block, or an expression up to the end of its line or of what it is part of. */
function bodyAt(bare: string, from: number): string {
  const at = from + (/^\s*/.exec(bare.slice(from, from + 200))?.[0].length ?? 0);
  if (bare.charAt(at) === '{') return bare.slice(at, pastBracket(bare, at));
  let end = at;
  while (end < bare.length && !/[\n;,)\]}]/.test(bare.charAt(end)))
    end = /[([{]/.test(bare.charAt(end)) ? pastBracket(bare, end) : end + 1;
  return bare.slice(at, end);
}

/** Whether a helper hands on what it gets first as the name of a test, and uses it for nothing else. */
function isOnlyName({ first, body }: Helper, code: string): boolean {
  if (first === '') return false;
  const one = `(?<![\\w$]|(?<!\\.\\.)\\.)${literalPattern(first)}(?![\\w$])`;
  const words = ['it', 'specify', ...otherNames(code)].map(literalPattern).join('|');
  const asName = `(?:(?<![\\w$])(?:${words})|[tT]est)(?:\\.\\w+)*\\(\\s*(?:\\.\\.\\.)?${one}\\s*[,)]`;
  const count = (pattern: string) => [...body.matchAll(new RegExp(pattern, 'g'))].length;
  return count(asName) === count(one);
}

/** What a text calls a test program, or what declares a test there, where that is not its usual name. */
const otherNames = (code: string): readonly string[] => [
  ...[...code.matchAll(LISTED)].flatMap(([, list = '']) =>
    entriesOf(list).flatMap(({ there, here }) => (/^(?:test|it|specify)$/.test(there) ? [here] : [])),
  ),
  ...[...code.matchAll(WHOLE_PROGRAM)].map(([, imported, asked]) => imported ?? asked ?? ''),
];

const WHOLE_PROGRAM = new RegExp(
  `\\bimport\\s+([\\w$]+)[^;'"]*?\\bfrom\\s*${PROGRAM}|\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*require\\s*\\(\\s*${PROGRAM}`,
  'g',
);

interface Taken {
  /** '' where no text tells it: what a variable holds, or the surroundings. */
  readonly module: string;
  /** What it is called there. */
  readonly word: string;
}

const LISTED =
  /\b(?:import|export|const|let|var)\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*(?:(?:=\s*(?:await\s+)?(?:require|import)\s*\(\s*|from\s*|=\s*(?=[\w$]+\s*[;\n]))(?:['"]([^'"]+)['"]|([\w$]+))|=(?![=>]))/g;

type IsTop = (at: number) => boolean;

/** The things of a list, by what they are called there and here. */
const entriesOf = (list: string): readonly { readonly there: string; readonly here: string }[] =>
  list.split(',').map((one) => {
    const [, there = '', here = there] =
      /^\s*(?:type\s+)?([\w$]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?/.exec(one) ?? [];
    return { there, here };
  });

/** What a word may be, by all that a text loads under it in such places, or finds under it anywhere. */
function takenFrom({ code }: Source, word: string, isTop: IsTop): readonly Taken[] {
  const listed = [...code.matchAll(LISTED)].flatMap(({ index, 1: list = '', 2: module, 3: variable = '' }) =>
    entriesOf(list).flatMap(({ there, here }) => {
      if (!isTop(index) || here !== word || variable === word) return [];
      const whole = variable === '' ? [] : wholeFrom(code, variable, isTop).map((way) => way.module);
      const modules = module === undefined ? [...whole, ...(whole.length === 0 ? [''] : [])] : [module];
      return modules.map((from) => ({ module: from, word: there }));
    }),
  );
  return [...listed, ...wholeFrom(code, word, isTop), ...valuesOf(code, word), ...assignedIn(code, word)];
}

/** Whether a place is neither in a text nor within brackets: what a function loads is its own, whatever it calls it. */
function topOf({ code, bare }: Source): IsTop {
  const depths = new Int32Array(bare.length);
  for (let at = 0, depth = 0; at < bare.length; at++) {
    if ('([{'.includes(bare.charAt(at))) depth++;
    else if (')]}'.includes(bare.charAt(at))) depth--;
    depths[at] = depth;
  }
  // What is imported or exported stands at the top, whatever a pattern with brackets above it seems to open.
  return (at) =>
    code[at] === bare[at] && ((depths[at] ?? 0) <= 0 || /^(?:im|ex)port\b/.test(code.slice(at, at + 7)));
}

/** Where the word is, or becomes, what another value has or gives, and neither a module nor a function. */
const valuesOf = (code: string, word: string): readonly Taken[] =>
  [
    ...code.matchAll(
      new RegExp(
        `(?<![\\w$.])${literalPattern(word)}\\s*(?::[^=;,(){}]*)?(?:\\?\\?|\\|\\||&&)?=(?![=>])`,
        'g',
      ),
    ),
  ].flatMap(({ 0: found, index }) => {
    const at = index + found.length;
    const way = OTHER_VALUE.exec(code.slice(at, at + 200));
    const end = at + (way?.[0].length ?? 0);
    const isOther = way !== null && (way[1] === undefined ? !isChosen(code, end) : isArrow(code, end - 1));
    return isOther ? [] : [{ module: '', word }];
  });

/** Where it gets something of a value by its place, or by a name that is no new variable's. */
function assignedIn(code: string, word: string): readonly Taken[] {
  const inside = `[^[\\]{}=;]*(?<![\\w$.])${literalPattern(word)}(?![\\w$])[^[\\]{}=;]*`;
  const pattern = `(?:\\[${inside}\\]|(?<!\\b(?:const|let|var)\\s*)\\{${inside}\\})\\s*=(?![=>])`;
  return new RegExp(pattern).test(code) ? [{ module: '', word }] : [];
}

const OTHER_VALUE =
  /^\s*(?:require\s*\(\s*['"][^'"]*['"]\s*\)(?:\.[\w$]+)*|(?:async\b\s*)?(?:function\b|[\w$]+\s*=>|(?:<[^>(]*>\s*)?(\()))/;
/** Another value may stand in for what is before. */
const isChosen = (code: string, at: number): boolean =>
  /^\s*(?:\?(?!\.)|\|\||&&)/.test(code.slice(at, at + 200));
const isArrow = (code: string, at: number): boolean => {
  const end = pastBracket(code, at);
  return /^\s*(?::[^={;]*)?=>/.test(code.slice(end, end + 200));
};

/** Where the word is the module itself, or one thing of it that is named there. */
function wholeFrom(code: string, word: string, isTop: IsTop): readonly Taken[] {
  const name = literalPattern(word);
  const imported = new RegExp(
    `\\bimport\\s+(?:\\*\\s*as\\s+)?${name}\\b[^;'"]*?\\bfrom\\s*['"]([^'"]+)['"]`,
    'g',
  );
  const asked = new RegExp(
    `(?:\\b(?:const|let|var)\\s+|\\bexports\\.)${name}\\s*=\\s*require\\s*\\(\\s*['"]([^'"]+)['"]\\s*\\)(?:\\.([\\w$]+))?`,
    'g',
  );
  return [imported, asked].flatMap((pattern) =>
    [...code.matchAll(pattern)]
      .filter(({ index }) => isTop(index))
      .map(([, module = '', there = 'default']) => ({ module, word: there })),
  );
}

/** A module that another one hands on as a whole. */
function handedOn(code: string, word: string): readonly Taken[] {
  const module =
    /\bexport\s*\*\s*from\s*['"](\.[^'"]+)['"]|\bmodule\.exports\s*=\s*(?:\{\s*\.\.\.)?require\(\s*['"](\.[^'"]+)['"]/.exec(
      code,
    );
  const found = module?.[1] ?? module?.[2];
  return found === undefined ? [] : [{ module: found, word }];
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.tsx', '.jsx'];

interface Place {
  readonly path: string;
  readonly real: string;
}

function moduleAt(checkout: string, path: string): Place | undefined {
  const stems = [path, path.replace(/\.[cm]?jsx?$/, ''), `${path}/index`];
  for (const one of stems.flatMap((stem) => ENDINGS.map((ending) => stem + ending))) {
    const found = insideCheckout(checkout, one);
    if (found?.stat.isFile()) return { path: one, real: found.path };
  }
  return undefined;
}

/** Whether it is the project itself, by the name that its manifest gives it. */
async function isPackage(checkout: string, module: string): Promise<boolean> {
  const manifest = insideCheckout(checkout, 'package.json');
  if (!manifest?.stat.isFile()) return false;
  const name = /"name"\s*:\s*"([^"]+)"/.exec(await readFile(manifest.path, 'utf8'))?.[1];
  return name !== undefined && (module === name || module.startsWith(`${name}/`));
}
