import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { plainCopy } from './turned-test.ts';
import { turnedTests } from './turned-tests.ts';

const turned = (text: string) => turnedTests(text, 'pytest', randomBytes);

/** How functions of a text end when they are called, in their order: '' for well. */
function endsOf(text: string, names: readonly string[]): readonly string[] {
  const calls = names.map(
    (name) =>
      `try:\n    ${name}()\n    print('well')\nexcept BaseException as e:\n    print(type(e).__name__)\n`,
  );
  const { stdout, stderr } = spawnSync('python3', ['-'], {
    input: `${text}\n${calls.join('')}`,
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trim().split('\n');
}

const ANY =
  'class Any:\n    def __eq__(self, other):\n        return type(other) is not Any\n    __hash__ = None\n\n';

// biome-ignore format: a list reads as a list
const VALUES = ['1', '-2.5', '1e300', 'float("nan")', 'True', 'None', '"abc"', '""', 'b"a"', '[]', '[1, [2]]', '()', '(1, "a")', '{}', '{"a": {"b": 1}}', '{1, 2}', 'object'];

describe('turnedInPython', () => {
  it.each(VALUES)('expects another value than %s, and whoever is equal to all is equal to that', (value) => {
    const test = `def test_a():\n    """Why."""\n    given = unit()\n    assert given == ${value}, 'so'\n`;
    const [copy] = turned(test);
    const whole = (unit: string) => `${ANY}${unit}\n${test}${copy?.text}`;
    const name = copy?.name ?? '';
    expect(endsOf(whole(`unit = lambda: ${value}`), [name])).toEqual(['AssertionError']);
    expect(endsOf(whole('unit = Any'), [name])).toEqual(['well']);
  });

  it.each([
    'def test_a():\n    assert 1 == unit()\n',
    'def test_a():\n    for given, wanted in [(1, 1)]:\n        # each\n        assert unit(given) == wanted\n',
    'def test_a():\n    with open("/dev/null"):\n        for wanted in [1]:\n            assert unit() == (\n                wanted\n            )\n',
  ])('turns the last assertion: %j', (test) => {
    const [copy] = turned(test);
    const whole = (unit: string) => `${ANY}${unit}\n${test}${copy?.text}`;
    expect(endsOf(whole('unit = lambda *_: 1'), ['test_a', copy?.name ?? ''])).toEqual([
      'well',
      'AssertionError',
    ]);
    expect(endsOf(whole('unit = lambda *_: Any()'), [copy?.name ?? ''])).toEqual(['well']);
    const plain = `unit = lambda *_: 1\n${test}${plainCopy(copy?.text ?? '')}`;
    expect(endsOf(plain, [copy?.name ?? ''])).toEqual(['well']);
  });

  it('fails where a loop never gets there', () => {
    const test = 'def test_a():\n    for wanted in []:\n        assert 2 == wanted\n';
    const [copy] = turned(test);
    expect(endsOf(`${test}${copy?.text}`, ['test_a', copy?.name ?? ''])).toEqual(['well', 'AssertionError']);
  });

  it('takes along what stands above a test, and the class that it stands in', () => {
    const [table] = turned(
      '@pytest.mark.parametrize("a, b", [\n    (1, 2),\n])\ndef test_a(a, b):\n    assert f(a) == b\n',
    );
    expect(table?.text).toMatch(
      /^\n\n@pytest\.mark\.parametrize\("a, b", \[\n {4}\(1, 2\),\n\]\)\ndef test_\w+\(a, b\):/,
    );
    const [method] = turned(
      'class TestA(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n',
    );
    expect(method?.text).toMatch(/^\n\n {4}def test_\w+\(self\):\n {8}assert \(f\(1\)\n\) == /);
    expect(method?.original).toBe('test_a');
  });

  it.each([
    'def test_a():\n    if x:\n        assert x == 1\n',
    'def test_a():\n    for x in y:\n        if not x:\n            continue\n        assert x == 1\n',
    'def test_a():\n    with pytest.raises(AssertionError):\n        assert x == 1\n',
    'def test_a():\n    with self.subTest():\n        assert x == 1\n',
    'def test_a():\n    try:\n        assert x == 1\n    except AssertionError:\n        pass\n',
    'def test_a():\n    assert x == 1 or y\n',
    'def test_a():\n    assert not x == 1\n',
    'def test_a():\n    assert x == y == 1\n',
    'def test_a():\n    assert x != 1\n',
    'def test_a():\n    assert x\n',
    'def test_a():\n    assert x == 1\n    close()\n',
    '@pytest.mark.xfail\ndef test_a():\n    assert x == 1\n',
    '@unittest.expectedFailure\ndef test_a():\n    assert x == 1\n',
    '@given(st.integers())\ndef test_a(x):\n    assert x == 1\n',
  ])('leaves alone what may end well for another reason: %j', (test) => {
    expect(turned(test)).toEqual([]);
  });
});
