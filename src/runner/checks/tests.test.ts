import { describe, expect, it } from 'vitest';
import { type Case, judgedCheck } from '../../../tests/fixtures/judged.ts';

const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
};
const suite = (...tests: readonly string[]) =>
  `const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { add, sub } = require('../sum.js');\n${tests.join('\n')}\n`;
const adds = "test('adds', () => assert.strictEqual(add(1, 2), 3));";
const negative = "test('adds a negative', () => assert.strictEqual(add(1, -2), -1));";
const source = (add: string, more = '') =>
  `exports.add = (a, b) => ${add};\nexports.sub = (a, b) => a - b;\n${more}`;

const buggy = source('a + Math.abs(b)');
const fixed = source('a + b');
const base = { 'sum.js': buggy, 'test/sum.test.js': suite(adds) };
const fix: Case = {
  base,
  work: { 'sum.js': fixed, 'test/sum.test.js': suite(adds, negative) },
  checks: [check],
};
const refusal = async (given: Partial<Case>) => {
  const { outcome, reason } = await judgedCheck({ ...fix, ...given });
  return [outcome, reason];
};

describe('honest work passes', () => {
  it('a fix with its test', async () => {
    const result = await judgedCheck(fix);
    expect(result).toMatchObject({ outcome: 'pass', reason: '', tests: { passed: 2, failed: 0 } });
    expect(result.shows).toEqual(['tests', 'canary', 'red-green']);
    expect(result.notes).toContain('red on base, green on head: 1 tests, and 0 that base could not load');
  });

  it('a fix of what a test of base asked for already', async () => {
    const failing = { ...base, 'test/sum.test.js': suite(adds, negative) };
    expect(await refusal({ base: failing, work: { 'sum.js': fixed } })).toEqual(['pass', '']);
  });

  it('a new module, whose tests base cannot load', async () => {
    const work = {
      'mul.js': 'exports.mul = (a, b) => a * b;\n',
      'test/mul.test.js': suite(
        "const { mul } = require('../mul.js');",
        "test('multiplies', () => assert.strictEqual(mul(2, 3), 6));",
      ),
    };
    const result = await judgedCheck({ ...fix, work });
    expect(result).toMatchObject({ outcome: 'pass' });
    expect(result.notes.join('\n')).toMatch(/noticed by "multiplies": mul\.js:1/);
  });

  it('a new module whose code has no operator: another answer is noticed', async () => {
    const work = {
      'two.js': 'exports.two = () => 2\n',
      'test/two.test.js': suite(
        "const { two } = require('../two.js');",
        "test('is two', () => assert.strictEqual(two(), 2));",
      ),
    };
    const result = await judgedCheck({ ...fix, work });
    expect(result).toMatchObject({ outcome: 'pass' });
    expect(result.shows).toContain('red-green');
    const lazy = work['test/two.test.js'].replace('assert.strictEqual(two(), 2)', 'two()');
    expect(await refusal({ work: { ...work, 'test/two.test.js': lazy } })).toEqual([
      'fail',
      'no-red-on-base',
    ]);
  });

  it('a new file of no known language, and the result says that its change could not be tried', async () => {
    const work = {
      'data.json': '{"two": 2}\n',
      'test/two.test.js': suite(
        "const { two } = require('../data.json');",
        "test('is two', () => assert.strictEqual(two, 2));",
      ),
    };
    const published = { ...fix.base, 'package.json': '{"files": ["data.json"]}\n' };
    const result = await judgedCheck({ ...fix, base: published, work });
    expect(result.shows).toEqual(['tests', 'canary']);
    expect(result.notes.join('\n')).toContain('no changed file is code of a known language');
    // Where nobody but the test gets it, it is a part of the test.
    expect(await refusal({ work })).toEqual(['fail', 'no-red-on-base']);
  });

  it('a refactoring without a new test, and tests alone that notice a change of the code', async () => {
    expect(await refusal({ work: { 'sum.js': source('a + Math.abs(b) + 0') }, kind: 'refactor' })).toEqual([
      'pass',
      '',
    ]);
    const more = suite(adds, "test('subtracts', () => assert.strictEqual(sub(3, 1), 2));");
    expect(await refusal({ work: { 'test/sum.test.js': more }, kind: 'tests' })).toEqual(['pass', '']);
  });

  it('documents, and work that needs no change', async () => {
    expect(await refusal({ work: { 'README.md': 'sums\n' }, kind: 'docs' })).toEqual(['pass', '']);
    expect(await refusal({ work: {}, noChange: true })).toEqual(['pass', '']);
  });

  it('a test file that was renamed: its tests came along', async () => {
    const work = {
      'sum.js': fixed,
      'test/sum.test.js': undefined,
      'test/add.test.js': suite(adds, negative),
    };
    expect(await refusal({ work })).toEqual(['pass', '']);
  });
});

