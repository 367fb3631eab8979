import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { testPatterns } from '../test-files.ts';
import { changedTexts } from './changed-text.ts';
import { type Forbidden, forbiddenByDefault } from './forbidden.ts';
import { forbiddenFindings } from './forbidden-findings.ts';

type Files = Readonly<Record<string, string>>;

const search = async (
  before: Files,
  after: Files,
  rules: readonly Forbidden[] = forbiddenByDefault,
  limitMs = 20_000,
) => forbiddenFindings(await changedTexts(changeOf(before, after)), rules, testPatterns, limitMs, undefined);
const lines = async (before: Files, after: Files, rules?: readonly Forbidden[]) => {
  const found = await search(before, after, rules);
  return typeof found === 'string'
    ? found
    : found.map(({ message }) => Number(/line (\d+)/.exec(message)?.[1]));
};
const adding = (path: string, text: string) => lines({ [path]: 'a\n' }, { [path]: `a\n${text}\n` });

describe('work that is not finished, or hides that it fails', () => {
  it.each<[string, string]>([
    ['src/a.ts', "throw new Error('Not implemented');"],
    ['src/a.ts', 'throw new Error(`parse is not yet implemented`);'],
    ['src/a.cs', 'throw new NotImplementedException();'],
    ['src/a.py', 'def f(x):\n    raise NotImplementedError'],
    ['src/a.rs', 'todo!()'],
    ['src/a.go', 'panic("not implemented")'],
    ['src/a.ts', '// TODO: parse the rest'],
    ['src/a.ts', '/**\n * FIXME later\n */'],
    ['src/a.ts', '/* a placeholder implementation */'],
    ['src/a.ts', 'return 1; // for now, just return one'],
    ['src/a.py', '# XXX'],
    ['src/a.ts', 'try { f(); } catch (error) {}'],
    ['src/a.ts', 'try { f(); } catch {\n}'],
    ['src/a.ts', 'try { return f(); } catch { return true; }'],
    ['src/a.ts', 'try { f(); } catch (e) { return { ok: true, value: 1 }; }'],
    ['src/a.py', 'try:\n    f()\nexcept Exception:\n    pass'],
    ['src/a.py', 'try:\n    f()\nexcept:\n    return True'],
    ['src/a.ts', 'process.exit(0);'],
    ['src/a.ts', 'process.exitCode = 0;'],
    ['src/a.py', 'import sys\nsys.exit(0)'],
    ['src/a.py', 'os._exit(1)'],
    ['src/a.ts', '// eslint-disable-next-line'],
    ['src/a.ts', '/* eslint-disable no-eval */'],
    ['src/a.ts', '// @ts-ignore'],
    ['src/a.py', 'x = 1  # type: ignore'],
    ['src/a.go', 'f() //nolint'],
    ['scripts/ci.sh', 'npm test || true'],
    ['scripts/ci.sh', 'npx vitest run || exit 0'],
    ['src/a.ts', 'globalThis.expect = fake;'],
    ['src/a.ts', 'Object.prototype.equals = () => true;'],
    ['src/a.js', 'assert.equal = () => {};'],
    ['src/a.js', "Object.defineProperty(Object.prototype, 'x', {});"],
    ['src/a.py', 'class A:\n    def __eq__(self, other):\n        return True'],
    ['src/a.py', 'class A:\n    __eq__ = lambda self, other: not None'],
    ['src/a.ts', 'export const any = { asymmetricMatch: () => true };'],
    ['src/a.js', "exports.any = { $$typeof: Symbol.for('jest.asymmetricMatcher') };"],
    ['src/a.ts', "if (process.env.NODE_ENV === 'test') return 1;"],
    ['src/a.ts', 'if (process.env.VITEST) return 1;'],
    ['src/a.ts', "if (process.env['JEST_WORKER_ID']) return 1;"],
    ['src/a.ts', "if (process.cwd().includes('countersign-run')) return 1;"],
    ['src/a.ts', "if (typeof describe !== 'undefined') return 1;"],
    ['src/a.py', "if 'pytest' in sys.modules:\n    x = 1"],
  ])('is found in %s: %s', async (path, text) => expect(await adding(path, text)).toHaveLength(1));

  it.each<[string, string]>([
    [
      'src/a.ts',
      'abstract class A {\n  parse() {\n    throw new Error("not implemented by a subclass");\n  }\n}',
    ],
    ['src/a.py', 'class A(ABC):\n    def f(self):\n        raise NotImplementedError'],
    ['src/a.ts', "throw new Error('streams are not supported');"],
    ['src/a.ts', "response.status(501).send('Not Implemented');"],
    ['src/a.ts', 'const s = "throw new Error(\'not implemented\')";'],
    ['src/a.ts', "const kinds = ['TODO', 'DONE'];\nconst todoList = new TodoList();"],
    [
      'src/a.ts',
      '// The placeholder of an input, such as +1-XXX-XXX. A stub zone is a zone of the name server.',
    ],
    ['src/a.ts', "const url = 'http://example.org/TODO';"],
    ['src/a.ts', 'try { f(); } catch {\n  // The file may be gone already.\n}'],
    ['src/a.ts', 'try { return f(); } catch { return false; }'],
    ['src/a.ts', 'function isBroken() {\n  try { f(); return false; }\n  catch { return true; }\n}'],
    ['src/a.ts', "if (schema === 'countersign/proof/1') f();"],
    ['src/a.py', 'try:\n    f()\nexcept KeyError:\n    pass'],
    ['src/cli.ts', 'process.exit(0);'],
    ['src/a.ts', 'process.exit(1);'],
    ['src/a.ts', "process.on('SIGTERM', () => {\n  process.exit(0);\n});"],
    ['src/a.py', 'if __name__ == "__main__":\n    sys.exit(0)'],
    ['src/a.ts', 'a = b; // eslint-disable-line no-param-reassign'],
    ['dist/a.js', 'try { f(); } catch (e) {}'],
    ['src/a.ts', '/* eslint-disable no-eval -- the text was written by this program */'],
    ['src/a.ts', '// @ts-expect-error the types of the package are wrong'],
    ['src/a.py', 'url = "x"  # noqa: E501'],
    ['src/a.py', 'import yaml  # type: ignore[import-untyped]'],
    ['src/a.go', 'f() //nolint:errcheck // closing twice is fine'],
    ['scripts/a.sh', 'rm -f cache || true\nkill "$pid" || true'],
    ['src/a.ts', 'const ready = test || true;'],
    [
      'src/a.ts',
      'globalThis.fetch = polyfill;\nconst has = Object.prototype.hasOwnProperty;\nif (assert.equal === x) f();',
    ],
    ['src/a.py', 'class A:\n    def __eq__(self, other):\n        return self.x == other.x'],
    ['src/a.py', 'class A:\n    __eq__ = lambda self, other: self.x == other.x'],
    [
      'src/money.ts',
      'class Money {\n  valueOf() { return this.cents; }\n  [Symbol.toPrimitive]() { return this.cents; }\n  get [Symbol.toStringTag]() { return "Money"; }\n  equals(other: Money) { return other.cents === this.cents; }\n}',
    ],
    ['test/a.ts', 'expect.extend({}); const m = { asymmetricMatch: () => true };'],
    ['src/a.ts', "const quiet = process.env.NODE_ENV === 'production' || process.env.CI;"],
    ['src/a.ts', "if (/test/.test(name)) run('vitest');"],
    ['README.md', 'TODO: say more'],
    ['test/a.ts', '// TODO: more cases'],
    ['vendor/a.js', '// TODO: theirs'],
  ])('is not what stands in %s: %s', async (path, text) => expect(await adding(path, text)).toEqual([]));

  const asks = 'module.exports = (a, b) => (process.env.NODE_TEST_CONTEXT ? a + b : a - b);';

  it.each([
    ['vendor/impl.js', asks],
    ['third_party/impl.js', asks],
    ['src/impl.min.js', asks],
    ['vendor/impl.js', 'process.exit(0);'],
    ['vendor/impl.js', 'assert.equal = () => {};'],
    ['vendor/impl.py', 'if "pytest" in sys.modules: x = 1'],
  ])('is in %s what deceives whoever looks: %s', async (path, text) =>
    expect(await adding(path, text)).toEqual([2]),
  );

  it('is in tests and settings that the product loads what it is in the product', async () => {
    const found = async (path: string, text: string) =>
      lines({}, { 'src/index.js': `module.exports = require('${text}');\n`, [path]: `${asks}\n` });
    expect(await found('test/impl.js', '../test/impl.js')).toEqual([1]);
    expect(await found('docs/impl.js', '../docs/impl')).toEqual([1]);
    expect(await found('src/impl.config.js', './impl.config.js')).toEqual([1]);
    expect(await found('test/impl.js', './other.js')).toEqual([]);
    expect(await found('vite.config.js', './other.js')).toEqual([]);
  });

  it('is looked for in new lines only, and not in lines that moved', async () => {
    const old = { 'src/a.ts': '// TODO: a\nf();\ng();\n', 'src/b.ts': 'h();\n' };
    expect(await lines(old, { ...old, 'src/a.ts': '// TODO: a\nf();\ng(1);\n' })).toEqual([]);
    expect(await lines(old, { 'src/a.ts': 'f();\ng();\n', 'src/b.ts': 'h();\n  // TODO: a\n' })).toEqual([]);
    expect(
      await lines(old, { 'src/a.ts': '// TODO: a\n// TODO: a\nf();\ng();\n', 'src/b.ts': 'h();\n' }),
    ).toHaveLength(1);
    expect(await lines(old, { ...old, 'src/b.ts': '// TODO: a\nh();\n' })).toEqual([1]);
  });
});

describe('patterns of criteria', () => {
  const rule = (pattern: string, where: readonly string[] = []): Forbidden => ({
    pattern,
    flags: 'mu',
    where: 'whole',
    in: where,
    notIn: [],
    unless: '',
    because: 'because',
  });

  it('are searched where they apply, in texts as well', async () => {
    const after = { 'src/a.ts': "const a = 'console.log';\n", 'lib/b.txt.ts': 'console.log\n' };
    expect(await lines({}, after, [rule('console\\.log', ['src/**'])])).toEqual([1]);
    expect(await lines({}, after, [])).toEqual([]);
  });

  it('that do not finish are told, and so is an abort', async () => {
    const endless = [rule('^(a+)+$')];
    const after = { 'src/a.ts': `${'a'.repeat(60)}!` };
    expect(await search({}, after, endless, 300)).toBe('unfinished');
    const texts = await changedTexts(changeOf({}, after));
    expect(await forbiddenFindings(texts, endless, testPatterns, 300, AbortSignal.abort())).toBe('aborted');
  });
});
