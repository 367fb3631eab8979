import { expect, it } from 'vitest';
import { askingAnew } from './fresh-tests.ts';
import type { Suite } from './suite.ts';

type Files = Readonly<Record<string, string>>;

/** Which tests of a report ask anew, where the work has these test files; `*` marks files whose names it tells. */
async function asking(before: Files, after: Files, onBase: readonly string[], onHead: readonly string[]) {
  const files = Object.keys(after).map((path) => ({ path, status: 'modified' }));
  const side = (texts: Files) => async (path: string) =>
    texts[path] === undefined ? undefined : Buffer.from(texts[path] ?? '');
  const work = {
    freshTests: files,
    touchedTests: files,
    change: { before: side(before), after: side(after) },
  };
  const report = (ids: readonly string[]) => ({
    complete: true,
    tests: ids.map((id) => {
      const file = /^(\S+\.js) > /.exec(id)?.[1];
      return { id, name: id, outcome: 'passed' as const, ...(file === undefined ? {} : { file }) };
    }),
  });
  const ids = new Set(onHead.filter((id) => !onBase.includes(id)));
  const found = await askingAnew(
    { work } as unknown as Suite,
    { where: 'tests', inline: [], ids },
    report(onBase),
    report(onHead),
  );
  return found.own.map(({ id }) => id);
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
  ['where it stands', 'users > finds by id'],
  ['where a helper puts it into another group', 'with a server > users > finds by id'],
  ['as a program joins its name', 'suite: users finds by id [1]'],
])('a test of base that reads differently asks anew, %s', async (_, id) => {
  const after = { 'a.test.js': group('users', test('finds by id', 'assert.strictEqual(find(1), 3)')) };
  expect(await asking(users, after, [id, 'other'], [id, 'other'])).toEqual([id]);
});

it('so does one whose children another function makes', async () => {
  const text = (wanted: number) => ({
    'a.test.js': `test('users', async (t) => {\n  await check(t, ${wanted});\n});\n`,
  });
  const ids = ['users > finds', 'others > finds'];
  expect(await asking(text(1), text(2), ids, ids)).toEqual(['users > finds']);
});
