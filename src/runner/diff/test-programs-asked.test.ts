import { expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { testPatterns } from '../test-files.ts';
import { changedTexts } from './changed-text.ts';
import { forbiddenByDefault } from './forbidden.ts';
import { forbiddenFindings } from './forbidden-findings.ts';

async function adding(path: string, text: string): Promise<number> {
  const texts = await changedTexts(changeOf({ [path]: 'a\n' }, { [path]: `a\n${text}\n` }));
  const found = await forbiddenFindings(texts, forbiddenByDefault, testPatterns, 20_000, undefined);
  if (typeof found === 'string') throw new Error(found);
  return found.length;
}

it.each([
  ['src/a.js', "const inside = typeof describe === 'function';"],
  ['src/a.js', "const inside = typeof it === 'function';"],
  ['src/a.js', "if (typeof beforeEach !== 'undefined') f();"],
  ['src/a.js', "const inside = typeof globalThis.describe !== 'undefined';"],
  ['src/a.ts', 'const inside = Boolean((globalThis as any).__vitest_worker__);'],
  ['src/a.js', 'const inside = Boolean(globalThis.it);'],
  ['src/a.js', "const inside = global['expect'] !== undefined;"],
  ['src/a.js', "const inside = '__vitest_worker__' in globalThis;"],
  ['src/a.js', "const inside = globalThis[Symbol.for('$$jest-matchers-object')] !== undefined;"],
  ['src/a.ts', "const inside = import.meta.env.MODE === 'test';"],
  ['src/a.ts', 'const inside = Boolean(import.meta.env.VITEST);'],
  ['src/a.js', 'const inside = Boolean(process.env.TEST);'],
  ['src/a.js', 'const inside = Boolean(process.env.TINYPOOL_WORKER_ID);'],
  ['src/a.js', "const inside = 'NODE_TEST_CONTEXT' in process.env;"],
  ['src/a.js', 'const { JEST_WORKER_ID: inside } = process.env;'],
  ['src/a.js', "const inside = process.env.NODE_ENV?.startsWith('t');"],
  ['src/a.js', "const inside = ['test'].includes(process.env.NODE_ENV);"],
  ['src/a.js', 'const inside = /^test$/.test(process.env.NODE_ENV);'],
  ['src/a.js', "switch (process.env.NODE_ENV) {\n  case 'test':\n    return 3;\n}"],
  ['src/a.js', "const env = process.env.NODE_ENV || 'development';\nif (env === 'test') f();"],
  ['src/a.js', "const { NODE_ENV: env } = process.env;\nmodule.exports = () => (env === 'test' ? 1 : 2);"],
  ['src/a.js', "const inside = process.argv.some((a) => a.includes('mocha'));"],
  ['src/a.js', "const inside = process.argv.join(' ').includes('.test.');"],
  ['src/a.js', "const inside = process.mainModule.filename.includes('.test.');"],
  ['src/a.js', 'const inside = Boolean(process.env.GIT_CEILING_DIRECTORIES);'],
  ['src/a.py', "inside = any('pytest' in a for a in sys.argv)"],
  ['src/a.py', "inside = importlib.util.find_spec('pytest') is not None"],
  ['a.go', 'if testing.Testing() {\n\treturn 3\n}'],
  ['a.go', 'if flag.Lookup("test.v") != nil {\n\treturn 3\n}'],
  ['a.go', 'if strings.HasSuffix(os.Args[0], ".test") {\n\treturn 3\n}'],
  ['src/lib.rs', 'let inside = cfg!(test);'],
  ['src/lib.rs', 'if cfg!(not(test)) { return plain; }'],
  [
    'src/lib.rs',
    'let inside = std::env::current_exe().map_or(false, |p| p.to_string_lossy().contains("deps"));',
  ],
])('a question to the test program is found in %s: %s', async (path, text) =>
  expect(await adding(path, text)).toBeGreaterThan(0),
);

it.each([
  ['src/a.js', "const call = typeof test === 'function' ? test(value) : value;"],
  ['src/a.js', "for (const it of list) if (typeof it.next === 'function') f(it);"],
  ['src/a.js', "const mode = process.env.NODE_ENV === 'production' ? 'fast' : 'slow';"],
  ['src/a.js', "const env = process.env.NODE_ENV ?? 'development';\nlog(env);"],
  ['src/a.js', "const dry = process.argv.includes('--dry-run');"],
  ['src/a.js', "const [, , name] = process.argv;\nconst kind = name === 'test' ? 1 : 2;"],
  ['src/a.js', "const list = ['test', 'lint'].includes(name);"],
  ['src/a.js', 'const url = process.env.TEST_URL;'],
  ['src/a.ts', 'const base = import.meta.env.BASE_URL;'],
  ['src/a.ts', 'const level: Level = { describe: 1, it: 2 };\nlevel.describe = 3;'],
  ['src/a.js', "spawn('vitest', { env: { ...process.env, CI: '1' } });"],
  ['vite.config.js', 'export default { define: { on: process.env.VITEST } };'],
  ['src/a.js', 'const self = this;\nself.expect(token);'],
  ['src/a.py', "name = sys.argv[1]\nif name == 'pytest':\n    f()"],
  ['a.go', 'name := os.Args[0]\nfmt.Println(name, "latest")'],
  ['src/lib.rs', 'let fast = cfg!(target_os = "linux");'],
  ['src/lib.rs', '#[cfg(test)]\nmod tests {}'],
  ['test/a.test.js', "const inside = typeof describe === 'function';"],
])('is not what stands in %s: %s', async (path, text) => expect(await adding(path, text)).toBe(0));
