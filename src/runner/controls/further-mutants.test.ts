import { describe, expect, it, test } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';
import { furtherMutants } from './further-mutants.ts';

const briefs = (path: string, text: string) => furtherMutants(path, text, () => true).map((m) => m.brief);

test('functions answer nothing, values are not kept, arguments are not handed on', () => {
  const error = 'constructor(status, message) { super(message); this.status = status; }';
  expect(briefs('a.js', `class E extends Error {\n  ${error}\n}\n`)).toEqual([
    'status -> undefined',
    'message -> undefined',
  ]);
  expect(briefs('a.js', "export async function slug(s) { return s.trim().split(' '); }")).toEqual([
    '{ -> { return undefined;',
    "s.trim().split(' ') -> undefined",
    "' ' -> undefined",
  ]);
  expect(briefs('a.js', "const m = new Map([['a', 'x'], ['b', 'y']]);")).toEqual([
    "'a' -> 'mutated', and 3 more",
    "new Map([['a', 'x'], ['b', 'y']]) -> undefined",
    "'x' -> 'mutated'",
    "[['a', 'x'], ['b', 'y']] -> undefined",
    "'b' -> 'mutated'",
    "'y' -> 'mutated'",
  ]);
});

test('what stood there stays as a comment, also where functions all answer nothing at once', () => {
  const [all] = furtherMutants(
    'a.js',
    'const a = (x) => x.y;\nconst b = (x) => x * /* 2 */ 3;\n',
    () => true,
  );
  expect(all?.content).toBe(
    'const a = (x) => undefined /* const a = (x) => x.y; */;\nconst b = (x) => undefined /* const b = (x) => x * / * 2 * / 3; */;\n',
  );
  const [one] = furtherMutants('a.py', "def f(x):\n    return '$&'.join(x)\n", () => true);
  expect(one?.content).toBe("def f(x):\n    return None  # return '$&'.join(x)\n");
});

test('any text is read in little time, and gives no more than was asked for', () => {
  const texts = [
    'f('.repeat(40_000),
    '){'.repeat(40_000),
    'x = f(1, "a") => {\n'.repeat(5_000),
    'return '.repeat(9_000),
  ];
  const start = performance.now();
  for (const text of texts)
    for (const path of ['a.js', 'a.py', 'a.rs', 'a.go'])
      expect(furtherMutants(path, text, () => true).length).toBeLessThanOrEqual(10);
  expect(performance.now() - start).toBeLessThan(20_000);
});

const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
};

/** What becomes of a new module with a test, which base cannot load. */
const verdict = async (source: string, name: string, body: string) => {
  const head = `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { ${name} } from '../one.mjs';\n`;
  const { outcome, reason, explanation } = await judgedCheck({
    base: { 'zero.mjs': 'export const zero = 0;\n' },
    work: { 'one.mjs': source, 'test/one.test.mjs': `${head}test('one', async () => { ${body} });\n` },
    checks: [check],
  });
  return { found: [outcome, reason], explanation };
};
const passes = ['pass', ''];
const refused = ['fail', 'no-red-on-base'];

const error = `export class HttpError extends Error {
  constructor(status, message) { super(message); this.status = status; this.name = 'HttpError'; }
}
`;
const slug = "export async function slug(s) { return s.trim().toLowerCase().split(' ').join('-'); }\n";
const table =
  "const known = new Map([['a', 'x'], ['b', 'y'], ['c', 'z']]);\nexport function lookup(k) { return known.get(k); }\n";
const bus =
  'export const all = (list, fn) => {\n  return Promise.all(list.map(fn));\n};\nexport const word = "w";\n';

describe('a new module whose first literal no test asks for', () => {
  it.each([
    ['a class', error, 'HttpError', "assert.equal(new HttpError(404, 'no').status, 404);"],
    ['what it hands on', error, 'HttpError', "assert.equal(new HttpError(404, 'no').message, 'no');"],
    ['one line', slug, 'slug', "assert.equal(await slug(' a '), 'a');"],
    ['a table', table, 'lookup', "assert.equal(lookup('q'), undefined); assert.equal(lookup('b'), 'y');"],
  ])('%s', async (_, source, name, body) => {
    expect((await verdict(source, name, body)).found).toEqual(passes);
  });

  it.each([
    ['asserts nothing', slug, 'slug', "await slug(' a '); assert.ok(true);"],
    ['asks what it is', slug, 'slug', "assert.equal(typeof slug, 'function');"],
    ['asks what is written', slug, 'slug', 'assert.match(slug.toString(), /return s.trim/);'],
    ['only makes one', error, 'HttpError', "assert.ok(new HttpError(404, 'no') instanceof Error);"],
    ['sees only what breaks off', bus, 'all', 'await all([1], async () => 1);'],
    ['wants that nothing is thrown', bus, 'all', 'assert.doesNotThrow(() => all([1], () => 1));'],
  ])('is refused with a test that %s', async (_, source, name, body) => {
    expect((await verdict(source, name, body)).found).toEqual(refused);
  });

  it('a file that became a barrel, with a module for each of its functions', async () => {
    const add = 'export function add(a, b) { return a + b; }\n';
    const split = async (body: string) => {
      const { outcome, reason } = await judgedCheck({
        base: { 'index.mjs': `${add}${slug.replace('.trim()', '')}` },
        work: {
          'add.mjs': add,
          'slug.mjs': slug,
          'index.mjs': "export { add } from './add.mjs';\nexport { slug } from './slug.mjs';\n",
          'test/slug.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { slug } from '../slug.mjs';\ntest('trims', async () => { ${body} });\n`,
        },
        checks: [check],
      });
      return [outcome, reason];
    };
    expect(await split("assert.equal(await slug(' a '), 'a');")).toEqual(passes);
    expect(await split("assert.ok(await slug(' a ') !== 'b');")).toEqual(refused);
  });

  it('the refusal names places, and what would help', async () => {
    const { explanation } = await verdict(slug, 'slug', "await slug(' a ');");
    expect(explanation).toMatch(/one\.mjs:1 ' ' -> 'mutated'; one\.mjs:1 .*: let a test compare what/);
  });
});
