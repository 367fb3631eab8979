import { expect, it } from 'vitest';
import { lastLines } from './last-lines.ts';

const of = (text: string) => lastLines(Buffer.from(text));

it('is the end of an output, without blank lines', () => {
  const all = Array.from({ length: 30 }, (_, n) => `line ${n}\n\n`).join('');
  expect(of(all)).toEqual(Array.from({ length: 20 }, (_, n) => `line ${n + 10}`));
  expect(of('')).toEqual([]);
  expect(of('x'.repeat(400))[0]).toHaveLength(300);
});

it('holds nothing that a terminal would act on', () => {
  expect(of('\u001b[31mred\u001b[39m\r\n10 %\r100 %\n')).toEqual(['red', '100 %']);
  expect(of('\u001b]0;title\u0007a\u001b[2Jb\u202ec\u0008d')).toEqual(['ab c d']);
  expect(of('a\tb\u001b\u009b5m')).toEqual(['a  b  5m']);
  expect(lastLines(Buffer.from([0xff, 0x61]))).toEqual(['\ufffda']);
});
