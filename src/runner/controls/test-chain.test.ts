import { describe, expect, it } from 'vitest';
import { askingAnew } from './fresh-tests.ts';
import type { Suite } from './suite.ts';

type Files = Readonly<Record<string, string>>;

/** Which tests of a report ask anew, where the work has these test files; `~` marks those that have to be told apart first. */
async function asking(...given: Parameters<typeof askingOf>) {
  return (await askingOf(...given)).filter((id) => !id.startsWith('?'));
}

/** With those, marked by `?`, that read as on base and use what reads differently. */
async function askingOf(
  before: Files,
  after: Files,
  onBase: readonly string[],
  onHead: readonly string[],
  format = 'node',
) {
  const files = Object.keys(after).map((path) => ({
    path,
    status: before[path] === undefined ? 'added' : 'modified',
  }));
  const side = (texts: Files) => async (path: string) =>
    texts[path] === undefined ? undefined : Buffer.from(texts[path] ?? '');
  const work = {
    freshTests: files,
    touchedTests: files.filter(({ status }) => status === 'modified'),
    change: { before: side(before), after: side(after), base: { paths: async () => Object.keys(before) } },
  };
  const report = (ids: readonly string[]) => ({
    complete: true,
    tests: ids.map((id) => {
      const file = format === 'junit' ? undefined : /^(\S+\.js) > /.exec(id)?.[1];
      return { id, name: id, outcome: 'passed' as const, ...(file === undefined ? {} : { file }) };
    }),
  });
  const ids = new Set(onHead.filter((id) => !onBase.includes(id)));
  const found = await askingAnew(
    { work, command: { format } } as unknown as Suite,
    { where: 'tests', inline: [], ids },
    report(onBase),
    report(onHead),
  );
  const marked = (mark: string, tests: readonly { readonly id: string }[]) =>
    tests.map(({ id }) => mark + id);
  return [...marked('', found.own), ...marked('~', found.twins), ...marked('?', found.perhaps)];
}

const group = (name: string, ...tests: readonly string[]) =>
  `describe('${name}', () => {\n${tests.join('')}});\n`;
const test = (name: string, body = 'assert.ok(1)') => `test('${name}', () => {\n  ${body};\n});\n`;
const exact = 'assert.strictEqual(find(1), 2)';
const users = { 'a.test.js': group('users', test('finds by id', exact)) };

it.each([
  ['in another group', group('helpers', test('finds by id')), ['helpers > finds by id']],
  ['by a word of its name', test('finds'), ['finds']],
  [
    'by a name that a program makes',
    `for (const title of all)\ntest(\`\${title}\`, () => {});\n`,
    ['is there'],
  ],
])('a test of base is not taken for a new one that is called alike, %s', async (_, text, own) => {
  const known = ['users > finds by id'];
  expect(await asking(users, { ...users, 'b.test.js': text }, known, [...known, ...own])).toEqual(own);
});

it('nor where a report names the file of both', async () => {
  const after = { 'a.test.js': `${users['a.test.js']}${group('more', test('finds by id'), test('finds'))}` };
  const known = ['a.test.js > users finds by id'];
  const own = ['a.test.js > more finds by id', 'a.test.js > more finds'];
  expect(await asking(users, after, known, [...known, ...own])).toEqual(own);
});

it('nor where both have the same name in one file: which of them is which is not told', async () => {
  const after = { 'a.test.js': `${test('finds by id', 'assert.ok(find)')}${test('finds by id', exact)}` };
  const known = ['a.test.js > finds by id'];
  expect(
    await asking({ 'a.test.js': test('finds by id', exact) }, after, known, [...known, `${known}#2`]),
  ).toEqual([`~${known}`, `~${known}#2`]);
});

it('a number that is a part of the name makes no twin of it', async () => {
  const after = { 'a.test.js': `${test('fixes #1')}${test('fixes #2')}` };
  const known = ['a.test.js > fixes #1'];
  const own = ['a.test.js > fixes #2'];
  expect(await asking({ 'a.test.js': test('fixes #1') }, after, known, [...known, ...own])).toEqual(own);
});

it.each([
  ['an escape', "'splits at \\\\r\\\\n'", 'splits at \\r\\n'],
  ['an escape by its number', "'a caf\\u00e9 is \\x41'", 'a café is A'],
  ['a brace in a text of what is filled in', `\`has \${s.split('{').length} blocks\``, 'has 3 blocks'],
  ['braces of two levels in what is filled in', `\`parses \${f({ a: { b: 1 } })} well\``, 'parses 3 well'],
  ['braces inside of what is filled in', `\`parses \${f({ a: 1 })} well\``, 'parses 3 well'],
  ['a text that goes on', "'parses ' + text", 'parses json'],
])('a changed test is known whose name has %s', async (_, name, id) => {
  const text = (asked: string) => ({ 'a.test.js': `test(${name}, () => {\n  assert.ok(${asked});\n});\n` });
  const ids = ['a.test.js > other', `a.test.js > ${id}`];
  const found = await asking(text('find'), text('find(1)'), ids, ids);
  expect(found.map((one) => one.replace('~', ''))).toEqual([ids[1]]);
});

