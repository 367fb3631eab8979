import { expect, it } from 'vitest';
import { type Case, judgedCheck } from '../../../tests/fixtures/judged.ts';

// Tests of the work that are called as tests of base are, in reports that name no files.

const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap'],
  report: { format: 'node' },
};
const judged = async (given: Pick<Case, 'base' | 'work' | 'kind'>) => {
  const { outcome, reason, explanation } = await judgedCheck({ ...given, checks: [check] });
  return [outcome, outcome === 'pass' ? '' : `${reason}: ${explanation}`];
};
const users =
  "export const find = (list, id) => {\n  const found = list.find((user) => user.id === id);\n  return found === undefined ? 'nobody' : found.name;\n};\n";
const all = `${users}export const findAll = (list, id) => {\n  return list.filter((user) => user.id === id).map((user) => user.name);\n};\n`;
const loop = (word: string, asked: string) =>
  `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { ${word} } from '../users.mjs';\nfor (const id of [1, 2]) {\n  test(\`finds \${id}\`, () => {\n    ${asked};\n  });\n}\n`;
const exact = (word: string, wanted: string) =>
  loop(word, `assert.deepStrictEqual(${word}([{ id: 1, name: 'a' }, { id: 2, name: 'a' }], id), ${wanted})`);

it('those that a loop names show the change if they notice other code themselves', async () => {
  const base = { 'users.mjs': users, 'test/find.test.mjs': exact('find', "'a'") };
  const work = { 'users.mjs': all, 'test/all.test.mjs': exact('findAll', "['a']") };
  expect(await judged({ base, work })).toEqual(['pass', '']);
});

it('where tests are the whole work, those of base that are called the same notice nothing for them', async () => {
  const base = { 'users.mjs': users, 'test/find.test.mjs': exact('find', "'a'") };
  const lazy = { 'test/more.test.mjs': loop('find', 'assert.ok(find)') };
  const [outcome, why] = await judged({ base, work: lazy, kind: 'tests' });
  expect(outcome).toBe('fail');
  expect(why).toContain('do not notice any');
});

it('nor where they cannot have names of their own', async () => {
  const base = { 'users.mjs': users, 'test/find.test.mjs': exact('find', "'a'") };
  const lazy = { 'test/more.test.mjs': loop('find', 'assert.ok(find, test.name)') };
  const [outcome, why] = await judged({ base, work: lazy, kind: 'tests' });
  expect([outcome, why]).toEqual([
    'fail',
    expect.stringContaining('give new tests names that no other test has'),
  ]);
});

it('nor beside code that was merely moved to where base could not load it from', async () => {
  const base = { 'users.mjs': users, 'test/find.test.mjs': exact('find', "'a'") };
  const lazy = loop('find', 'assert.ok(find, test.name)').replace('../users.mjs', '../helpers.mjs');
  const moved = { 'helpers.mjs': users, 'users.mjs': "export { find } from './helpers.mjs';\n" };
  const [outcome, why] = await judged({ base, work: { ...moved, 'test/also.test.mjs': lazy } });
  expect([outcome, why]).toEqual([
    'fail',
    expect.stringContaining('give new tests names that no other test has'),
  ]);
});

it('a loop of base that also asks for a new export shows it, beside tests that ask for nothing', async () => {
  const asking = (words: string, more: string) =>
    exact('find', "'a'")
      .replace('{ find }', `{ ${words} }`)
      .replace(/;\n {2}\}\);/, `;\n${more}$&`);
  const base = { 'users.mjs': users, 'test/find.test.mjs': asking('find', '') };
  const also = "    assert.deepStrictEqual(findAll([{ id: 1, name: 'a' }], 1), ['a'])";
  const changed = asking('find, findAll', also);
  const work = { 'users.mjs': all, 'test/find.test.mjs': changed };
  expect(await judged({ base, work })).toEqual(['pass', '']);
  const idle = `${changed}test('is a function', () => {\n  assert.ok(findAll);\n});\n`;
  expect(await judged({ base, work: { ...work, 'test/find.test.mjs': idle } })).toEqual(['pass', '']);
});

it('a group whose name is an expression brings no test of base along', async () => {
  const inGroup = (group: string, asked: string) =>
    `import { describe, test } from 'node:test';\nimport assert from 'node:assert';\nimport { find } from '../users.mjs';\ndescribe(${group}, () => {\n  test('finds by id', () => {\n    ${asked};\n  });\n});\n`;
  const wanted = "assert.strictEqual(find([{ id: 1, name: 'a' }], 1), 'a')";
  const base = { 'users.mjs': users, 'test/find.test.mjs': inGroup("'users'", wanted) };
  const lazy = { 'test/more.test.mjs': inGroup('find.name', 'assert.ok(find)') };
  const [outcome, why] = await judged({ base, work: lazy, kind: 'tests' });
  expect([outcome, why]).toEqual(['fail', expect.stringContaining('do not notice any')]);
});
