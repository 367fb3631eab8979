import { describe, expect, it } from 'vitest';
import { png } from '../../../tests/fixtures/png.ts';
import { blankness } from './blank.ts';
import { readImage } from './read-image.ts';

const noise = (y: number, bytes: number) =>
  Array.from({ length: bytes }, (_, x) => (x * 37 + y * 101 + x * y * 7) & 255);
const read = (file: Buffer) => {
  const image = readImage(file);
  if ('fault' in image) return image;
  const { pixels } = image;
  return { ...image, pixels: pixels && Array.from({ length: pixels.count }, (_, n) => pixels.at(n)) };
};
const fault = (file: Buffer) => {
  const image = readImage(file);
  return 'fault' in image ? image.fault : 'none';
};
const changed = (file: Buffer, at: number, byte: number) => {
  const copy = Buffer.from(file);
  copy[at] = byte;
  return copy;
};

describe('a PNG', () => {
  it('is decoded to the pixels it was made of, whatever the filters', () => {
    const rgb = (n: number, y: number) => {
      const [r = 0, g = 0, b = 0] = noise(y, 30).slice(n * 3, n * 3 + 3);
      return ((255 << 24) | (r << 16) | (g << 8) | b) >>> 0;
    };
    const expected = Array.from({ length: 100 }, (_, n) => rgb(n % 10, Math.floor(n / 10)));
    const line = (y: number) => noise(y, 30);
    expect(read(png({ width: 10, height: 10, line }))).toMatchObject({
      width: 10,
      height: 10,
      pixels: expected,
    });
    for (const kind of [1, 2, 3, 4])
      expect(read(png({ width: 10, height: 10, line, filter: () => kind }))).toMatchObject({
        pixels: expected,
      });
    expect(read(png({ width: 10, height: 10, line, filter: (y) => y % 5 }))).toMatchObject({
      pixels: expected,
    });
  });

  it.each([
    [
      'grey of one bit',
      { colour: 0, depth: 1, line: () => [0b10100000] },
      [0xff010101, 0xff000000, 0xff010101],
    ],
    [
      'grey of 16 bits',
      { colour: 0, depth: 16, line: () => [9, 1, 9, 2, 8, 0] },
      [0xff090909, 0xff090909, 0xff080808],
    ],
    ['grey with alpha', { colour: 4, line: () => [9, 255, 9, 0, 8, 1] }, [0xff090909, 0, 0x01080808]],
    ['RGB with alpha', { colour: 6, line: () => [1, 2, 3, 255, 9, 9, 9, 0, 0, 0, 0, 0] }, [0xff010203, 0, 0]],
    [
      'RGB of 16 bits',
      { depth: 16, line: () => Array.from({ length: 18 }, (_, n) => n) },
      [0xff000204, 0xff06080a, 0xff0c0e10],
    ],
  ])('of %s is read', (_, request, pixels) =>
    expect(read(png({ width: 3, height: 1, ...request }))).toMatchObject({ pixels }),
  );

  it('of a palette is read by its colours', () => {
    const more = [
      ['PLTE', Buffer.from([1, 2, 3, 4, 5, 6, 1, 2, 3])],
      ['tRNS', Buffer.from([255, 0])],
    ] as const;
    const request = { width: 3, height: 1, colour: 3, depth: 2, line: () => [0b00011000] };
    expect(read(png({ ...request, more }))).toMatchObject({ pixels: [0xff010203, 0, 0xff010203] });
    expect(fault(png(request))).toContain('without its palette');
  });

  it('that is interlaced is read pass by pass', () => {
    // Of 2 by 2 pixels the passes 1, 6 and 7 hold one, one and two.
    const passes = [
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3, 4, 4, 4],
    ];
    const raw = png({ width: 2, height: 3, line: (y) => passes[y] ?? [] });
    const header = png({ width: 2, height: 2, interlace: 1, line: () => [] });
    // The header of the one with the pixels of the other.
    const file = Buffer.concat([header.subarray(0, 33), raw.subarray(33)]);
    expect(read(file)).toMatchObject({ pixels: [0xff010101, 0xff020202, 0xff030303, 0xff040404] });
  });

  it('that is damaged is no picture', () => {
    const good = png({ width: 4, height: 4, line: (y) => noise(y, 12) });
    expect(fault(changed(good, 20, 1))).toContain('wrong checksum in "IHDR"');
    expect(fault(changed(good, good.length - 20, 1))).toContain('wrong checksum in "IDAT"');
    expect(fault(good.subarray(0, -5))).toContain('ends early');
    expect(fault(good.subarray(0, 20))).toContain('ends early');
    expect(fault(Buffer.concat([good, Buffer.from('x')]))).toContain('behind its end');
    expect(fault(png({ width: 4, height: 5, line: (y) => (y < 4 ? noise(y, 12) : []) }))).toContain(
      'too few pixels',
    );
    expect(fault(png({ width: 4, height: 3, line: (y) => noise(y, 20) }))).toContain('cannot be unpacked');
    expect(fault(png({ width: 4, height: 4, line: (y) => noise(y, 12), filter: () => 5 }))).toContain(
      'unknown filter',
    );
    expect(fault(png({ width: 0, height: 4, line: () => [] }))).toContain('no valid header');
    expect(fault(png({ width: 4, height: 4, depth: 7, line: (y) => noise(y, 12) }))).toContain(
      'no valid header',
    );
    expect(fault(png({ width: 100_000, height: 100_000, line: () => [] }).subarray())).toContain(
      'when it is decoded',
    );
  });
});

describe('a picture', () => {
  const of = (colours: readonly number[]) => ({ count: colours.length, at: (n: number) => colours[n] ?? 0 });
  const one = Array.from({ length: 10_000 }, () => 7);

  it('is blank with one colour, with fewer than asked for, and with next to nothing beside one', () => {
    expect(blankness(of(one), 2)).toContain('has 1 colours');
    expect(blankness(of(one.with(0, 8)), 3)).toContain('has 2 colours');
    expect(blankness(of(one.with(0, 8)), 2)).toContain('blank but for 1 of 10000');
    const some = one.map((colour, n) => (n < 10 ? 8 : colour));
    expect(blankness(of(some), 2)).toBeUndefined();
    expect(blankness(of([1, 2, 3, 4]), 2)).toBeUndefined();
  });

  it.each<[string, Buffer, number, number]>([
    ['GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.from([5, 0, 6, 0, 0, 0, 0, 0x3b])]), 5, 6],
    ['JPEG', Buffer.from('ffd8ffe000040000ffc0000b080006000501011100ffda0000ffd9', 'hex'), 5, 6],
    [
      'WebP',
      Buffer.concat([
        Buffer.from('RIFF\x16\0\0\0WEBPVP8X', 'latin1'),
        Buffer.from('0a00000000000000040000050000', 'hex'),
      ]),
      5,
      6,
    ],
    [
      'BMP',
      Buffer.concat([
        Buffer.from('BM'),
        Buffer.from('1e000000000000001a000000280000000500000006000000', 'hex'),
        Buffer.alloc(8),
      ]),
      5,
      6,
    ],
  ])('of the format %s tells its size, and no pixels', (format, file, width, height) => {
    expect(readImage(file)).toEqual({ format, width, height, pixels: undefined });
    expect(fault(file.subarray(0, 11))).not.toBe('none');
  });

  it('is nothing else', () => {
    for (const text of ['', 'x', '<svg/>', 'BM', '\x89PNG'])
      expect(fault(Buffer.from(text, 'latin1'))).not.toBe('none');
  });
});
