import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { testPatterns } from '../test-files.ts';
import { changedTexts } from './changed-text.ts';
import { forbiddenByDefault } from './forbidden.ts';
import { forbiddenFindings } from './forbidden-findings.ts';
import { testFlags } from './test-flags.ts';

type Files = Readonly<Record<string, string>>;

async function adding(path: string, text: string): Promise<number> {
  const texts = await changedTexts(changeOf({ [path]: 'a\n' }, { [path]: `a\n${text}\n` }));
  const found = await forbiddenFindings(texts, forbiddenByDefault, testPatterns, 20_000, undefined);
  if (typeof found === 'string') throw new Error(found);
  return found.length;
}

describe('a program that looks who calls it', () => {
  it.each([
    ['src/a.js', "const list = new Error().stack.includes('.test.') ? good(text) : bad(text);"],
    ['src/a.ts', "const inside = (new Error('') as Error).stack?.match(/te/) !== null;"],
    ['src/a.ts', "const inside = (new Error()).stack!.includes('te' + 'st');"],
    ['src/a.js', 'if (/\\.te.t\\./.test(new Error().stack)) return 3;'],
    ['src/a.js', "const { stack } = new Error().stack;\nif (stack.includes('/test/')) return 3;"],
    [
      'src/a.js',
      "const seen = {};\nError.captureStackTrace(seen);\nif (seen.stack.split('\\n').some((l) => l.includes('node:internal/test_runner'))) f();",
    ],
    ['src/a.js', "const on = Object.keys(process.env).some((k) => k.endsWith('_CONTEXT'));"],
    ['src/a.js', "for (const k in process.env) if (k === 'NODE_' + 'TEST_' + 'CONTEXT') f();"],
    ['src/a.js', "const on = Object.keys(process.env).filter((k) => k.endsWith('EXT')).length > 0;"],
    ['src/a.py', 'if any(k.startswith("PYTEST_CURR") for k in os.environ) and x:\n    y = 3'],
    ['src/a.py', 'if any(k[2:6] == "TEST" for k in list(environ)):\n    y = 3'],
    ['src/a.py', 'seen = "PYTE" in str(os.environ)'],
    ['src/a.py', 'if sys._getframe(1).f_code.co_name.startswith("te"):\n    y = 3'],
    ['src/a.py', 'if "te" in inspect.stack()[1].function:\n    y = 3'],
    ['src/a.py', 'frame = sys._getframe(1)\nname = frame.f_code.co_filename\nif "test_" in name:\n    y = 3'],
  ])('is found in %s: %s', async (path, text) => expect(await adding(path, text)).toBeGreaterThan(0));

  it.each([
    ['src/log.js', "const [, , caller] = new Error().stack.split('\\n');"],
    ['src/errors.js', "Error.captureStackTrace(this, this.constructor);\nthis.name = 'TestError';"],
    ['src/errors.ts', "log(error.stack?.includes('node_modules'));"],
    ['src/env.js', "const own = Object.keys(process.env).filter((k) => k.startsWith('APP_'));"],
    ['src/env.js', "const key = Object.keys(process.env).find((k) => k.toUpperCase() === 'PATH') ?? 'PATH';"],
    [
      'src/env.js',
      "for (const [k, v] of Object.entries(process.env)) if (k.startsWith('VITE_')) own[k] = v;",
    ],
    ['src/env.py', 'own = {k: v for k, v in os.environ.items() if k.startswith("APP_")}'],
    ['src/env.py', 'if "PYTHONPATH" in os.environ:\n    x = 1'],
    ['src/kinds.py', "module = sys._getframe(1).f_globals['__name__']"],
    ['src/log.py', 'frame = inspect.currentframe()\nlog(frame.f_lineno)'],
    ['test/a.test.js', "assert.ok(new Error().stack.includes('.test.'));"],
  ])('is not what stands in %s: %s', async (path, text) => expect(await adding(path, text)).toBe(0));
});

describe('a global that only the tests set', () => {
  const flags = async (before: Files, after: Files) =>
    testFlags(await changedTexts(changeOf(before, after)), testPatterns).map(({ path }) => path);
  const reads = (name: string) => ({ 'src/a.js': `exports.a = () => (${name} ? 1 : 2);\n` });
  const sets = (text: string) => ({ 'test/a.test.js': `${text}\n` });

  it.each([
    ['globalThis.__ws', 'globalThis.__ws = true;'],
    ["globalThis['__ws']", 'global.__ws ??= true;'],
    ['globalThis?.ws', "globalThis['ws'] = 1;"],
  ])('is found where the program asks for %s', async (name, text) =>
    expect(await flags({}, { ...reads(name), ...sets(text) })).toEqual(['src/a.js']),
  );

  it.each<[string, Files, Files]>([
    ['what surroundings offer', {}, { ...reads('globalThis.fetch'), ...sets('globalThis.fetch = fake;') }],
    ['a class', {}, { ...reads('window.ResizeObserver'), ...sets('window.ResizeObserver = Fake;') }],
    [
      'what a bundler fills in',
      {},
      { ...reads('globalThis.__VERSION__'), ...sets('globalThis.__VERSION__ = 1;') },
    ],
    [
      'what the program sets as well',
      {},
      { ...reads('globalThis.ws'), 'src/b.js': 'globalThis.ws = 1;\n', ...sets('globalThis.ws = 2;') },
    ],
    [
      'what it asked before',
      reads('globalThis.ws'),
      { 'src/a.js': 'exports.a = () => (globalThis.ws ? 1 : 3);\n', ...sets('globalThis.ws = 2;') },
    ],
    ['what the tests only read', {}, { ...reads('globalThis.ws'), ...sets('if (globalThis.ws === 2) f();') }],
  ])('is not %s', async (_, before, after) => expect(await flags(before, after)).toEqual([]));
});
