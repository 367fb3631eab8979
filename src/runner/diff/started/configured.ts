import { mappingOf } from '../entries.ts';
import { isProgram, type Listing, nameOf } from '../listing.ts';
import { mentionedIn } from '../mentions.ts';
import { readSource } from '../source.ts';
import { pastBracket } from '../span.ts';

const NAMES =
  /^(?:vitest\.(?:config|workspace)\..+|vite\.config\..+|jest\.(?:config|preset)\..+|\.mocharc.*|karma\.conf\..+|(?:playwright|cypress|ava|web-test-runner|eslint)\.config\..+|\.taprc|\.?jasmine\.json|\.eslintrc.*|\.c8rc.*|\.nycrc.*|package\.json)$/;
const KEYS =
  /(["']?)\b(setupFiles\w*|setupNodeEvents|globalSetup|globalTeardown|require|file|import|loader|reporters?|testEnvironment|environment|runner|testRunner|testSequencer|testResultsProcessor|snapshotSerializers|snapshotResolver|snapshotEnvironment|resolver|transform|preset|extends|plugins|rulesDirectory|provider|customProviderModule|supportFile|helpers|node-?[aA]rguments|node-option|diff)\1\s*:/g;
/** Of package.json the settings of runners alone. */
const SECTIONS = ['jest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'vitest', 'jasmine', 'eslintConfig'];

/** Whether a path holds the settings of a test runner or a linter, or may hold them. */
export const isRunnerConfig = (path: string): boolean => NAMES.test(nameOf(path));

/** The files of base that such settings load: by the keys that do, and by the imports of settings that are programs. */
export function configured(path: string, text: string, listing: Listing): ReadonlySet<string> {
  const isManifest = path.endsWith('package.json');
  const said = isManifest ? sectionsOf(text) : text;
  if (said === '') return new Set();
  const values = valuesIn(said, isProgram(path));
  const imports = isProgram(path) ? importsIn(text) : [];
  const named = [...values, ...imports].map((one) => JSON.stringify(one)).join('\n');
  return mentionedIn(path, named, listing);
}

function sectionsOf(text: string): string {
  const manifest = mappingOf(text);
  const own = SECTIONS.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]]]));
  return own.length === 0 ? '' : JSON.stringify(Object.fromEntries(own));
}

const importsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.[^"'\n]+)["']/g)].flatMap(
    // Settings may ask the product for its version; that makes it no part of them.
    ([, said = '']) => (/^(?:\.\/)?(?:src|lib|app)\//.test(said) ? [] : [said]),
  );

/** The words behind each key: to the end of its bracket or line, and of a YAML list the lines below. */
function valuesIn(text: string, isScript: boolean): readonly string[] {
  const { bare } = readSource(text, isScript ? 'js' : 'plain');
  return [...text.matchAll(KEYS)].flatMap((found) => {
    const at = found.index + found[0].length;
    const open = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    const isBracket = '[{('.includes(text.charAt(open)) && text.charAt(open) !== '';
    const value = isBracket
      ? text.slice(open, pastBracket(bare, open))
      : (/^[^\n]*(?:\n[ \t]*-[^\n]*)*/.exec(text.slice(at))?.[0] ?? '');
    return value.split(/[\s"'`,[\]{}()=]+/).filter((word) => /[./]/.test(word));
  });
}
