import { describe, expect, it } from 'vitest';
import {
  asking,
  askingOf,
  exact,
  type Files,
  group,
  lazy,
  loop,
  test,
  users,
} from '../../../tests/fixtures/asking.ts';

describe('a new test makes no test of base its own', () => {
  const python = (name: string, asked: string) => `def ${name}():\n    assert ${asked}\n`;
  const go = (name: string, asked: string) => `func ${name}(t *testing.T) {\n\t${asked}\n}\n`;
  const rust = (asked: string) => `mod tests {\n    #[test]\n    fn works() {\n        ${asked};\n    }\n}\n`;

  it.each<[string, Files, Files, string, readonly string[]]>([
    [
      'in a group whose name is an expression',
      users,
      { 'b.test.js': `describe(find.name, () => {\n${test('finds by id', lazy)}});\n` },
      'users > finds by id',
      ['find > finds by id'],
    ],
    [
      'in another folder of Python',
      { 'tests/users/test_models.py': python('test_find', 'find(1) == 2') },
      { 'tests/orders/test_models.py': python('test_find', 'orders') },
      'tests.users.test_models > test_find',
      ['tests.orders.test_models > test_find'],
    ],
    [
      'in another package of Go',
      { 'users/users_test.go': go('TestFind', 'if find(1) != 2 { t.Fatal() }') },
      { 'orders/orders_test.go': go('TestFind', '_ = orders') },
      'unit/users > TestFind',
      ['unit/orders > TestFind'],
    ],
    [
      'in another module of Rust',
      { 'src/a.rs': rust('assert_eq!(find(1), 2)') },
      { 'src/lib.rs': rust('let _ = find') },
      'a::tests::works',
      ['tests::works'],
    ],
    [
      'in another file, where the report tells that in the place of a group',
      { 'test/users.test.js': test('finds by id', exact) },
      { 'test/orders.test.js': test('finds by id', lazy) },
      'test/users.test.js > finds by id',
      ['test/orders.test.js > finds by id'],
    ],
  ])('%s', async (_, before, added, id, own) => {
    const known = [id];
    expect(await asking(before, { ...before, ...added }, known, [...known, ...own], 'junit')).toEqual(own);
  });

  it('in a loop or a table of the same file', async () => {
    const base = { 'a.test.js': loop('finds', exact) };
    const after = { 'a.test.js': `${base['a.test.js']}${loop('has', lazy)}` };
    const known = ['a.test.js > finds 1', 'a.test.js > finds 2'];
    const own = ['a.test.js > has 1', 'a.test.js > has 2'];
    expect(await asking(base, after, known, [...known, ...own])).toEqual(own);
  });

  it('beside a comment about a test program whose reports name assertions', async () => {
    const about = `// the same as with require('tape')\nconst about = "require('tape')";\n${test('is there', lazy)}`;
    const known = ['users > finds by id'];
    for (const format of ['node', 'tap', 'junit'])
      expect(
        await asking(users, { ...users, 'b.test.js': about }, known, [...known, 'is there'], format),
      ).toEqual(['is there']);
  });

  it.each([
    ['the one whose tests it has', "import { test } from 'node:test';\n"],
    ['one whose functions it calls', "describe('users', () => {});\n"],
  ])('in a file that loads a program whose reports name assertions beside %s', async (_, other) => {
    const text = (body: string) => ({
      'b.test.js': `${other}if (0) require('tape');\n${test('other', body)}`,
    });
    const known = ['users > finds by id', 'other'];
    expect(await asking(text(exact), text(lazy), known, known, 'tap')).toEqual(['other']);
  });

  it('nor by a test of base that was moved as it was, and left its name to another one', async () => {
    const moved = {
      'b.test.js': users['a.test.js'],
      'a.test.js': group('helpers', test('finds by id', lazy)),
    };
    const known = ['users > finds by id'];
    const own = ['helpers > finds by id'];
    expect(await asking(users, moved, known, [...known, ...own])).toEqual(own);
  });

  it('nor where that one takes the place that it left, and it stands elsewhere in the same file', async () => {
    const moved = {
      'a.test.js': `${test('finds by id', exact)}${group('users', test('finds by id', lazy))}`,
    };
    const known = ['users > finds by id'];
    expect(await asking(users, moved, known, [...known, 'finds by id'])).toEqual([]);
    for (const further of [`for (const n of ['x']) {\n  test(n, () => {\n    ${lazy};\n  });\n}\n`, ''])
      expect(
        await asking(users, { 'a.test.js': `${moved['a.test.js']}${further}` }, known, [
          ...known,
          'finds by id',
        ]),
      ).toEqual([]);
    const made = {
      'a.test.js': `describe(\`u\${1}\`, () => {\n${test('finds by id', exact)}});\n${group('users', test('finds by id', lazy))}`,
    };
    expect(await asking(users, made, known, [...known, 'u1 > finds by id'])).toEqual([]);
    // One that is called just as the moved one is, is asked by a name of its own.
    const so = {
      'a.test.js': [
        group('u', test('finds', exact)),
        test('finds', lazy),
        group('u', test('finds', exact + lazy)),
      ].join(''),
    };
    const twice = ['u > finds', 'u > finds#2'];
    const found = await asking({ 'a.test.js': test('finds', exact) }, so, ['finds'], ['finds', ...twice]);
    expect(found).toEqual(twice.map((id) => `~${id}`));
    // One that stands there as well as before is another test, as one of another set-up is.
    const both = { 'a.test.js': `${test('finds by id', exact)}${users['a.test.js']}` };
    expect(await asking(users, both, known, [...known, 'finds by id'])).toEqual(['finds by id']);
  });
});

describe('rows of one name', () => {
  it('are new ones where the groups that hold them are', async () => {
    const text = (list: string) => ({
      'a.test.js': `describe.each(${list})('with %s', () => {\n${test('finds', exact)}});\n`,
    });
    const known = ['with 1 > finds'];
    const now = [...known, 'with 2 > finds'];
    expect(await asking(text('[1]'), text('[1, 2]'), known, now)).toEqual(['with 2 > finds']);
  });

  const rows = (list: string) => `const rows = ${list};\n`;
  const each = `for (const row of rows) {\n  test('finds', () => {\n    assert.equal(find(row), row);\n  });\n}\n`;

  it('are asked as they are where the table has more of them, and not where another test is called so', async () => {
    const base = { 'a.test.js': `${rows('[1]')}${each}` };
    const more = { 'a.test.js': `${rows('[1, 2]')}${each}` };
    const [known, now] = [['finds'], ['finds', 'finds#2']];
    expect(await askingOf(base, more, known, now)).toEqual(['?finds', '?finds#2']);
    const other = { 'a.test.js': `${rows('[1, 2]')}${each}${test('finds', lazy)}` };
    expect(await askingOf(base, other, known, [...now, 'finds#3'])).toEqual([
      '~finds',
      '~finds#2',
      '~finds#3',
    ]);
  });
});
