import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report } from '../report.ts';
import { parserOf, reportFormats } from './index.ts';

const shown = (report: Report | undefined) => report?.tests.map(({ id, outcome }) => `${outcome} ${id}`);

describe('go', () => {
  const lines = (...events: [string, string, string?][]) =>
    events.map(([Action, Package, Test]) => JSON.stringify({ Action, Package, Test })).join('\n');

  it('counts leaves, and a package that fails by itself', async () => {
    const parse = await parserOf('go');
    const text = lines(
      ['start', 'p'],
      ['run', 'p', 'A'],
      ['run', 'p', 'A/x'],
      ['pass', 'p', 'A/x'],
      ['pass', 'p', 'A'],
      ['run', 'p', 'B'],
      ['skip', 'p', 'B'],
      ['pass', 'p'],
      ['start', 'q'],
      ['output', 'q'],
      ['fail', 'q'],
      ['start', 'r'],
      ['skip', 'r'],
    );
    const report = parse(text);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['passed p > A/x', 'skipped p > B', 'failed q']);
  });

  it('names the failed test and not all that contain it', async () => {
    const parse = await parserOf('go');
    const text = lines(
      ['run', 'p', 'A'],
      ['run', 'p', 'A/x'],
      ['fail', 'p', 'A/x'],
      ['fail', 'p', 'A'],
      ['fail', 'p'],
    );
    expect(shown(parse(text))).toEqual(['failed p > A/x']);
  });

  it('is incomplete when a test never ended or a line is no event, and keeps a failure', async () => {
    const parse = await parserOf('go');
    expect(parse(lines(['run', 'p', 'A'], ['pass', 'p']))?.complete).toBe(false);
    expect(parse(lines(['run', 'p', 'A'], ['pass', 'p', 'A']))?.complete).toBe(false);
    expect(parse(`${lines(['run', 'p', 'A'], ['pass', 'p', 'A'], ['pass', 'p'])}\nfake`)?.complete).toBe(
      false,
    );
    expect(shown(parse(lines(['fail', 'p', 'A'], ['pass', 'p', 'A'], ['pass', 'p'])))).toEqual([
      'failed p > A',
    ]);
    expect(parse('{}')).toBeUndefined();
  });
});

const block = (count: number, tests: string, sum: string) =>
  `\nrunning ${count} test${count === 1 ? '' : 's'}\n${tests}\ntest result: ${sum}; 0 measured; 0 filtered out; finished in 0.1s\n`;

describe('cargo', () => {
  it('knows an example of the documentation by its item, wherever its line goes', async () => {
    const text = `running 3 tests
test src/lib.rs - m::add (line 3) ... ok
test src/lib.rs - m::add (line 9) - compile ... ok
test src/lib.rs - m::add (line 12) ... ok

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out
`;
    const report = (await parserOf('cargo'))(text);
    expect(report?.complete).toBe(true);
    expect(report?.tests.map(({ id }) => id)).toEqual([
      'src/lib.rs - m::add',
      'src/lib.rs - m::add - compile',
      'src/lib.rs - m::add#2',
    ]);
  });

  it('reads several blocks', async () => {
    const parse = await parserOf('cargo');
    const text =
      block(
        4,
        'test b ... ignored, why\ntest m::a ... ok\ntest c ... FAILED\ntest d - should panic ... ok\n\nfailures:\n    c\n',
        'FAILED. 2 passed; 1 failed; 1 ignored',
      ) + block(1, 'test src/lib.rs - f (line 1) ... ok\n', 'ok. 1 passed; 0 failed; 0 ignored');
    const report = parse(text);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual([
      'skipped b',
      'passed m::a',
      'failed c',
      'passed d - should panic',
      'passed src/lib.rs - f',
    ]);
  });

  it.each([
    ['fewer tests than announced', block(2, 'test a ... ok', 'ok. 1 passed; 0 failed; 0 ignored')],
    ['another sum', block(1, 'test a ... ok', 'ok. 2 passed; 0 failed; 0 ignored')],
    ['a wrong word', block(1, 'test a ... ok', 'FAILED. 1 passed; 0 failed; 0 ignored')],
    ['no sum', 'running 1 test\ntest a ... ok\n'],
    [
      'two sums',
      block(1, 'test a ... ok', 'ok. 1 passed; 0 failed; 0 ignored') +
        block(1, 'test a ... ok', 'ok. 1 passed; 0 failed; 0 ignored').replace(/running.*\n.*\n/, ''),
    ],
  ])('is incomplete with %s', async (_, text) => {
    expect((await parserOf('cargo'))(text)?.complete).toBe(false);
  });
});

const valid = [
  'TAP version 13\n',
  '1..2\n',
  'ok 1 - a\n',
  'not ok 2 - b\n',
  '# Subtest: x\n    ok 1 - y\n    1..1\n',
  '# fail 0\n',
  '# tests 1\n',
  '<testsuite tests="1">',
  '<testcase name="a"/>',
  '<failure/>',
  '</testsuite>',
  '{"Action":"pass","Package":"p","Test":"A"}\n',
  'running 1 test\n',
  'test a ... ok\n',
  'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
  '\0',
  '\u2028',
  '    ',
  '{',
  '}',
  '...',
  '---\n',
];
const anyJson = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        results: fc.anything(),
        summary: fc.anything(),
        tests: fc.anything(),
        testResults: fc.array(fc.anything()),
        stats: fc.anything(),
        passes: fc.array(fc.anything()),
        failures: fc.array(fc.anything()),
        pending: fc.array(fc.anything()),
        success: fc.boolean(),
        numTotalTests: fc.integer(),
      },
      { requiredKeys: [] },
    )
    .map((value) => {
      try {
        return JSON.stringify(value);
      } catch {
        return '';
      }
    }),
);

describe.each(reportFormats)('%s as security code', (format) => {
  it('never throws, and finds no passed test in garbage', async () => {
    const parse = await parserOf(format);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), anyJson), (text) => {
        const report = parse(text);
        expect(
          report === undefined ||
            !report.complete ||
            report.tests.every(({ outcome }) => outcome !== 'passed'),
        ).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('never throws on pieces of real reports in any order', async () => {
    const parse = await parserOf(format);
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...valid) }, fc.string()), {
          maxLength: 30,
        }),
        (pieces) => {
          const report = parse(pieces.join(''));
          if (report === undefined) return;
          expect(new Set(report.tests.map(({ id }) => id)).size).toBe(report.tests.length);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('survives depth and length', async () => {
    const parse = await parserOf(format);
    for (const text of [
      '['.repeat(200_000),
      '{"a":'.repeat(100_000),
      '<testsuite>'.repeat(50_000),
      `${' '.repeat(4).repeat(500)}ok 1\n`,
    ]) {
      expect(parse(text)?.complete ?? false).toBe(false);
    }
  });
});
