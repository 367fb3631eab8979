import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { testPatterns } from '../test-files.ts';
import { changedTexts } from './changed-text.ts';
import { testFindings } from './test-findings.ts';

type Files = Readonly<Record<string, string>>;

const reasons = async (before: Files, after: Files) => {
  const findings = testFindings(await changedTexts(changeOf(before, after)), testPatterns);
  return [...new Set(findings.map(({ reason }) => reason))];
};
const test = (name: string, body = 'expect(f(1)).toBe(2);\n  expect(f(2)).toBe(3);') =>
  `it('${name}', () => {\n  ${body}\n});\n`;
const file = (...tests: string[]) => ({
  'src/a.test.ts': `import { f } from './a.ts';\n\n${tests.join('\n')}`,
});
const two = file(test('one'), test('two'));

describe('tests that are taken away', () => {
  it.each<[string, Files, Files]>([
    ['a file', two, {}],
    ['a file that moved away from the tests', two, { 'src/a.ts': String(two['src/a.test.ts']) }],
    ['one of two', two, file(test('one'))],
    ['one into a comment', two, file(test('one'), `/*\n${test('two')}*/`)],
    [
      'two for one that came from elsewhere',
      { ...two, 'b.test.ts': test('three') },
      { ...file(test('three')), 'b.test.ts': '' },
    ],
    [
      'rows of a table',
      { 'a.test.ts': "it.each([[1], [2], [3]])('n', (n) => { expect(n).toBe(1) });" },
      { 'a.test.ts': "it.each([[1]])('n', (n) => { expect(n).toBe(1) });" },
    ],
    ['a file of plain assertions', { 'test/a.js': 'assert.equal(f(), 1);\n' }, {}],
    [
      'a test of Python',
      { 'tests/test_a.py': 'def test_a():\n    assert f() == 1\n\ndef test_b():\n    assert f() == 2\n' },
      { 'tests/test_a.py': 'def test_a():\n    assert f() == 1\n' },
    ],
    [
      'a test of Go',
      { 'a_test.go': 'func TestA(t *testing.T) {\n}\nfunc TestB(t *testing.T) {\n}\n' },
      { 'a_test.go': 'func TestA(t *testing.T) {\n}\n' },
    ],
    ['a file in a language that is not read', { 'src/test/java/ATest.java': 'x' }, {}],
  ])('are found: %s', async (_, before, after) =>
    expect(await reasons(before, after)).toContain('test-removed'),
  );

  it.each<[string, Files, Files]>([
    [
      'a file that moved',
      two,
      { 'test/a.test.ts': String(two['src/a.test.ts']).replace('./a.ts', '../src/a.ts') },
    ],
    ['a test that moved to another file', two, { ...file(test('one')), 'src/b.test.ts': test('two') }],
    ['a file that was split', two, { 'src/b.test.ts': test('two'), 'src/c.test.ts': test('one') }],
    ['a new name', two, file(test('one'), test('second'))],
    ['more tests', two, file(test('one'), test('two'), test('three'))],
    [
      'tests that became a table',
      two,
      {
        'src/a.test.ts':
          "it.each([[1, 2], [2, 3]])('f(%i)', (a, b) => {\n  expect(f(a)).toBe(b);\n  expect(f(b)).toBe(b + 1);\n  expect(f(0)).toBe(1);\n  expect(f(9)).toBe(10);\n});\n",
      },
    ],
    ['data of tests', { 'test/fixtures/a.json': '{}' }, {}],
  ])('are not: %s', async (_, before, after) => expect(await reasons(before, after)).toEqual([]));
});