describe('what shows nothing is refused', () => {
  it('no test, and a test that passes without the change', async () => {
    expect(await refusal({ work: { 'sum.js': fixed } })).toEqual(['fail', 'no-new-test']);
    const idle = suite(adds, "test('works', () => assert.ok(true));");
    expect(await refusal({ work: { 'sum.js': fixed, 'test/sum.test.js': idle } })).toEqual([
      'fail',
      'no-red-on-base',
    ]);
  });

  it('a test that looks for words in the source, or for words that are gone', async () => {
    const reads = (condition: string) =>
      suite(
        adds,
        `test('fixed', () => assert.ok(${condition.replace('TEXT', "require('node:fs').readFileSync(__dirname + '/../sum.js', 'utf8')")}));`,
      );
    const comment = source('a + Math.abs(b)', '// fixed\n');
    expect(
      await refusal({ work: { 'sum.js': comment, 'test/sum.test.js': reads("TEXT.includes('// fixed')") } }),
    ).toEqual(['fail', 'reads-source']);
    const other = source('a + (b < 0 ? -b : b)');
    expect(
      await refusal({ work: { 'sum.js': other, 'test/sum.test.js': reads("!TEXT.includes('Math.abs')") } }),
    ).toEqual(['fail', 'reads-source']);
    const told = suite(
      adds,
      "test('fixed', () => assert.ok(String(Object.values(require('../sum.js'))[0]).includes('* 1')));",
    );
    expect(
      await refusal({ work: { 'sum.js': source('(a + Math.abs(b)) * 1'), 'test/sum.test.js': told } }),
    ).toEqual(['fail', 'reads-source']);
  });

  it('a stub with a test that only base cannot load', async () => {
    const stub = source('a + Math.abs(b)', 'exports.mul = (a, b) => a + b;\n');
    const idle = suite(adds, "test('multiplies', () => { if (require('../mul.js')) assert.ok(true); });");
    expect(
      await refusal({
        work: {
          'sum.js': stub,
          'mul.js': 'module.exports = { ready: true };\n',
          'test/mul.test.js': idle.replace("require('../sum.js')", "require('../mul.js')").replace(adds, ''),
        },
      }),
    ).toEqual(['fail', 'no-red-on-base']);
  });

  it('tests alone that notice nothing', async () => {
    const idle = suite(adds, "test('subtracts', () => assert.ok(typeof sub === 'function'));");
    expect(await refusal({ work: { 'test/sum.test.js': idle }, kind: 'tests' })).toEqual([
      'fail',
      'no-red-on-base',
    ]);
  });
});

describe('a test file of the change', () => {
  it('has to be run', async () => {
    const only = [{ ...check, run: ['node', '--test', '--test-reporter=tap', 'test/sum.test.js'] }];
    const work = { ...fix.work, 'test/more.test.js': suite(negative) };
    expect((await refusal({ work, checks: only }))[0]).toBe('fail');
  });

  it('that nobody runs, on base neither, is no canary that is missed', async () => {
    const only = [{ ...check, run: ['node', '--test', '--test-reporter=tap', 'test/sum.test.js'] }];
    const idle = { ...base, 'test/other.test.js': suite(adds) };
    expect(await refusal({ base: idle, checks: only })).toEqual(['pass', '']);
  });
});

