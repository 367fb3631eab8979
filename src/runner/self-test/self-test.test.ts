import { mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { triedOn } from '../../../tests/fixtures/tried-criteria.ts';
import { withContent, withoutFile } from './bad-work.ts';

const tested = (checks: readonly object[], files: Readonly<Record<string, string>>) => triedOn(files, checks);

const SUM = 'exports.sum = (a, b) => a + b;\n';
const TEST = `const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../sum.js');
test('sums', () => assert.equal(sum(1, 2), 3));
`;
const NODE = ['node', '--test', '--test-reporter=tap'];

describe('a command with a report', () => {
  it.each(['command', 'tests'])('of kind %s is shown to notice a test that must fail', async (kind) => {
    const check = { id: 'tests', kind, run: [...NODE, 'test/sum.test.js'], report: { format: 'node' } };
    const [told] = await tested([check], { 'sum.js': SUM, 'test/sum.test.js': TEST });
    expect(told).toMatchObject({ onHead: 'pass', canFail: 'yes' });
    expect(told?.because).toBe('fails with a test that must fail in every test file');
  });

  it('that makes its report up is found out', async () => {
    const check = { id: 'tests', kind: 'command', report: { format: 'tap' } };
    const files = { 'sum.js': SUM, 'test/sum.test.js': TEST };
    const always = { ...check, run: ['printf', 'TAP version 13\\nok 1 - a\\n1..1\\n'] };
    const [blind] = await tested([always], files);
    expect(blind).toMatchObject({ onHead: 'pass', canFail: 'no' });
    expect(blind?.because).toBe(
      'passes with a test that must fail in every test file, and with every source file broken',
    );
  });

  it('that fails already is not said to be able to', async () => {
    const check = { id: 'tests', kind: 'command', run: [...NODE, 'test/'], report: { format: 'node' } };
    const [told] = await tested([check], { 'sum.js': 'exports.sum = () => 0;\n', 'test/sum.test.js': TEST });
    expect(told).toMatchObject({ onHead: 'fail', canFail: 'not-told' });
  });

  it('that fails already and tells old failures from new ones names the way to let them', async () => {
    const check = { id: 'tests', kind: 'tests', run: [...NODE, 'test/'], report: { format: 'node' } };
    const files = { 'sum.js': 'exports.sum = () => 0;\n', 'test/sum.test.js': TEST };
    const [told] = await tested([check], files);
    expect(told?.because).toContain('known_failures: tolerate');
  });
});

describe('a command with an exit code', () => {
  const exit = (run: readonly string[]) => ({ id: 'lint', kind: 'command', run, report: { format: 'exit' } });

  it('notices broken sources', async () => {
    const [told] = await tested([exit(['node', '--check', 'sum.js'])], { 'sum.js': SUM });
    expect(told).toMatchObject({ canFail: 'yes', because: 'fails with every source file broken' });
  });

  it('that only looks for a file is told apart: it passes with broken sources', async () => {
    const [told] = await tested([exit(['test', '-f', 'sum.js'])], { 'sum.js': SUM });
    expect(told?.because).toBe(
      'fails with every file removed but the manifests, though it passes with every source file broken',
    );
  });

  it.each([[['true']], [['sh', '-c', 'node sum.js || true']]])('cannot fail: %j', async (run) => {
    const [told] = await tested([exit(run)], { 'sum.js': SUM });
    expect(told).toMatchObject({ onHead: 'pass', canFail: 'no' });
  });
});

describe('other kinds', () => {
  it('a file that must be there, and one that must not', async () => {
    const told = await tested(
      [
        { id: 'readme', kind: 'file', path: 'README.md', contains: 'Usage' },
        { id: 'no-env', kind: 'file', path: '.env', exists: false },
        { id: 'missing', kind: 'file', path: 'LICENSE' },
      ],
      { 'README.md': '## Usage\n' },
    );
    expect(told.map(({ id, onHead, canFail }) => [id, onHead, canFail])).toEqual([
      ['readme', 'pass', 'yes'],
      ['no-env', 'pass', 'yes'],
      ['missing', 'fail', 'not-told'],
    ]);
  });

  it('a change is turned down for what is protected, by default and by the criteria', async () => {
    const [first, second] = await tested(
      [
        { id: 'change', kind: 'diff' },
        { id: 'own', kind: 'diff', protected: ['locked/**/*.sql'] },
      ],
      { 'sum.js': SUM },
    );
    expect(first).toMatchObject({ onHead: 'not-run', canFail: 'yes' });
    expect(second).toMatchObject({ canFail: 'yes', because: 'fails with locked/x.sql changed' });
  });

  it('a change of which little is asked is told apart by what it lets through', async () => {
    const check = { id: 'change', kind: 'diff', protected: [], forbid: [] };
    const [told] = await tested([check], { 'sum.js': SUM });
    expect(told?.because).toMatch(
      /^fails with nothing changed at all, though it passes with .* a stub added$/,
    );
  });

  it('a program that is not there tells nothing', async () => {
    const check = { id: 'x', kind: 'command', run: ['no-such-program'], report: { format: 'exit' } };
    const [told] = await tested([check], { 'sum.js': SUM });
    expect(told).toMatchObject({ onHead: 'indeterminate', canFail: 'not-told' });
  });

  it('no link of a commit leads what is removed out of the checkout', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'cs-outside-'));
    writeFileSync(join(outside, 'kept'), 'kept');
    const checkout = realpathSync(mkdtempSync(join(tmpdir(), 'cs-checkout-')));
    symlinkSync(outside, join(checkout, 'out'));
    const nowhere = join(checkout, 'nowhere');
    symlinkSync(join(outside, 'missing'), nowhere);
    for (const path of ['out/kept', 'out/new/kept', 'nowhere/kept']) {
      expect(await withoutFile(path).edit(checkout, '')).toBeUndefined();
      expect(await withContent(path, '', Buffer.from('x')).edit(checkout, '')).toBeUndefined();
    }
    expect(readdirSync(outside)).toEqual(['kept']);
    expect(await withContent('a/b/c', '', Buffer.from('x')).edit(checkout, '')).toEqual([]);
    for (const folder of [outside, checkout]) rmSync(folder, { recursive: true });
  });
});
