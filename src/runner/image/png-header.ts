/** The header of a PNG. `colour` is its colour type: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
export interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits of one sample. */
  readonly depth: number;
  readonly colour: number;
  readonly interlaced: boolean;
}

/** One of the pictures that an interlaced picture is made of; a plain one has a single pass. */
export interface Pass {
  readonly width: number;
  readonly height: number;
}

const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** How many samples a pixel has. */
export const samplesOf = ({ colour }: Header): number => samples[colour] ?? 1;

/** Bytes of one line of pixels, without its filter byte. */
export const scanlineBytes = (header: Header, width: number): number =>
  Math.ceil((width * samplesOf(header) * header.depth) / 8);

// Adam7: where each pass starts, and how far its pixels lie apart.
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The passes that hold pixels, in the order of the file. */
export function passesOf({ width, height, interlaced }: Header): readonly Pass[] {
  if (!interlaced) return [{ width, height }];
  return adam7
    .map(([x, y, dx, dy]) => ({ width: Math.ceil((width - x) / dx), height: Math.ceil((height - y) / dy) }))
    .filter((pass) => pass.width > 0 && pass.height > 0);
}
