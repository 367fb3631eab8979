import type { Pixels } from './image-file.ts';
import { type Header, type Pass, samplesOf, scanlineBytes } from './png-header.ts';

interface Lines {
  readonly data: Buffer;
  readonly width: number;
}

/** The colours of all passes. Of 16 bits the upper eight count: nobody sees the others. What is not seen at all is 0. */
export function colours(
  header: Header,
  passes: readonly Pass[],
  lines: readonly Lines[],
  palette: Buffer | undefined,
  transparent: Buffer | undefined,
): Pixels {
  const all = new Uint32Array(header.width * header.height);
  let next = 0;
  lines.forEach(({ data }, index) => {
    const pass = passes[index] ?? { width: 0, height: 0 };
    const bytes = scanlineBytes(header, pass.width);
    for (let y = 0; y < pass.height; y++)
      for (let x = 0; x < pass.width; x++) {
        all[next] =
          header.colour === 3
            ? fromPalette(sample(data, y * bytes, x, header.depth), palette, transparent)
            : direct(header, data, y * bytes, x);
        next += 1;
      }
  });
  return { count: all.length, at: (index) => all[index] ?? 0 };
}

function direct(header: Header, data: Buffer, line: number, x: number): number {
  const count = samplesOf(header);
  const of = (n: number) => sample(data, line, x * count + n, header.depth);
  const alpha = header.colour === 4 ? of(1) : header.colour === 6 ? of(3) : 255;
  if (alpha === 0) return 0;
  const grey = of(0);
  return header.colour === 2 || header.colour === 6
    ? packed(grey, of(1), of(2), alpha)
    : packed(grey, grey, grey, alpha);
}

/** One sample as eight bits or fewer. */
function sample(data: Buffer, line: number, index: number, depth: number): number {
  if (depth === 8) return data[line + index] ?? 0;
  if (depth === 16) return data[line + index * 2] ?? 0;
  const bit = index * depth;
  return ((data[line + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

function fromPalette(index: number, palette: Buffer | undefined, transparent: Buffer | undefined): number {
  const alpha = transparent?.[index] ?? 255;
  if (alpha === 0) return 0;
  return packed(
    palette?.[index * 3] ?? 0,
    palette?.[index * 3 + 1] ?? 0,
    palette?.[index * 3 + 2] ?? 0,
    alpha,
  );
}

const packed = (red: number, green: number, blue: number, alpha: number) =>
  ((alpha << 24) | (red << 16) | (green << 8) | blue) >>> 0;
