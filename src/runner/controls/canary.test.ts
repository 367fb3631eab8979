import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parserOf, type ReportFormat } from '../parsers/index.ts';
import type { TestCase } from '../report.ts';
import { type Canary, judgeCanaries, plantCanaries } from './canary.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'canary-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');

async function plantedIn(format: ReportFormat | 'exit', path: string, text: string) {
  put(path, text);
  return plantCanaries(folder, [path], format, 's', (bytes) =>
    bytes === 1 ? Buffer.from([0]) : randomBytes(bytes),
  );
}

describe('plantCanaries', () => {
  const usesVitest = "import { test } from 'vitest';\ntest('a', () => {});\n";

  it.each([
    ['vitest', 'test/a.test.ts', 'export const help = (text: string) => /a/.test(text);\n'],
    ['vitest', 'test/a.test-d.ts', usesVitest],
    ['vitest', 'test/fixtures/a.test.ts', usesVitest],
    ['vitest', 'test/a.json', '{"test": "test("}'],
    ['vitest', 'test/absent/../../../a.test.ts', usesVitest],
    ['node', 'test/a.test.js', "const test = require('tape'); test('a', () => {});"],
    ['tap', 'test/a.test.js', "test('a', () => {});"],
    ['ctrf', 'test/a.test.js', "test('a', () => {});"],
    ['junit', 'test/conftest.py', 'import pytest\n'],
    ['go', 'a_test.go', 'func TestA(t *testing.T) {}'],
    ['cargo', 'tests/a.rs', '#[test]\nfn a() {}'],
    ['exit', 'test/a.test.ts', usesVitest],
  ] as const)('leaves alone, for %s: %s %j', async (format, path, text) => {
    const { canaries, without } = await plantedIn(format, path, text);
    expect([canaries, without]).toEqual([[], [path]]);
    expect(textOf(path)).toBe(text);
  });

  it.each([
    ['tap', "import { test } from 'node:test';\ntest('a', () => {});\n"],
    ['junit', usesVitest],
    ['ctrf', usesVitest],
    ['node', "import * as check from 'node:test';\ncheck.test('a', () => {});\n"],
    ['tap', "import tap from 'tap';\ntap.test('a', (t) => t.end());\n"],
  ] as const)('goes by what a file imports, for %s: %j', async (format, text) => {
    expect((await plantedIn(format, 'a.test.mjs', text)).canaries.length).toBe(2);
  });

  it('adds to the end, and to the top only where whole imports open the file', async () => {
    const open =
      "#!/usr/bin/env node\n'use strict';\n// words\nconst a = require('node:test');\nvar { b } = require('./b').c;\n";
    await plantedIn('node', 'a.test.js', `${open}a('x', () => {})`);
    const text = textOf('a.test.js');
    expect(text.startsWith(`${open}\n;\n// @ts-ignore\n`)).toBe(true);
    expect(text.split('// @ts-ignore').length).toBe(3);
    for (const other of [
      "const a = require('node:test')\n;a('x')",
      "import {\n test as a } from 'node:test'; a('x')",
    ])
      expect((await plantedIn('node', 'b.test.js', other)).canaries.length).toBe(1);
  });

  it('says nothing of itself, and the same values only for the same secret', async () => {
    const { canaries } = await plantedIn('vitest', 'a.test.ts', usesVitest);
    const text = textOf('a.test.ts');
    expect(text).not.toMatch(/canary|secret|countersign/i);
    for (const { name, values } of canaries) {
      expect(name).not.toMatch(/canary|fail/i);
      expect(new Set(values).size).toBe(2);
      for (const value of values) expect(text).toContain(value);
    }
    expect(new Set(canaries.flatMap(({ values }) => values)).size).toBe(4);
  });

  it('does not write through a link that leads out of the checkout', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'a.test.ts'), usesVitest);
    symlinkSync(join(outside, 'a.test.ts'), join(folder, 'a.test.ts'));
    const { without } = await plantCanaries(folder, ['a.test.ts'], 'vitest', 's', randomBytes);
    expect(without).toEqual(['a.test.ts']);
    expect(readFileSync(join(outside, 'a.test.ts'), 'utf8')).toBe(usesVitest);
    rmSync(outside, { recursive: true });
  });

  it('writes for pytest what fails by its own difference', async () => {
    const planted = await plantedIn('junit', 'tests/test_a.py', 'def test_a():\n    assert True');
    const [canary] = planted.canaries;
    expect(textOf('tests/test_a.py')).toContain(
      `def ${canary?.name}():\n    assert ${canary?.values[0]} == ${canary?.values[1]}\n`,
    );
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--junitxml=report.xml', 'tests'];
    const { status, stderr } = spawnSync('python3', args, { cwd: folder, encoding: 'utf8' });
    // A machine without pytest has only the text to show.
    if (status === null || /No module named pytest/.test(stderr)) return;
    const report = (await parserOf('junit'))(textOf('report.xml'));
    const judged = judgeCanaries(planted, report ?? { tests: [], complete: false });
    expect(judged.problem).toBeUndefined();
    expect(judged.tests.tests.map(({ name, outcome }) => [name, outcome])).toEqual([['test_a', 'passed']]);
  });
});

