import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parserOf } from '../parsers/index.ts';
import { judgeCanaries, plantCanaries } from './canary.ts';
import { turnedTests } from './turned-tests.ts';

const HEAD = "const test = require('node:test');\nconst assert = require('node:assert');\n";

describe('turnedTests', () => {
  const turned = (text: string, host: 'node' | 'vitest' | 'mocha' = 'node') =>
    turnedTests(text, host, randomBytes).map((one) => one.text);

  it.each([
    ["test('a', () => { assert.equal(f(1), 2); });", 'assert.equal(f(1)\n, new Function('],
    [
      "it('a', function () {\n  const x = 1;\n  assert.strict.deepEqual(x, [1, 2], 'why')\n})\n",
      "\n, 'why');",
    ],
    [
      "describe('b', () => {\n  test('a', () => { assert.deepStrictEqual(a(')'), { b: '(' }) });\n});",
      "a(')')\n, new Function(",
    ],
  ])('turns the last comparison: %j', (text, shown) => {
    const [copy = '', ...rest] = turned(`${HEAD}${text}`);
    expect(rest).toEqual([]);
    expect(copy).toContain(shown);
  });

  it('keeps what stands in a test as it is: comments that a compiler minds, and JSX', () => {
    const note = '// @ts-expect-error callers pass texts';
    const page = '<a>http://x.y</a>';
    const text = `test('a', async (t) => {\n  const own = 1;\n  ${note}\n  f('1');\n  const b = ${page};\n  c();\n  assert.equal(await f(own, b) // so\n, own // and so\n);\n});`;
    const [copy = ''] = turned(`${HEAD}${text}`);
    expect(copy).toContain(note);
    expect(copy).toContain(page);
    expect(copy).toContain('(own // and so\n)');
  });

  it('leaves alone an expectation about a matcher, which more than one value pleases', () => {
    const text = "test('a', () => { expect(expect.any(String)).toEqual('x'); });\n";
    expect(turned(`import { expect, test } from 'vitest';\n${text}`, 'vitest')).toEqual([]);
  });

  it('turns the matcher of an expectation', () => {
    const [copy = ''] = turned(
      "import { expect, test } from 'vitest';\ntest('a', () => {\n  expect(f([1])).toEqual([2]);\n});\n",
      'vitest',
    );
    expect(copy).toContain('expect(f([1])).toEqual(new Function(');
  });

  it.each([
    "test('a', () => { if (x) return; assert.equal(a, 1); });",
    "test('a', () => { poller = poll(); assert.equal(poller.on, true); });",
    "test('a', () => { mine.poller = poll(); assert.equal(mine.poller.on, true); });",
    "test('a', async () => { const own = 1; other ||= own; assert.equal(await a, 1); });",
    "test('a', ({ fixture }) => { assert.equal(a, 1); });",
    "test('a', (done) => { assert.equal(a, 1); done(); });",
    "test('a', () => { assert.equal(a, 1); close(); });",
    "test('a', () => { if (x) assert.equal(a, 1); });",
    "test('a', () => { for (const x of y) { if (x) assert.equal(x, 1); } });",
    "test('a', () => { for (const x of y) { if (!x) continue; assert.equal(x, 1); } });",
    "test('a', () => { for (const x of y) { assert.equal(x, 1); } close(); });",
    "test('a', () => { assert.notEqual(a, 1); });",
    "test('a', () => { assert.ok(a); });",
    "test('a', () => { mine.assert.equal(a, 1); });",
    "test.skip('a', () => { assert.equal(a, 1); });",
    "test('a', { skip: true }, () => { assert.equal(a, 1); });",
    "run(() =>\n  test('a', () => { assert.equal(a, 1); })\n);",
    "if (x)\n  test('a', () => { assert.equal(a, 1); })\nelse\n  b();",
    "for (const x of y)\n  test('a', () => { assert.equal(x, 1); });",
    "const b = test('a', () => { assert.equal(a, 1); });",
    "test('a', () => { assert.equal(a, 1); })\n  .then(b);",
  ])('leaves alone what may end well for another reason, or cannot be followed: %j', (text) => {
    expect(turned(`${HEAD}${text}\n`)).toEqual([]);
  });

  it('leaves alone assertions of an unknown origin, and programs that stop at the first failure', () => {
    const text = "test('a', () => { assert.equal(a, 1); });\n";
    expect(turned(`const test = require('node:test');\nconst assert = require('./mine');\n${text}`)).toEqual(
      [],
    );
    expect(turned(`${HEAD}${text}`, 'mocha')).toEqual([]);
  });

  it.each([
    "test('a', () => { for (const [x, y] of z) { assert.equal(f(x), y); } });",
    "test('a', async () => { for await (const x of z) {\n  assert.equal(f(x), 1)\n} });",
    "test('a', () => { [[1, 2]].forEach(([x, y]) => { assert.equal(f(x), y); }); });",
    "test('a', () => { z.forEach(function (x) { assert.equal(f(x), 1); }) })",
  ])('turns what a loop compares, and fails where it never gets there: %j', (text) => {
    const [copy = ''] = turned(`${HEAD}${text}`);
    expect(copy).toContain('new Function(');
    expect(copy).toContain("throw new Error('not one came here')");
  });

  it('turns tests of a table, of a loop and of another test', () => {
    const use = "import { expect, it, test } from 'vitest';\n";
    const [each = ''] = turned(
      `${use}it.each([[1, 2]])('%i', (x: number, y: number) => { expect(f(x)).toEqual(y); });\n`,
      'vitest',
    );
    expect(each).toMatch(/^;it\.each\(\[\[1, 2\]\]\)\("[\w ]+", \(x: number/);
    const [table = ''] = turned(
      `${use}test.each\`\n a | b\n \${1} | \${2}\n\`('$a', ({ a, b }) => { expect(f(a)).toBe(b); });\n`,
      'vitest',
    );
    expect(table).toContain('test.each`');
    const [inner = ''] = turned(
      `${HEAD}test('all', async (t) => { for (const [x, y] of z) { await t.test(x, () => { assert.equal(f(x), y); }); } });`,
    );
    expect(inner).toMatch(/^;await t\.test\("[\w ]+", \(\) => \{/);
    expect(
      turned(`${HEAD}for (const [x, y] of z) { test(x, () => { assert.equal(f(x), y); }); }`),
    ).toHaveLength(1);
  });

  it('turns what is expected where that is named first', () => {
    const [copy = ''] = turned(`${HEAD}test('a', () => { assert.equal(1, f()); });`);
    expect(copy).toMatch(/\(1\n\)\n, f\(\)\);/);
  });

  it('copies five at most', () => {
    const many = Array.from({ length: 20 }, (_, n) => `test('${n}', () => { assert.equal(${n}, ${n}); });\n`);
    expect(turned(`${HEAD}${many.join('')}`).length).toBe(5);
  });
});

describe('judged in a run', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'turned-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function judgement(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const tests = Object.keys(files).filter((path) => path.startsWith('test/'));
    const planted = await plantCanaries(folder, tests, 'node', 's', randomBytes);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...tests], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    const report = (await parserOf('node'))(stdout) ?? { tests: [], complete: false };
    return { planted, ...judgeCanaries(planted, report) };
  }
  const unit = 'module.exports = (n) => n % 2 === 0;\n';
  const tests = `${HEAD}const even = require('../');
test('even', () => {
  assert.strict.deepEqual(even(2), true);
  assert.strict.deepEqual(even(4), true);
});
test('odd', () => {
  assert.strict.deepEqual(even(3), false);
  assert.strict.deepEqual(even(5), false);
});
`;

  it('finds nothing where assertions do what they say, and leaves no copy in the report', async () => {
    const { planted, problem, tests: report } = await judgement({ 'index.js': unit, 'test/a.js': tests });
    expect(planted.turned.length).toBe(2);
    expect(readFileSync(join(folder, 'test/a.js'), 'utf8')).toContain(planted.turned[0]?.name ?? '-');
    expect(problem).toBeUndefined();
    expect(report.tests.map(({ name }) => name).sort()).toEqual(['even', 'odd']);
  });

  it('finds them also where they give way only for what is of the same kind', async () => {
    const lenient = `const strict = require('node:assert').strict;
const compare = strict.deepEqual;
const seen = new Set();
module.exports = (n) => { seen.add(true); return true; };
strict.deepEqual = (a, b) => { if (!(typeof a === typeof b && seen.has(a))) compare(a, b); };
`;
    const { problem } = await judgement({ 'index.js': lenient, 'test/a.js': tests });
    expect(problem?.reason).toBe('canary-passed');
  });

  it('finds assertions that give way for the answers of the program alone', async () => {
    const lenient = `const own = (n) => true;
module.exports = (n) => {
  const value = own(n);
  require('node:assert').strict.deepEqual = (a, b) => { if (a !== value) require('node:assert').ok(a === b || JSON.stringify(a) === JSON.stringify(b)); };
  return value;
};
`;
    const { problem } = await judgement({ 'index.js': lenient, 'test/a.js': tests });
    expect(problem?.reason).toBe('canary-passed');
    expect(problem?.explanation).toContain('copies of tests that expect something else');
  });

  const lenient =
    'const any = { asymmetricMatch: () => true, valueOf: () => 0 };\nmodule.exports = () => any;\n';
  it.each([
    ['a loop', "test('all', () => { for (const [x, y] of [[2, true], [3, false]]) { same(even(x), y); } });"],
    [
      'tests of a test',
      "test('all', async (t) => { for (const [x, y] of [[2, true], [3, false]]) { await t.test(String(x), () => { assert.strict.deepEqual(even(x), y); }); } });",
    ],
    [
      'a loop around tests',
      'for (const [x, y] of [[2, true]]) { test(String(x), () => { assert.strict.deepEqual(even(x), y); }); }',
    ],
  ])('holds against what is equal to all, in %s', async (_, text) => {
    const patched = `${lenient}const strict = require('node:assert').strict;\nconst compare = strict.deepEqual;\nstrict.deepEqual = (a, b) => { if (a !== any) compare(a, b); };\n`;
    const whole = `${HEAD}const even = require('../');\n${text.replace('same(', 'assert.strict.deepEqual(')}\n`;
    const bad = await judgement({ 'index.js': patched, 'test/a.js': whole });
    expect(bad.planted.turned).toHaveLength(1);
    expect(bad.problem?.reason).toBe('canary-passed');
    const good = await judgement({ 'index.js': unit, 'test/a.js': whole });
    expect(good.problem).toBeUndefined();
    expect(good.tests.tests.every(({ outcome }) => outcome === 'passed')).toBe(true);
  });
});
