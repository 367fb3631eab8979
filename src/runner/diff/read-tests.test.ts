import { describe, expect, it } from 'vitest';
import { assertionsOf } from './assertion.ts';
import { languageOf } from './language.ts';
import { readTests } from './read-tests.ts';
import { leavesAtOnce, skipMarks } from './skip-marks.ts';
import { readSource } from './source.ts';

const names = (path: string, text: string) =>
  readTests(path, text).tests.map(({ name, weight }) => `${name}*${weight}`);
const strengths = (path: string, text: string) => {
  const language = languageOf(path);
  const found = assertionsOf(language, readSource(text, language));
  return found.map(({ strength }) => strength.slice(0, 1)).join('');
};
const marks = (path: string, text: string) => {
  const language = languageOf(path);
  return skipMarks(language, readSource(text, language).bare).map(({ conditional }) =>
    conditional ? 'if' : 'always',
  );
};

describe('tests read from their text', () => {
  it.each<[string, string, string[]]>([
    [
      'a.test.js',
      "it('a', () => {}); test.only(`b`, f); // it('c')\nconst s = \"it('d')\"; /x/.test(y)",
      ['a*1', 'b*1'],
    ],
    [
      'a.test.js',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read, not run
      "it.each([[1, 2], [3, 4]])('a %i', () => {}); it.each`a|b\n${1}|${2}\n${3}|${4}`('b', f)",
      ['a %i*2', 'b*2'],
    ],
    [
      'a.test.js',
      "it.skipIf(process.platform === 'win32')('a', f); test.describe('g', () => { test.beforeEach(f) })",
      ['a*1'],
    ],
    ['a.js', "t.test('sub', (st) => {}); Deno.test('d', f)", ['sub*1', 'd*1']],
    [
      'a_test.py',
      'def test_a():\n  pass\n\nasync def test_b(x):\n  pass\ndef helper(): pass',
      ['test_a*1', 'test_b*1'],
    ],
    [
      'test_a.py',
      "@pytest.mark.parametrize('a', [\n  (1, 2),\n  (3, 4),\n])\ndef test_a(a):\n  pass",
      ['test_a*2'],
    ],
    ['a_test.go', 'func TestA(t *testing.T) {\n}\nfunc helper(t *testing.T) {}\n', ['TestA*1']],
    ['a.rs', '#[test]\n#[should_panic]\nfn a() {}\n#[tokio::test]\nasync fn b() {}', ['a*1', 'b*1']],
    ['a.txt', "it('a', f)", []],
  ])('of %s: %s', (path, text, expected) => expect(names(path, text)).toEqual(expected));

  it.each<[string, string, string]>([
    ['a.js', 'expect(a).toBe(1); expect(f()).toEqual(f()); expect(a).not.toHaveBeenCalled()', 'sss'],
    [
      'a.js',
      "expect(a).toBeTruthy(); expect(f).toThrow(); expect(f).toThrow('x'); expect(a).not.toBe(2)",
      'vvsv',
    ],
    ['a.js', 'expect(true).toBe(true); expect(a).toEqual(a); expect(1).toBeTruthy(); assert(true)', 'eeee'],
    [
      'a.js',
      "assert.equal(1, 1); assert.ok('x'); t.equal(a, 2); t.ok(a); assert(a === b); assert(a)",
      'eesvsv',
    ],
    [
      'a.js',
      'assert.throws(f); assert.throws(f, /x/); expect(x).to.equal(3); expect(x).to.be.ok; x.should.equal(1)',
      'vssvs',
    ],
    ['a.py', 'assert a == 1\nassert a\nassert True\nassert a is not None\nself.assertEqual(a, 1)', 'svevs'],
    [
      'a.py',
      'with pytest.raises(Exception):\n  pass\nwith pytest.raises(KeyError): pass\nassert a == a',
      'vse',
    ],
    ['a.go', 't.Fatalf("x")\nassert.Equal(t, 1, 1)\nrequire.NoError(t, err)\nassert.Equal(t, a, b)', 'sevs'],
    ['a.rs', 'assert_eq!(a, b); assert!(a.is_ok()); assert!(true); assert_eq!(1, 1);', 'svee'],
  ])('have assertions of a strength in %s: %s', (path, text, expected) =>
    expect(strengths(path, text)).toBe(expected),
  );

  it.each<[string, string, string[]]>([
    [
      'a.js',
      "it.skip('a'); describe.only('b'); xit('c'); test.todo('d'); test('e', { skip: true }, f)",
      Array(5).fill('always'),
    ],
    [
      'a.js',
      "it('a', { timeout: 5 }, () => find({ skip: 10, only: 'b' })); list.skip(3); it.skipIf(c)('x', f)",
      ['if'],
    ],
    ['a.py', '@pytest.mark.skip\n@unittest.skip("x")\n@pytest.mark.skipif(c)', ['always', 'always', 'if']],
    ['a.go', 't.Skip("x") // t.Skip()', ['always']],
    ['a.rs', '#[ignore]\nfn a() {}', ['always']],
  ])('have marks that keep them from running in %s: %s', (path, text, expected) =>
    expect(marks(path, text).sort()).toEqual([...expected].sort()),
  );

  it.each<[string, string]>([
    [', () => { return; expect(a) }', 'always'],
    [', async function () {\n  return\n  expect(a) }', 'always'],
    [', ({ page }) => { if (process.env.CI) return; expect(a) }', 'perhaps'],
    [', () => { return promise.then(f); }', 'no'],
    [', () => list.map((a) => { return null; })', 'no'],
    [', () => { const a = 1; return; }', 'no'],
  ])('leave at once: %s', (body, expected) => expect(leavesAtOnce('js', body)).toBe(expected));
});
