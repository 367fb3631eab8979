import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../report.ts';
import { parserOf, type ReportFormat } from './index.ts';

async function read(format: ReportFormat, text: string): Promise<Report | undefined> {
  return (await parserOf(format))(text);
}
const shown = (report: Report | undefined) => report?.tests.map(({ id, outcome }) => `${outcome} ${id}`);

describe('tap', () => {
  it('counts leaves with their way, and keeps the plan', async () => {
    const text = [
      'TAP version 14',
      '# Subtest: outer',
      '    ok 1 - a',
      '    ok 2 - a',
      '    not ok 3 - b # TODO later',
      '    1..3',
      'ok 1 - outer',
      'ok 2 - c # SKIP why',
      'not ok 3 - d',
      '  ---',
      '  x: 1',
      '  ...',
      'ok 4',
      'noise',
      '1..4',
      '',
    ].join('\n');
    const report = await read('tap', text);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual([
      'passed outer > a',
      'passed outer > a#2',
      'todo outer > b',
      'skipped c',
      'failed d',
      'passed (test 4)',
    ]);
  });

  it('counts a parent that fails although its children passed', async () => {
    const report = await read('tap', '# Subtest: p\n    ok 1 - a\n    1..1\nnot ok 1 - p\n1..1\n');
    expect(shown(report)).toEqual(['passed p > a', 'failed p']);
  });

  it.each([
    ['no plan', 'ok 1 - a\nok 2 - b\n'],
    ['fewer tests than planned', '1..3\nok 1 - a\n'],
    ['a printed extra test', '1..1\nok 1 - a\nok 2 - fake\n'],
    ['a nested plan that is not kept', '# Subtest: p\n    ok 1 - a\n    1..2\nok 1 - p\n1..1\n'],
    ['a bail-out', '1..1\nok 1 - a\nBail out! no\n'],
    ['a number twice', '1..2\nok 1 - a\nok 1 - b\n'],
    ['a last line that is cut off', '1..2\nok 1 - a\nok 2 - b'],
  ])('is incomplete with %s', async (_, text) => {
    expect((await read('tap', text))?.complete).toBe(false);
  });

  it('takes 1..0 for zero tests, and other text for no report', async () => {
    expect(await read('tap', '1..0\n')).toEqual({ tests: [], complete: true });
    expect(await read('tap', 'all tests passed\n')).toBeUndefined();
    expect(await read('tap', '')).toBeUndefined();
  });
});