describe('judgeCanaries', () => {
  const canary = (file: string, n: number, failures = 1): Canary => ({
    file,
    name: `keeps all ${n}`,
    values: ['111', '222'],
    failures,
  });
  const failed = (n: number, file?: string, message = 'expected 111 to be 222'): TestCase => ({
    id: `f > keeps all ${n}`,
    name: `more keeps all ${n}`,
    outcome: 'failed',
    message,
    ...(file === undefined ? {} : { file }),
  });
  const own = (file?: string): TestCase => ({
    id: 'own',
    name: 'own',
    outcome: 'passed',
    ...(file === undefined ? {} : { file }),
  });
  const judged = (
    canaries: readonly Canary[],
    tests: readonly TestCase[],
    idle?: (file: string) => boolean,
  ) => judgeCanaries({ canaries, turned: [], without: [] }, { tests, complete: true }, idle);

  it('takes them out of the report when all is well', () => {
    const { tests, problem } = judged([canary('a', 1)], [failed(1), own()]);
    expect(problem).toBeUndefined();
    expect(tests).toEqual({ tests: [own()], complete: true });
  });

  it('has nothing to say without canaries', () => {
    expect(
      judgeCanaries({ canaries: [], turned: [], without: ['a'] }, { tests: [], complete: false }).problem,
    ).toBeUndefined();
  });

  it.each([
    ['that passed', [{ ...failed(1), outcome: 'passed' as const }], 'canary-passed'],
    [
      'that passed beside a failure of its name',
      [failed(1), { ...failed(1), outcome: 'passed' as const }],
      'canary-passed',
    ],
    ['that is missing', [own()], 'canary-missing'],
    ['that was skipped', [{ ...failed(1), outcome: 'skipped' as const }], 'canary-missing'],
    ['that failed for a reason made up', [failed(1, undefined, 'expected 1 to be 2')], 'canary-missing'],
    ['that failed without a reason', [failed(1, undefined, '')], 'canary-missing'],
  ])('refuses one %s', (_, tests, reason) => {
    const { problem } = judged([canary('test/a.js', 1)], tests);
    expect(problem?.reason).toBe(reason);
    expect(problem?.explanation).toContain('test/a.js');
  });

  it('refuses a report that is not whole, and fewer failures than were planted', () => {
    const report = { tests: [failed(1)], complete: false };
    expect(
      judgeCanaries({ canaries: [canary('a', 1)], turned: [], without: [] }, report).problem?.reason,
    ).toBe('run-incomplete');
    expect(judged([canary('a', 1, 2)], [failed(1)]).problem?.reason).toBe('canary-missing');
    expect(
      judged([canary('a', 1, 2)], [failed(1), failed(1, undefined, 'ok false')]).problem,
    ).toBeUndefined();
  });

  it('excuses files that the program did not load, where the report tells or the caller knows', () => {
    const two = [canary('test/a.js', 1), canary('test/b.js', 2)];
    const telling = [failed(1, '/x/test/a.js'), own('/x/test/a.js')];
    expect(judged(two, telling)).toMatchObject({ problem: undefined, unseen: ['test/b.js'] });
    // A test of the file ran, so its canary has to be there.
    expect(judged(two, [...telling, own('/x/test/b.js')]).problem?.reason).toBe('canary-missing');
    expect(judged(two, [failed(1), own()]).problem?.reason).toBe('canary-missing');
    expect(judged(two, [failed(1), own()], (file) => file === 'test/b.js').problem).toBeUndefined();
    // With no canary at all, nothing is known of any file.
    expect(judged(two, [own('/x/test/c.js')]).problem?.reason).toBe('canary-missing');
    expect(judged(two, []).problem?.reason).toBe('canary-missing');
  });
});
