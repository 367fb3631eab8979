/** What a picture's file says of itself; `pixels` where every pixel could be looked at. */
export interface ImageFile {
  readonly format: 'PNG' | 'JPEG' | 'GIF' | 'WebP' | 'BMP';
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels | undefined;
}

/** The colours of a picture, each pixel as one number; which pixel stands where does not matter here. */
export interface Pixels {
  readonly count: number;
  at(index: number): number;
}

/** Why a file is no picture, in words that follow its name. */
export interface BrokenImage {
  readonly fault: string;
}
