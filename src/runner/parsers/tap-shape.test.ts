import { describe, expect, it } from 'vitest';
import type { Report } from '../report.ts';
import { parserOf } from './index.ts';

const read = async (text: string): Promise<Report | undefined> => (await parserOf('tap'))(text);
const shown = (report: Report | undefined) => report?.tests.map(({ id, outcome }) => `${outcome} ${id}`);

describe('tap with braces', () => {
  const text = `TAP version 13
1..1
ok 1 - v.test.mjs # time=3.84ms {
    1..3
    ok 1 - s # time=1.48ms {
        1..3
        ok 1 - a # time=0.95ms
        ok 2 - b # SKIP
        ok 3 - in # time=0.16ms {
            1..1
            ok 1 - x \\# y { # time=0.09ms
        }
    }
    ok 2 - d # time=1.42ms
    ok 3 - sk # SKIP {
        1..1
        ok 1 - q # SKIP
    }
}
`;

  it('reads what vitest writes, names that end in a brace as well', async () => {
    const report = await read(text);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual([
      'passed v.test.mjs > s > a',
      'skipped v.test.mjs > s > b',
      'passed v.test.mjs > s > in > x # y',
      'passed v.test.mjs > d',
      'skipped v.test.mjs > sk > q',
    ]);
  });

  it('takes a diagnosis before the braces, and names that end in a brace without any', async () => {
    const buffered = 'ok 1 - a\n  ---\n  b: 1\n  ...\n{\n    ok 1 - c\n    1..1\n}\n1..1\n';
    expect(shown(await read(buffered))).toEqual(['passed a > c']);
    expect((await read(buffered))?.complete).toBe(true);
    expect((await read(buffered.replace('}\n', '')))?.complete).toBe(false);
    for (const named of [
      '1..2\nok 1 - opens {\nok 2 - b\n',
      '1..2\nok 1 - b\nok 2 - opens { # time=1ms\n',
      'ok 1 - opens {\n  ---\n  a: 1\n  ...\nok 2 - b\n1..2\n',
    ])
      expect(await read(named)).toMatchObject({ complete: true, tests: [{}, {}] });
  });

  it('does not mind what programs print in between', async () => {
    const printed = text.replace('    ok 2 - d', '    ok 2 - d\n{ "a": 1 }\n# ok 1 {');
    expect((await read(printed))?.complete).toBe(true);
    expect((await read(`{\n  "ok": 1\n}\n${text}{\n}\n`))?.complete).toBe(true);
  });

  it.each([
    ['braces that are open', 'TAP version 13\n1..1\nok 1 - v.test.mjs {\n    1..1\n    ok 1 - s {\n'],
    ['braces that are open behind a test', '1..1\nok 1 - v {\n    1..1\n    ok 1 - s\n'],
    [
      'outer braces that are open',
      '1..1\nok 1 - v {\n    1..1\n    ok 1 - s {\n        1..1\n        ok 1 - t\n    }\n',
    ],
    [
      'inner braces that are open',
      '1..1\nok 1 - v {\n    1..1\n    ok 1 - s {\n        1..1\n        ok 1 - t\n}\n',
    ],
    ['braces that only another test ends', '1..2\nok 1 - v {\n    1..1\n    ok 1 - s\nok 2 - w\n'],
    ['no plan in the braces', '1..1\nok 1 - v {\n    ok 1 - s\n}\n'],
    ['nothing but a comment in the braces', '1..1\nok 1 - v {\n    # ok\n}\n'],
    ['nothing in the braces', '1..1\nok 1 - v {\n}\n'],
  ])('is incomplete with %s', async (_, cut) => {
    expect((await read(cut))?.complete).toBe(false);
  });
});

describe('tap', () => {
  it.each([
    ['a second plan', '1..1\nok 1 - a\n1..1\n'],
    ['a second plan of a subtest', '# Subtest: p\n    1..1\n    ok 1 - a\n    1..1\nok 1 - p\n1..1\n'],
    ['an older version', 'TAP version 12\n1..1\nok 1 - a\n'],
    ['a newer version', 'TAP version 15\n1..1\nok 1 - a\n'],
    ['a second version', 'TAP version 13\n1..1\nok 1 - a\nTAP version 13\n'],
    ['a test behind the plan', 'ok 1 - a\n1..1\nnot ok 2 - b\n'],
    ['a second report behind the first', 'ok 1 - a\n1..1\nTAP version 13\nnot ok 1 - b\n1..1\n'],
    ['a bail-out behind the plan', 'ok 1 - a\n1..1\nBail out!\n'],
    ['a diagnosis that is cut off', '1..1\nok 1 - a\n  ---\n  b: 1\n'],
    ['a failed test and a plan that is not kept', '1..3\nnot ok 1 - a\nok 2 - b\n'],
  ])('is incomplete with %s', async (_, text) => {
    expect((await read(text))?.complete).toBe(false);
  });

  it.each(['', 'TAP version 13\n', 'TAP version 14\n'])('takes the version %j', async (version) => {
    expect((await read(`${version}1..1\nok 1 - a\n`))?.complete).toBe(true);
  });
});

it('a sign before the one of the directive is part of the name', async () => {
  const report = await read('TAP version 13\n1..2\nok 1 name (#378) # SKIP\nok 2 b #1\n');
  expect(report?.complete).toBe(true);
  expect(report?.tests.map(({ outcome }) => outcome)).toEqual(['skipped', 'passed']);
});
