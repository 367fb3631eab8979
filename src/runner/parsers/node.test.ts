import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../report.ts';
import { parserOf } from './index.ts';

const read = async (text: string): Promise<Report | undefined> => (await parserOf('node'))(text);
const shown = (report: Report | undefined) => report?.tests.map(({ id, outcome }) => `${outcome} ${id}`);
const head = "import test, { describe, it } from 'node:test'; import assert from 'node:assert';\n";

function run(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'node-counts-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${head}${text}`);
  try {
    const env = { PATH: process.env.PATH };
    const argv = ['--test', '--test-reporter=tap'];
    return execFileSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const suites = `
describe('s', () => { it('a', () => {}); it.skip('b', () => {}); it.todo('c'); describe('in', () => { it('d', () => {}); }); });
describe('empty', () => {});
describe.skip('away', () => { it('e', () => {}); });
test('p', async (t) => { t.diagnostic('# tests 9'); await t.test('k', () => {}); await t.test('l', (t) => t.skip()); });
test('todo that fails', { todo: true }, () => assert.ok(0));
`;

describe('the counts of node', () => {
  it('are those of the real runner, with suites, subtests and files without tests', async () => {
    const report = await read(run({ 'a.test.mjs': suites, 'b.test.mjs': '' }));
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual([
      'passed s > a',
      'skipped s > b',
      'todo s > c',
      'passed s > in > d',
      'skipped away',
      'passed p > k',
      'skipped p > l',
      'todo todo that fails',
    ]);
  });

  it('are those of the real runner where much fails', async () => {
    const failing = `
describe('s', () => { it('a', () => assert.equal('ok 1 - x', 'TAP version 13\\n1..2')); it('b', () => {}); });
test('p', async (t) => { t.test('never', () => new Promise(() => {})); });
test('q', async (t) => { await t.test('in', () => {}); throw new Error('a: {\\n  - "b'); });
test('r', () => { console.log('ok 7 - fake\\n1..9\\n# tests 1'); });
`;
    const files = {
      'a.test.mjs': failing,
      'b.test.mjs': 'import "./absent.mjs";',
      'c.test.mjs': "test('z', () => {});",
    };
    const report = await read(run(files));
    expect(report?.complete).toBe(true);
    const known = (line: string) => !line.endsWith('b.test.mjs');
    expect(shown(report)?.filter(known)).toEqual([
      'failed s > a',
      'passed s > b',
      'failed p > never',
      'passed q > in',
      'failed q',
      'passed r',
      'passed z',
    ]);
    expect(report?.tests.filter(({ outcome }) => outcome === 'failed')).toHaveLength(4);
  });

  const text = (points: string, sums: Readonly<Record<string, number>>) => {
    const all = { tests: 2, suites: 0, pass: 1, fail: 0, cancelled: 0, skipped: 1, todo: 0, ...sums };
    const lines = Object.entries(all).map(([word, count]) => `# ${word} ${count}\n`);
    return `TAP version 13\n${points}${lines.join('')}# duration_ms 3\n`;
  };
  const two = 'ok 1 - a\nok 2 - b # SKIP\n1..2\n';

  it('must agree with the tests', async () => {
    expect((await read(text(two, {})))?.complete).toBe(true);
    expect((await read(text('ok 1 - a\n1..1\n', { tests: 7, pass: 7, skipped: 0 })))?.complete).toBe(false);
    for (const word of ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'])
      expect((await read(text(two, { [word]: 3 })))?.complete, word).toBe(false);
  });

  it('must all be there', async () => {
    for (const word of ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']) {
      const without = text(two, {}).replace(new RegExp(`^# ${word} .*\n`, 'm'), '');
      expect((await read(without))?.complete, word).toBe(false);
    }
  });

  it('know a suite whose diagnosis is too long to be read', async () => {
    const long = `  stack: |-\n${'    at x\n'.repeat(3_000)}`;
    const suite = `not ok 1 - s\n  ---\n  duration_ms: 1\n  type: 'suite'\n${long}  ...\nok 2 - b # SKIP\n1..2\n`;
    const report = await read(text(suite, { tests: 1, suites: 1, pass: 0 }));
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['failed s', 'skipped b']);
  });
});