describe("base's tests stay", () => {
  it('one that was removed, skipped or rewritten to agree is missed', async () => {
    const broken = source('a - b');
    const removed = suite(negative.replace('-1', '3'));
    expect(await refusal({ work: { 'sum.js': broken, 'test/sum.test.js': removed } })).toEqual([
      'fail',
      'test-missing',
    ]);
    const skipped = suite(adds.replace('test(', 'test.skip('), negative.replace('-1', '3'));
    expect(await refusal({ work: { 'sum.js': broken, 'test/sum.test.js': skipped } })).toEqual([
      'fail',
      'test-missing',
    ]);
    const rewritten = suite(adds.replace('3)', '-1)'), negative.replace('-1', '3'));
    expect(await refusal({ work: { 'sum.js': broken, 'test/sum.test.js': rewritten } })).toEqual([
      'fail',
      'base-test-failed',
    ]);
  });
});

describe('failures', () => {
  const known = {
    'sum.js': buggy,
    'test/sum.test.js': suite(adds, "test('never', () => assert.fail('known'));"),
  };
  const work = {
    'sum.js': fixed,
    'test/sum.test.js': suite(adds, negative, "test('never', () => assert.fail('known'));"),
  };

  it('of base are told from new ones, and let be only where the criteria say so', async () => {
    expect(await refusal({ base: known, work })).toEqual(['fail', 'known-failure']);
    const tolerant = [{ ...check, known_failures: 'tolerate' }];
    expect(await refusal({ base: known, work, checks: tolerant })).toEqual(['pass', '']);
    const worse = { ...work, 'sum.js': source('a - b') };
    expect(await refusal({ base: known, work: worse, checks: tolerant })).toEqual(['fail', 'new-failure']);
  });

  it('now and then are flaky, whatever the last attempt said', async () => {
    const file = "require('node:path').join(process.env.HOME, 'seen')";
    const now = `test('now and then', () => { const fs = require('node:fs'); const seen = fs.existsSync(${file}); fs.writeFileSync(${file}, ''); assert.ok(seen && add(1, -2) === -1); });`;
    const result = await judgedCheck({
      ...fix,
      work: { 'sum.js': fixed, 'test/sum.test.js': suite(adds, now) },
      checks: [{ ...check, attempts: 2 }],
    });
    expect(result).toMatchObject({ outcome: 'fail', reason: 'flaky' });
    expect(result.notes.slice(0, 2).map((note) => note.slice(0, 15))).toEqual([
      'attempt 1: fail',
      'attempt 2: pass',
    ]);
  });
});

describe('work that kills its own test program', () => {
  const kill = "process.kill(process.pid, 'SIGKILL');\n";
  it('fails, and is no accident that somebody could wave through', async () => {
    expect(await refusal({ work: { 'sum.js': `${kill}${fixed}` } })).toEqual(['fail', 'new-failure']);
    const above = `${kill.replace('.pid', '.ppid')}${fixed}`;
    expect(await refusal({ work: { 'sum.js': above } })).toEqual(['fail', 'run-incomplete']);
    const runner = {
      ...check,
      run: ['node', '-e', "require('./test/sum.test.js')"],
      report: { format: 'tap' },
      files: ['test/**'],
    };
    expect(await refusal({ work: { 'sum.js': `${kill}${fixed}` }, checks: [runner] })).toEqual([
      'fail',
      'run-incomplete',
    ]);
    expect(
      await refusal({ work: { 'sum.js': `${kill}${fixed}` }, checks: [{ ...runner, controls: [] }] }),
    ).toEqual(['fail', 'run-incomplete']);
  });

  it('is left open where base does not come to its end either', async () => {
    const runner = {
      ...check,
      run: ['node', '-e', "process.kill(process.pid, 'SIGTERM')"],
      report: { format: 'tap' },
    };
    expect(await refusal({ checks: [runner] })).toEqual(['indeterminate', 'not-told']);
  });
});