describe('node', () => {
  const run = (files: Readonly<Record<string, string>>) => {
    const folder = mkdtempSync(join(tmpdir(), 'node-test-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    try {
      return execFileSync(process.execPath, ['--test', '--test-reporter=tap'], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const head = "import test from 'node:test'; import assert from 'node:assert';\n";

  it('reads the real runner', async () => {
    const report = await read(
      'node',
      run({
        'a.test.mjs': `${head} console.log('ok 9 - fake'); test('one', () => {}); test('two', async (t) => { await t.test('in', () => assert.ok(0)); });`,
      }),
    );
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['passed one', 'failed two > in']);
  });

  it('takes a file that ends before its tests for no test', async () => {
    const report = await read(
      'node',
      run({ 'a.test.mjs': `${head} process.exit(0); test('one', () => {});` }),
    );
    expect(report?.tests).toEqual([]);
  });

  it('keeps a file that cannot be loaded as a failed test', async () => {
    const report = await read('node', run({ 'a.test.mjs': 'import "./absent.mjs";' }));
    expect(report?.tests.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it('is incomplete without the summary', async () => {
    expect((await read('node', 'TAP version 13\nok 1 - a\n1..1\n'))?.complete).toBe(false);
  });
});

describe('junit', () => {
  it('lets pytest count subtests that it does not name, and nobody else', async () => {
    const told = (name: string, tests: number, cases: string) =>
      read(
        'junit',
        `<testsuites><testsuite name="${name}" tests="${tests}">${cases}</testsuite></testsuites>`,
      );
    const one = '<testcase classname="k" name="a"/>';
    expect((await told('pytest', 3, one))?.complete).toBe(true);
    expect((await told('pytest', 1, one + one))?.complete).toBe(false);
    expect((await told('pytest', 1, ''))?.complete).toBe(false);
    expect((await told('vitest', 3, one))?.complete).toBe(false);
  });

  it('reads nested suites and all outcomes', async () => {
    const report = await read(
      'junit',
      `<?xml version="1.0"?><testsuites tests="5"><testsuite name="s" tests="5" failures="1" errors="1" skipped="1">
      <testcase classname="k" name="a"/><testcase classname="k" name="a &amp; b"><failure message="x">y</failure></testcase>
      <testsuite name="in" tests="1"><testcase name="c"><skipped/></testcase></testsuite>
      <testcase name="d"><error/></testcase><testcase name="e" status="notrun"/></testsuite></testsuites>`,
    );
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['skipped c', 'passed k > a', 'failed k > a & b', 'failed d', 'skipped e']);
  });

  it.each([
    ['another number of tests', '<testsuite tests="2"><testcase name="a"/></testsuite>'],
    ['failures that no test shows', '<testsuite tests="1" failures="1"><testcase name="a"/></testsuite>'],
    ['a number that is none', '<testsuite tests="x"><testcase name="a"/></testsuite>'],
    ['text of its own', '<testsuite>ok 1 <testcase name="a"/></testsuite>'],
  ])('is incomplete with %s', async (_, text) => {
    expect((await read('junit', text))?.complete).toBe(false);
  });

  it('counts the error of a suite, and an empty report as zero tests', async () => {
    expect(
      shown(await read('junit', '<testsuite name="s"><error/><testcase name="a"/></testsuite>')),
    ).toEqual(['passed a', 'failed s']);
    expect((await read('junit', '<testsuites/>'))?.tests).toEqual([]);
    expect((await read('junit', '<testsuite/>'))?.tests).toEqual([]);
  });

  it.each([
    '',
    'text',
    '<testsuite><testcase name="a"></testsuite>',
    '<html/>',
    '<testsuite/><testsuite/>',
    '<!DOCTYPE x [<!ENTITY a "b">]><testsuite tests="1"><testcase name="&a;"/></testsuite>',
  ])('refuses %j', async (text) => {
    expect(await read('junit', text)).toBeUndefined();
  });
});

describe('json formats', () => {
  const ctrf = (summary: object, ...tests: object[]) =>
    JSON.stringify({ results: { tool: { name: 't' }, summary, tests } });

  it('reads ctrf, where "other" is no pass', async () => {
    const text = ctrf(
      { tests: 3, passed: 1, failed: 0, skipped: 1, pending: 0, other: 1 },
      { name: 'a', status: 'passed', suite: ['s', 't'] },
      { name: 'b', status: 'skipped' },
      { name: 'c', status: 'other' },
    );
    const report = await read('ctrf', text);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['passed s > t > a', 'skipped b', 'failed c']);
    expect(
      (await read('ctrf', ctrf({ tests: 2, passed: 1, failed: 0 }, { name: 'a', status: 'passed' })))
        ?.complete,
    ).toBe(false);
    expect(
      await read('ctrf', ctrf({ tests: 1, passed: 1 }, { name: 'a', status: 'constructor' })),
    ).toBeUndefined();
  });

  it('reads mocha, with hooks that failed', async () => {
    const mocha = (stats: object) =>
      JSON.stringify({
        stats,
        passes: [{ fullTitle: 's a', file: 'f.js' }],
        pending: [{ fullTitle: 's b' }],
        failures: [{ fullTitle: '"before each" hook' }],
      });
    const report = await read('mocha', mocha({ passes: 1, pending: 1, failures: 1 }));
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['passed f.js > s a', 'failed "before each" hook', 'skipped s b']);
    expect((await read('mocha', mocha({ passes: 9, pending: 1, failures: 0 })))?.complete).toBe(false);
    expect(await read('mocha', '{"stats":{}}')).toBeUndefined();
  });

  it('reads jest, and counts what could not be loaded', async () => {
    const jest = (more: object, ...testResults: object[]) =>
      JSON.stringify({
        success: true,
        numTotalTests: 1,
        numPassedTests: 1,
        numFailedTests: 0,
        testResults,
        ...more,
      });
    const file = {
      name: '/p/a.js',
      status: 'passed',
      assertionResults: [{ fullName: 's a', status: 'passed' }],
    };
    expect(await read('jest', jest({}, file))).toEqual({
      complete: true,
      tests: [{ id: '/p/a.js > s a', name: 's a', outcome: 'passed', file: '/p/a.js' }],
    });
    expect(
      shown(
        await read(
          'jest',
          jest({ success: false }, file, { name: '/p/b.js', status: 'failed', assertionResults: [] }),
        ),
      ),
    ).toContain('failed /p/b.js');
    expect(shown(await read('jest', jest({ success: false }, file)))).toContain('failed (run)');
    expect((await read('jest', jest({ numTotalTests: 3 }, file)))?.complete).toBe(false);
    expect((await read('jest', jest({ wasInterrupted: true }, file)))?.complete).toBe(false);
    expect(await read('jest', `noise\n${jest({}, file)}`)).toBeUndefined();
  });

  it('reads the real vitest', async () => {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'vitest-run-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
    writeFileSync(
      join(folder, 'a.test.mjs'),
      "import { test, expect } from 'vitest'; test('a', () => {}); test.skip('b', () => {}); test.todo('c'); test('d', () => expect(1).toBe(2));",
    );
    writeFileSync(join(folder, 'b.test.mjs'), "import './absent.mjs';");
    try {
      execFileSync(
        process.execPath,
        [
          resolve('node_modules/vitest/vitest.mjs'),
          'run',
          '--root',
          folder,
          '--reporter=json',
          '--outputFile=out.json',
        ],
        { cwd: folder, stdio: 'pipe' },
      );
    } catch {
      // It has failing tests.
    }
    const report = await read(
      'vitest',
      readFileSync(join(folder, 'out.json'), 'utf8').replaceAll(`${folder}/`, ''),
    );
    rmSync(folder, { recursive: true });
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(
      expect.arrayContaining([
        'passed a.test.mjs > a',
        'skipped a.test.mjs > b',
        'todo a.test.mjs > c',
        'failed a.test.mjs > d',
        'failed b.test.mjs',
      ]),
    );
  });
});