it('nor for the test that it stands in, when that gets another one', async () => {
  const parent = (more: string) => ({
    'a.test.js': `test('users', async (t) => {\n  t.test('finds by id', () => {\n    ${exact};\n  });\n${more}});\n`,
  });
  const after = parent("  t.test('is there', () => {\n    assert.ok(find);\n  });\n");
  const known = ['users > finds by id'];
  expect(await asking(parent(''), after, known, [...known, 'users > is there'])).toEqual([
    'users > is there',
  ]);
});

it('nor for one of another module of Python', async () => {
  const before = { 'tests/test_a.py': 'def test_find():\n    assert find(1) == 2\n' };
  const after = { ...before, 'tests/test_b.py': 'def test_find():\n    assert find\n' };
  const known = ['tests.test_a > test_find'];
  const own = ['tests.test_b > test_find'];
  expect(await asking(before, after, known, [...known, ...own])).toEqual(own);
});

it.each([
  ['where it stands', 'users > finds by id', ''],
  ['where a helper puts it into another group', 'with a server > users > finds by id', ''],
  ['as a program joins its name, if nothing else is', 'suite: users finds by id [1]', '~'],
])('a test of base that reads differently asks anew, %s', async (_, id, mark) => {
  const after = { 'a.test.js': group('users', test('finds by id', 'assert.strictEqual(find(1), 3)')) };
  expect(await asking(users, after, [id, 'other'], [id, 'other'])).toEqual([`${mark}${id}`]);
});

it('so does one whose children another function makes', async () => {
  const text = (wanted: number) => ({
    'a.test.js': `test('users', async (t) => {\n  await check(t, ${wanted});\n});\n`,
  });
  const ids = ['users > finds', 'others > finds'];
  expect(await asking(text(1), text(2), ids, ids)).toEqual(['~users > finds']);
});

const lazy = 'assert.ok(find)';
const loop = (word: string, body: string) =>
  `for (const id of [1, 2]) {\n  test(\`${word} \${id}\`, () => {\n    ${body};\n  });\n}\n`;

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

describe('a changed test of base', () => {
  it('is asked by a name of its own where a loop names it', async () => {
    const ids = ['finds 1', 'finds 2', 'other'];
    const [before, after] = [exact, `${exact};\n  ${lazy}`].map((body) => ({
      'a.test.js': loop('finds', body),
    }));
    expect(await asking(before ?? {}, after ?? {}, ids, ids)).toEqual(['~finds 1', '~finds 2']);
  });

  it('is that one where its file is told, and no other of it is called alike', async () => {
    const ids = ['a.test.js > finds 1', 'a.test.js > finds 2', 'a.test.js > other'];
    const [before, after] = [exact, lazy].map((body) => ({ 'a.test.js': loop('finds', body) }));
    expect(await asking(before ?? {}, after ?? {}, ids, ids)).toEqual(ids.slice(0, 2));
  });

  it('is that one in each binary of Rust, unless another file has its module', async () => {
    const text = (asked: string) =>
      `mod tests {\n    #[test]\n    fn works() {\n        ${asked};\n    }\n}\n`;
    const ids = ['a::tests::works', 'a::tests::works#2'];
    const one = await asking({ 'src/a.rs': text('one') }, { 'src/a.rs': text('two') }, ids, ids);
    expect(one).toEqual(ids);
    const other = { 'more/src/a.rs': text('one') };
    const before = { 'src/a.rs': text('weak'), ...other };
    const found = await asking(before, { 'src/a.rs': text('two') }, ids, ids);
    expect(found).toEqual(ids.map((id) => `~${id}`));
  });

  it('and where it is shared, and a test elsewhere is called as it is', async () => {
    const text = (body: string) => `function behaves() {\n${test('works', body)}}\n`;
    const ids = ['works', 'memory > works', 'disk > works', 'networks'];
    const found = await asking({ 'a.test.js': text(exact) }, { 'a.test.js': text(lazy) }, ids, ids);
    expect(found).toEqual(['~works', '~memory > works', '~disk > works']);
  });

  it('is that one, and not another of the same text that stays', async () => {
    const text = (body: string) => ({
      'a.test.js': `${group('a', test('works', exact))}${group('b', test('works', body))}`,
    });
    const ids = ['a > works', 'b > works'];
    expect(await asking(text(exact), text(lazy), ids, ids)).toEqual(['b > works']);
  });

  it.each([
    ['unit/users > TestFind/by_id', 'users/users_test.go', 'func TestFind(t *testing.T) {\n\tASKED\n}\n'],
    ['tests.test_a > test_find[1]', 'tests/test_a.py', 'def test_find(n):\n    ASKED\n'],
    ['a::tests::works', 'src/a.rs', 'mod tests {\n    #[test]\n    fn works() {\n        ASKED\n    }\n}\n'],
  ])('is known by all that it stands in: %s', async (id, path, text) => {
    const side = (asked: string) => ({ [path]: text.replace('ASKED', asked) });
    const other = id.replace(/users|test_a|^a(?=:)/, 'others');
    expect(await asking(side('one'), side('other'), [id, other], [id, other])).toEqual([id]);
  });
});