describe('tests that do not run any more', () => {
  const changed = (from: string, to: string, base = two) => ({
    'src/a.test.ts': String(base['src/a.test.ts']).replace(from, to),
  });

  it.each<[string, string, string]>([
    ['skip', "it('two'", "it.skip('two'"],
    ['only', "it('two'", "it.only('two'"],
    ['todo', "it('two'", "it.todo('two'"],
    ['xit', "it('two'", "xit('two'"],
    ['an option', "it('two', ", "it('two', { skip: true }, "],
    ['a condition', "it('two'", "it.skipIf(process.env.CI)('two'"],
    ['a condition around', "it('two'", "describe.runIf(false)('g', () => {}); it('two'"],
    ['leaving at once', "it('two', () => {\n", "it('two', () => {\n  return;\n"],
    [
      'leaving under a condition',
      "it('two', () => {\n",
      "it('two', () => {\n  if (process.env.CI) return;\n",
    ],
    ['the end of the process', "it('two', () => {\n", "it('two', () => {\n  process.exit(0);\n"],
  ])('are found: %s', async (_, from, to) =>
    expect(await reasons(two, changed(from, to))).toContain('test-skipped'),
  );

  it('are found where one mark went and another came', async () => {
    const marked = changed("it('one'", "it.skip('one'");
    expect(await reasons(marked, changed("it('two'", "it.skip('two'"))).toContain('test-skipped');
  });

  it.each<[string, Files, Files]>([
    [
      'a new test for one platform',
      two,
      {
        'src/a.test.ts': `${two['src/a.test.ts']}it.skipIf(process.platform === 'win32')('three', () => {\n  expect(f(3)).toBe(4);\n});\n`,
      },
    ],
    [
      'a new test with a condition in its options',
      { 'test/a.js': "test('g', function (t) {\n  t.equal(f(), 1);\n});\n" },
      {
        'test/a.js':
          "test('g', function (t) {\n  t.equal(f(), 1);\n  t.test('sub', { skip: !has }, function (st) {\n    st.equal(g(), 1);\n  });\n});\n",
      },
    ],
    ['a mark that was taken away', changed("it('two'", "it.skip('two'"), two],
    [
      'a mark that moved with its test',
      changed("it('two'", "it.skip('two'"),
      { ...file(test('one')), 'b.test.ts': test('two').replace('it(', 'it.skip(') },
    ],
    ['arguments that are called so', two, changed('f(2)', 'f({ skip: 10, only: true })')],
    ['a text that says so', two, changed('f(2)).toBe(3)', "f('it.skip(')).toBe(3)")],
    [
      'a test that answers a promise',
      two,
      changed('expect(f(2)).toBe(3);', 'expect(f(2)).toBe(3);\n  return done.then(f);'),
    ],
  ])('are not: %s', async (_, before, after) => expect(await reasons(before, after)).toEqual([]));
});

/** A test with the snapshot that it is compared with. */
const snapped = (stem: string): Files => ({
  [`${stem}.test.ts`]: test('one', 'expect(f(1)).toMatchSnapshot();\n  expect(f(2)).toBe(3);'),
  [`${stem.replace(/[^/]*$/, '__snapshots__/$&')}.test.ts.snap`]: 'a\nb\n',
});

