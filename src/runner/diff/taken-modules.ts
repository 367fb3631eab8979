import type { ChangedText } from './changed-text.ts';

/** What pytest, unittest and the interpreter itself load before any test, and what usually comes with them. */
// biome-ignore format: words read as words
const LOADED = new Set((
  '_collections_abc _csv _elementtree _hashlib _json _pydecimal _pytest _strptime _weakrefset abc argparse array ast asyncio atexit base64 bdb binascii bisect bz2 calendar cmd code codecs codeop colorama collections concurrent ' +
  'configparser contextlib contextvars copy copyreg coverage csv ctypes dataclasses datetime decimal difflib dis doctest email encodings enum ' +
  'errno exceptiongroup execnet faulthandler fnmatch fractions functools gc genericpath getopt getpass gettext glob gzip hashlib heapq hmac ' +
  'html http hypothesis importlib iniconfig inspect io ipaddress itertools json keyword linecache locale logging lzma marshal math mimetypes ' +
  'multiprocessing ntpath numbers opcode operator optparse os packaging pathlib pdb pickle pkgutil platform plistlib pluggy posixpath pprint ' +
  'profile pstats py pygments pytest pytest_cov queue quopri random re reprlib runpy secrets select selectors shlex shutil signal site ' +
  'socket sqlite3 ssl stat statistics string struct subprocess sysconfig tarfile tempfile textwrap threading time timeit token tokenize toml ' +
  'tomli tomllib trace traceback types typing typing_extensions unicodedata unittest urllib uuid warnings weakref xdist xml zipfile zlib zoneinfo'
).split(' '));

const MODULE = /^(?:(.*)\/)?(\w+)(?:\.pyc?|(?:\.[\w-]+)*\.so)$/;

/**
 * The module of others that a file takes the place of, '' for none: `python -m` looks into the folder where it is started
 * before it looks anywhere else, also for itself. `folders` are those in which checks start.
 */
export function takenModule(path: string, folders: readonly string[]): string {
  const [, folder = '', name = ''] = MODULE.exec(path.replace(/\/__init__(?=\.pyc?$)/, '')) ?? [];
  return LOADED.has(name) && folders.includes(folder) ? name : '';
}

const PLUGINS = /^pytest_plugins\b[^=\n]*=\s*(?:\[[^\]]*\]|\([^)]*\)|[^\n]*)/gm;

/** Whether a file of Python names other plugins for pytest than it did: these decide how every test ends, not its own alone. */
export function namesPlugins({ path, before, after }: ChangedText): boolean {
  if (!path.endsWith('.py')) return false;
  const named = (text: string) => (text.match(PLUGINS) ?? []).filter((one) => !ITS_OWN.test(one));
  const known = new Set(named(before));
  return named(after).some((one) => !known.has(one));
}

/** What pytest brings for tests of plugins. */
const ITS_OWN = /=\s*[[(]?\s*["']pytester["']\s*,?\s*[\])]?\s*$/;

/**
 * The source of TypeScript beside which a script of its name comes, '' for none: test programs load the script in its
 * place, and whoever builds the package gets the source. `known`: the paths of the work.
 */
export function takenSource(path: string, known: ReadonlySet<string>): string {
  const [, stem] = /^(.+)\.[cm]?jsx?$/.exec(path) ?? [];
  if (stem === undefined) return '';
  return ['.ts', '.tsx', '.mts', '.cts'].map((ending) => stem + ending).find((one) => known.has(one)) ?? '';
}
