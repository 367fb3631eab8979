import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { fieldsOf } from '../fields.ts';
import { type CoverageCheck, readCoverageCheck, runCoverageCheck } from './coverage.ts';

let checkout: string;
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'coverage-')));
  mkdirSync(join(checkout, 'coverage'));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const read = (keys: object) => {
  const problems: string[] = [];
  const fields = fieldsOf({ path: 'coverage/report', format: 'lcov', ...keys }, '', problems);
  const check = fields && readCoverageCheck('c', fields);
  fields?.finish();
  return { check: check as CoverageCheck, problems };
};
const lcov = (files: Readonly<Record<string, readonly number[]>>) =>
  Object.entries(files)
    .map(
      ([path, hits]) => `SF:${path}\n${hits.map((hit, n) => `DA:${n + 1},${hit}\n`).join('')}end_of_record\n`,
    )
    .join('');
const before = { 'src/a.ts': 'a();\nb();\n' };
const after = { 'src/a.ts': 'a();\nb();\nc();\nd();\n', 'src/a.test.ts': 'x();\n', 'README.md': 'x\n' };
const run = (keys: object, report: string, head: Readonly<Record<string, string>> = after) => {
  writeFileSync(join(checkout, 'coverage/report'), report);
  return runCoverageCheck(read(keys).check, { checkout, change: changeOf(before, head) });
};

describe('a coverage check', () => {
  it('holds all lines, and the changed ones, against what is asked for', async () => {
    const report = lcov({ 'src/a.ts': [1, 0, 1, 0] });
    expect(await run({ lines: 50, changed_lines: 50 }, report)).toMatchObject({
      outcome: 'pass',
      reason: '',
    });
    expect(await run({ lines: 51 }, report)).toMatchObject({
      outcome: 'fail',
      reason: 'coverage-low',
      explanation: 'coverage/report has 50 % of all lines, 51 % are required',
    });
    const result = await run({ changed_lines: 51 }, report);
    expect(result).toMatchObject({ outcome: 'fail', reason: 'coverage-low' });
    expect(result.explanation).toContain(
      'has 50 % of the changed lines, 51 % are required; not run: src/a.ts:4',
    );
  });

  it('looks at changed lines alone', async () => {
    expect(await run({ changed_lines: 100 }, lcov({ 'src/a.ts': [0, 0, 1, 1] }))).toMatchObject({
      outcome: 'pass',
    });
    expect(await run({ changed_lines: 1 }, lcov({ 'src/a.ts': [1, 1, 0, 0] }))).toMatchObject({
      outcome: 'fail',
    });
  });

  it('counts a new source file that no test loads, and none of types or of elsewhere', async () => {
    const report = lcov({ 'src/a.ts': [1, 1, 1, 1] });
    const fresh = { ...after, 'src/b.ts': 'export const b = () => 1;\n' };
    expect(await run({ changed_lines: 80 }, report, fresh)).toMatchObject({ outcome: 'fail' });
    const types = {
      ...after,
      'src/b.ts': 'export interface B {\n  readonly a: string;\n}\nexport type C = (a: B) => void;\n',
    };
    expect(await run({ changed_lines: 100 }, report, types)).toMatchObject({ outcome: 'pass' });
    const scripts = { ...after, 'scripts/b.mjs': 'f();\n' };
    expect(await run({ changed_lines: 100 }, report, scripts)).toMatchObject({ outcome: 'pass' });
    expect(await run({ changed_lines: 100, in: ['scripts/**'] }, report, scripts)).toMatchObject({
      outcome: 'fail',
    });
  });

  it('passes work without a line that could run', async () => {
    const result = await run({ changed_lines: 100 }, lcov({ 'src/a.ts': [1, 0] }), {
      ...before,
      'README.md': 'x',
    });
    expect(result).toMatchObject({
      outcome: 'pass',
      notes: ['1 of 2 lines ran', '0 of 0 changed lines ran'],
    });
  });

  it('finds the files whatever their paths start with, and none of another checkout', async () => {
    const hits = [1, 1, 1, 1];
    const keys = { changed_lines: 100 };
    expect(await run(keys, lcov({ [join(checkout, 'src/a.ts')]: hits }))).toMatchObject({ outcome: 'pass' });
    expect(await run(keys, lcov({ './src/a.ts': hits }))).toMatchObject({ outcome: 'pass' });
    expect(await run(keys, lcov({ 'src\\a.ts': hits }))).toMatchObject({ outcome: 'pass' });
    const go = { ...before, 'm/a.go': 'f()\n' };
    const profile = (ran: number) => `mode: set\nexample.org/x/m/a.go:1.1,1.9 1 ${ran}\n`;
    expect(await run({ ...keys, format: 'go' }, profile(1), go)).toMatchObject({
      outcome: 'pass',
      notes: ['1 of 1 lines ran', '1 of 1 changed lines ran'],
    });
    expect(await run({ ...keys, format: 'go' }, profile(0), go)).toMatchObject({ outcome: 'fail' });
    const elsewhere = lcov({ '/elsewhere/src/a.ts': hits, 'src/z.ts': [1] });
    expect(await run(keys, elsewhere)).toMatchObject({ outcome: 'fail' });
    const source = (root: string) =>
      `<coverage><sources><source>${root}</source></sources><packages><package><classes><class filename="a.ts"><lines><line number="3" hits="1"/><line number="4" hits="0"/></lines></class></classes></package></packages></coverage>`;
    expect(
      (await run({ ...keys, format: 'cobertura' }, source(join(checkout, 'src')))).explanation,
    ).toContain('not run: src/a.ts:4');
  });

  it('is open for a report that is broken or empty, and without a base', async () => {
    expect(await run({ lines: 0 }, 'SF:src/a.ts\nDA:1,1\n')).toMatchObject({ outcome: 'indeterminate' });
    expect(await run({ lines: 0 }, '')).toMatchObject({ outcome: 'indeterminate' });
    const context = { checkout, change: undefined };
    expect(await runCoverageCheck(read({ lines: 1 }).check, context)).toMatchObject({
      outcome: 'indeterminate',
    });
  });

  it('fails for a report that is missing or was committed', async () => {
    const change = changeOf(before, after);
    expect(await runCoverageCheck(read({ lines: 1 }).check, { checkout, change })).toMatchObject({
      outcome: 'fail',
    });
    const report = lcov({ 'src/a.ts': [1, 1, 1, 1] });
    expect(await run({ lines: 1 }, report, { ...after, 'coverage/report': report })).toMatchObject({
      outcome: 'fail',
      explanation: 'coverage/report is the committed file: this run did not write it',
    });
  });

  it('has keys that are checked', () => {
    expect(read({ path: '/x', format: 'x' }).problems).toEqual([
      'path: must be a path inside the checkout',
      'format: must be one of lcov, istanbul, istanbul-summary, cobertura, go',
      'lines: or changed_lines must say what is asked for',
    ]);
    expect(
      read({ lines: 101, changed_lines: 1, format: 'istanbul-summary', in: ['src/**'] }).problems,
    ).toEqual([
      'lines: must be a percentage, 0 to 100',
      'changed_lines: needs a format that tells lines; this one has totals alone',
    ]);
  });
});
