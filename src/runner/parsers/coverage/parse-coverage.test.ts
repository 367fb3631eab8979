import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CoverageFormat, coverageFormats, parseCoverage } from './parse-coverage.ts';

const place = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 9 } });
const summary = (total: number, covered: number) => ({ lines: { total, covered, skipped: 0, pct: 50 } });

const reports: Readonly<Record<CoverageFormat, string>> = {
  lcov: 'TN:\nSF:src/a.ts\nFN:1,f\nFNDA:1,f\nDA:1,3\nDA:2,0\nDA:4,1,abc\nLF:3\nLH:2\nend_of_record\n',
  istanbul: JSON.stringify({
    '/x/src/a.ts': {
      path: '/x/src/a.ts',
      statementMap: { 0: place(1), 1: place(1), 2: place(2) },
      s: { 0: 0, 1: 2, 2: 0 },
    },
  }),
  'istanbul-summary': JSON.stringify({
    total: summary(4, 3),
    '/x/a.ts': summary(1, 1),
    '/x/b.ts': summary(3, 2),
  }),
  cobertura: `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://example.org/x.dtd">
    <coverage line-rate="0.5" lines-valid="2"><sources><source>/x</source></sources><packages><package name="p"><classes>
    <class name="a" filename="src/a.py"><methods/><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>
    </classes></package></packages></coverage>`,
  go: 'mode: set\nexample.org/m/a.go:1.10,3.2 2 1\nexample.org/m/a.go:5.1,5.9 1 0\n',
};

describe('coverage reports', () => {
  it('are read with the lines that ran', async () => {
    const lines = async (format: CoverageFormat) => {
      const [file] = (await parseCoverage(format, reports[format]))?.files ?? [];
      return [file?.path, ...(file?.lines ?? [])];
    };
    expect(await lines('lcov')).toEqual(['src/a.ts', [1, true], [2, false], [4, true]]);
    expect(await lines('istanbul')).toEqual(['/x/src/a.ts', [1, true], [2, false]]);
    expect(await lines('cobertura')).toEqual(['src/a.py', [1, true], [2, false]]);
    expect(await lines('go')).toEqual(['example.org/m/a.go', [1, true], [2, true], [3, true], [5, false]]);
    expect(await parseCoverage('istanbul-summary', reports['istanbul-summary'])).toMatchObject({
      total: 4,
      covered: 3,
    });
    expect((await parseCoverage('cobertura', reports.cobertura))?.roots).toEqual(['/x']);
  });

  it('of one file in two entries are added up', async () => {
    const twice = 'SF:a\nDA:1,0\nDA:2,0\nend_of_record\nSF:a\nDA:1,1\nend_of_record\n';
    expect(await parseCoverage('lcov', twice)).toMatchObject({ total: 2, covered: 1 });
  });

  it.each<[CoverageFormat, string, string]>([
    ['lcov', 'breaks off', reports.lcov.replace('end_of_record\n', '')],
    ['lcov', 'has too few lines', reports.lcov.replace('LF:3', 'LF:4')],
    ['lcov', 'has too many hits', reports.lcov.replace('LH:2', 'LH:3')],
    ['lcov', 'has no number', reports.lcov.replace('DA:1,3', 'DA:1,x')],
    ['lcov', 'has a negative number', reports.lcov.replace('DA:1,3', 'DA:1,-1')],
    ['lcov', 'has no file', reports.lcov.replace('SF:src/a.ts\n', '')],
    ['lcov', 'is something else', 'ok 1\n'],
    [
      'istanbul',
      'has a statement without a count',
      JSON.stringify({ a: { path: 'a', statementMap: { 0: place(1) }, s: { 1: 1 } } }),
    ],
    [
      'istanbul',
      'has a count without a statement',
      JSON.stringify({ a: { path: 'a', statementMap: {}, s: { 1: 1 } } }),
    ],
    ['istanbul', 'is a list', '[]'],
    ['istanbul', 'breaks off', reports.istanbul.slice(0, -1)],
    ['istanbul-summary', 'does not add up', JSON.stringify({ total: summary(4, 4), a: summary(4, 3) })],
    ['istanbul-summary', 'covers more than there is', JSON.stringify({ total: summary(3, 4) })],
    ['istanbul-summary', 'has no total', JSON.stringify({ a: summary(4, 3) })],
    ['cobertura', 'breaks off', reports.cobertura.slice(0, -5)],
    ['cobertura', 'has no number', reports.cobertura.replace('hits="1"', 'hits="yes"')],
    [
      'cobertura',
      'has fewer lines than it holds',
      reports.cobertura.replace('lines-valid="2"', 'lines-valid="1"'),
    ],
    [
      'cobertura',
      'defines entities',
      reports.cobertura.replace(/<!DOCTYPE[^>]*>/, '<!DOCTYPE coverage [<!ENTITY a "b">]>'),
    ],
    ['go', 'has no mode', reports.go.slice(10)],
    ['go', 'has a broken line', reports.go.replace(' 2 1', ' 2')],
    ['go', 'has a block that ends before it starts', reports.go.replace('1.10,3.2', '4.10,3.2')],
  ])('of the format %s are refused when one %s', async (format, _, text) =>
    expect(await parseCoverage(format, text)).toBeUndefined(),
  );

  it('are never a surprise, whatever is cut off or put in', async () => {
    const cut = fc.tuple(fc.constantFrom(...coverageFormats), fc.nat(400), fc.nat(400), fc.string());
    await fc.assert(
      fc.asyncProperty(cut, async ([format, from, length, put]) => {
        const text = reports[format];
        const found = await parseCoverage(format, text.slice(0, from) + put + text.slice(from + length));
        expect(found === undefined || found.covered <= found.total).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
