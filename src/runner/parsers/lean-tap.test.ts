import { describe, expect, it } from 'vitest';
import { parserOf } from './index.ts';
import { leanTap } from './lean-tap.ts';

const diagnosis = (line: string, times: number) => `  ---\n${`  ${line}\n`.repeat(times)}  ...\n`;

describe('leanTap', () => {
  it('leaves an ordinary text alone', () => {
    for (const text of [
      '',
      'TAP version 13\r\nok 1\r\n  ---\r\n  a: 1\r\n  ...\r\n1..1\r\n',
      `not ok 1\n${diagnosis('a: 1', 100)}# Subtest: b\n    ok 1 - c\n      ---\n      d: e\n    1..1\nok 2 - b\n1..2\n`,
      '---\nok 1\n...\n  ---\n',
    ])
      expect(leanTap(text)).toBe(text);
  });

  it('leaves out what is long beyond measure, and nothing that stands further left', () => {
    expect(leanTap(`not ok 1\n${diagnosis('a: 1', 4_000)}1..1\n`)).toBe('not ok 1\n1..1\n');
    expect(leanTap(`ok 1\n  ---\n${'  a: 1\n'.repeat(4_000)}not ok 2\n1..2\n`)).toBe(
      'ok 1\nnot ok 2\n1..2\n',
    );
    expect(leanTap(`ok 1\n${' '.repeat(5_000)}x\n1..1\n`)).toBe('ok 1\n1..1\n');
    const many = `ok 1\n${diagnosis('a: 1', 1_000)}`.repeat(200);
    expect(leanTap(many).length).toBeLessThan(1_010_000);
    expect(leanTap(many).match(/^ok 1$/gm)?.length).toBe(200);
  });

  it('refuses a text where a result would be left out', async () => {
    const parse = await parserOf('tap');
    for (const text of [
      `ok 1\n${diagnosis('a: 1', 4_000).replace('  ...', '  not ok 2\n  ...')}1..1\n`,
      `ok 1\n${' '.repeat(401)}not ok 1\n1..1\n`,
    ]) {
      expect(() => leanTap(text)).toThrow(RangeError);
      expect(parse(text)).toBeUndefined();
    }
  });
});

it('go: a name of endless parts, and lines that are no events, are no report', async () => {
  const parse = await parserOf('go');
  const pass = (Test?: string) => `${JSON.stringify({ Action: 'pass', Package: 'p', Test })}\n`;
  expect(parse(pass('a/'.repeat(100_000)) + pass())).toBeUndefined();
  expect(parse(pass('a/b/c') + pass())?.tests.map(({ id }) => id)).toEqual(['p > a/b/c']);
  expect(parse(pass('a') + '{\n'.repeat(2_000) + pass())).toBeUndefined();
});
