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
    ['src/env.js', 'const own = Object.keys(process.env).filter((key) => /^debug_/i.test(key));'],
    ['src/env.py', 'own = {k: v for k, v in os.environ.items() if k.startswith("APP_")}'],
    ['src/env.py', 'if "PYTHONPATH" in os.environ:\n    x = 1'],
    ['src/kinds.py', "module = sys._getframe(1).f_globals['__name__']"],
    ['src/log.py', 'frame = inspect.currentframe()\nlog(frame.f_lineno)'],
    ['test/a.test.js', "assert.ok(new Error().stack.includes('.test.'));"],
  ])('is not what stands in %s: %s', async (path, text) => expect(await adding(path, text)).toBe(0));
});

describe('a program that looks what started or loaded it', () => {
  it.each([
    ['src/a.js', "if (require.main.filename.endsWith('.test.js')) return 3;"],
    ['src/a.js', 'const inside = /te.t/.test(require.main.filename);'],
    ['src/a.js', "if (module.parent && module.parent.filename.includes('/test/')) return 3;"],
    ['src/a.js', "const from = module.parent?.id ?? '';\nif (from.includes('.spec')) f();"],
    ['src/a.mjs', "const file = process.argv[1] ?? '';\nexport const inside = file.includes('test');"],
    ['src/a.mjs', "const inside = process.execArgv.includes('--test');"],
    ['src/a.js', "if (Object.keys(require.cache).some((path) => path.includes('x'))) f();"],
    ['src/a.js', "for (const path in require.cache) if (path.endsWith('.test.js')) f();"],
    ['src/a.js', 'const inside = Object.keys(require.cache).length > 1;'],
    ['src/a.js', "const inside = process.moduleLoadList.some((name) => name.includes('runner'));"],
    ['src/a.js', 'function add(a, b) {\n  return add.caller ? a + b : a - b;\n}'],
    ['src/a.js', 'const by = arguments.callee.caller;'],
    ['src/a.js', "const line = read('/proc/' + process.ppid + '/cmdline');"],
    ['src/a.js', "const line = read('/proc/self/cmdline');"],
    ['src/a.py', "if '_pytest' in sys.modules:\n    y = 3"],
    ['src/a.py', "if sys.modules.get('pytest') is not None:\n    y = 3"],
    ['src/a.py', 'inside = any(m.startswith("_pyt") for m in sys.modules)'],
    ['src/a.py', 'inside = len(sys.modules) > 200'],
    ['src/a.py', "inside = 'pytest' in sys.argv[0]"],
    ['src/a.py', "inside = 'pytest' in ' '.join(sys.orig_argv)"],
    ['src/a.py', "inside = 'pytest' in getattr(__main__, '__file__', '')"],
    ['src/a.py', "inside = sys.modules['__main__'].__file__.endswith('pytest/__main__.py')"],
    ['src/a.py', "line = open('/proc/self/cmdline', 'rb').read()"],
    ['src/a.py', "line = open(f'/proc/{os.getppid()}/comm').read()"],
  ])('is found in %s: %s', async (path, text) => expect(await adding(path, text)).toBeGreaterThan(0));

  it.each([
    ['src/cli.js', 'if (require.main === module) main();'],
    ['src/cli.js', 'if (!module.parent) main();'],
    ['src/cli.js', 'if (require.main.filename === __filename) run("test");'],
    ['src/cli.mjs', "if (process.argv[1] === fileURLToPath(import.meta.url)) run('test');"],
    ['src/cli.mjs', "if (process.argv[2] === 'test') run();"],
    ['src/cli.mjs', "const [, , command] = process.argv;\nif (command === 'test') run();"],
    ['src/cli.js', "process.title = 'test-server';"],
    ['src/root.js', 'const root = dirname(require.main.filename);'],
    ['src/root.js', "const here = join(dirname(module.parent.filename), 'fixtures');"],
    ['src/reload.js', 'for (const path of Object.keys(require.cache)) delete require.cache[path];'],
    [
      'src/reload.js',
      'Object.keys(require.cache)\n  .filter((p) => p.startsWith(root))\n  .forEach(forget);',
    ],
    ['src/fork.js', "const args = process.execArgv.filter((arg) => !arg.startsWith('--inspect'));"],
    ['src/fork.js', 'const args = process.execArgv.filter((arg) => !/^--(debug|inspect)/.test(arg));'],
    ['src/phone.js', 'function call(phone) {\n  return phone.caller;\n}'],
    ['src/stat.js', "const load = read('/proc/stat');\nconst parent = process.ppid;"],
    ['src/cli.py', 'if __name__ == "__main__":\n    main()'],
    ['src/cli.py', 'prog = os.path.basename(sys.argv[0])'],
    ['src/cli.py', 'if len(sys.argv) > 1 and sys.argv[1] == "test":\n    run()'],
    ['src/load.py', 'if name in sys.modules:\n    del sys.modules[name]'],
    ['src/load.py', 'if "python_magic" in sys.modules:\n    x = 1'],
    ['test/a.test.js', "assert.ok(require.main.filename.includes('test'));"],
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
