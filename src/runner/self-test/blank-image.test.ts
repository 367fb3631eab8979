import { crc32, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { blankPng } from './blank-image.ts';

it('is a whole PNG of the size asked for, every pixel white', () => {
  const png = blankPng(5, 3);
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.push([body.toString('latin1', 0, 4), body.subarray(4)]);
    at += length + 12;
  }
  expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
  const [header, data] = chunks.map(([, content]) => content);
  expect([header?.readUInt32BE(0), header?.readUInt32BE(4)]).toEqual([5, 3]);
  const rows = inflateSync(data ?? Buffer.alloc(0));
  expect([...rows]).toEqual([0, 1, 2].flatMap(() => [0, 255, 255, 255, 255, 255]));
});
