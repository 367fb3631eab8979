import { describe, expect, it } from 'vitest';
import { asking, exact, group, lazy, loop, test, users } from '../../../tests/fixtures/asking.ts';

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