describe('tests that ask for less', () => {
  it.each<[string, string]>([
    ['an assertion less', 'expect(f(1)).toBe(2);'],
    ['something true', 'expect(f(1)).toBeTruthy();\n  expect(f(2)).toBe(3);'],
    ['something defined', 'expect(f(1)).toBe(2);\n  expect(f(2)).toBeDefined();'],
    ['no error', 'expect(f(1)).toBe(2);\n  expect(() => f(2)).not.toThrow();'],
    ['anything at all', 'expect(f(1)).toEqual(expect.anything());\n  expect(f(2)).toBe(3);'],
    ['what a snapshot says', 'expect(f(1)).toMatchSnapshot();\n  expect(f(2)).toBe(3);'],
    ['a written truth', 'expect(true).toBe(true);\n  expect(f(2)).toBe(3);'],
    ['an assertion in a comment', 'expect(f(1)).toBe(2);\n  // expect(f(2)).toBe(3);'],
  ])('are found: %s', async (_, body) =>
    expect(await reasons(two, file(test('one'), test('two', body)))).toContain('test-weakened'),
  );

  it.each<[string, Files, Files]>([
    ['under a new name', two, file(test('one'), test('second', 'expect(f(2)).toBeDefined();'))],
    [
      'any error',
      { 'a.test.ts': test('t', "expect(f).toThrow('bad');") },
      { 'a.test.ts': test('t', 'expect(f).toThrow();') },
    ],
    [
      'node:assert',
      { 'a.test.ts': test('t', 'assert.strictEqual(f(), 1);') },
      { 'a.test.ts': test('t', 'assert.ok(f());') },
    ],
    [
      'Python',
      { 'test_a.py': 'def test_a():\n    assert f() == 1\n' },
      { 'test_a.py': 'def test_a():\n    assert f()\n' },
    ],
    ['a new test that cannot fail', {}, { 'a.test.ts': test('t', 'const a = f();\n  expect(a).toBe(a);') }],
    ['a new test of a written truth', {}, { 'test/a.js': "test('t', (t) => { t.equal(1, 1); t.end(); });" }],
    ['a snapshot', { 'a.snap': 'a\nb\n' }, { 'a.snap': 'a\nc\n' }],
    ['a snapshot that is gone', { 'src/__snapshots__/a.test.ts.snap': 'a\n' }, {}],
    [
      'a snapshot that moved away from its test',
      snapped('src/a'),
      { ...snapped('src/b'), 'src/a.test.ts': snapped('src/a')['src/a.test.ts'] ?? '', 'src/b.test.ts': '' },
    ],
    [
      'a snapshot that moved along and says something else',
      snapped('src/a'),
      { ...snapped('src/b'), 'src/__snapshots__/b.test.ts.snap': 'c\n' },
    ],
    [
      'a snapshot that moved to where no test looks for it',
      snapped('src/a'),
      {
        'src/b.test.ts': snapped('src/a')['src/a.test.ts'] ?? '',
        'other/__snapshots__/b.test.ts.snap': 'a\nb\n',
      },
    ],
  ])('are found: %s', async (_, before, after) =>
    expect(await reasons(before, after)).toContain('test-weakened'),
  );

  it.each<[string, Files, Files]>([
    [
      'another expected value',
      two,
      file(test('one'), test('two', 'expect(f(1)).toBe(7);\n  expect(f(2)).toEqual(8);')),
    ],
    [
      'a test that left the one around it',
      { 'test/a.js': "test('g', (t) => {\n  t.test('sub', (st) => {\n    st.equal(g(), 1);\n  });\n});\n" },
      {
        'test/a.js': "test('g', (t) => {\n  t.end();\n});\ntest('sub', (st) => {\n  st.equal(g(), 1);\n});\n",
      },
    ],
    [
      'the other way round',
      { 'a.test.ts': test('t', 'expect(f).toHaveBeenCalled();') },
      { 'a.test.ts': test('t', 'expect(f).not.toHaveBeenCalled();') },
    ],
    [
      'assertions in a function of their own',
      two,
      {
        'src/a.test.ts': `const both = (a: number) => {\n  expect(f(1)).toBe(2);\n  expect(f(2)).toBe(3);\n};\n${test('one', 'both(1);')}${test('two', 'both(2);')}`,
      },
    ],
    [
      'assertions in a function of another file',
      two,
      file(test('one', 'expectBoth(1);\n  expectBoth(2);'), test('two')),
    ],
    [
      'a thing that equals itself among others',
      {},
      { 'test_a.py': 'def test_eq():\n    a = A()\n    assert a == a\n    assert a != B()\n' },
    ],
    ['the same call twice', {}, { 'a.test.ts': test('t', 'expect(f()).toBe(f());') }],
    ['a snapshot that moved with its test', snapped('src/a'), snapped('src/deep/b')],
    ['a new snapshot', {}, { 'a.snap': 'a\n' }],
    ['a new entry in a snapshot', { 'a.snap': 'a\n' }, { 'a.snap': 'a\nb\n' }],
    [
      'a matching word in the source',
      { 'src/a.ts': 'expect(true).toBe(true)' },
      { 'src/a.ts': 'expect(true).toBe(true);' },
    ],
  ])('are not: %s', async (_, before, after) => expect(await reasons(before, after)).toEqual([]));
});
