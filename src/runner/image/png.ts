import { crc32, inflateSync } from 'node:zlib';
import type { BrokenImage, ImageFile, Pixels } from './image-file.ts';
import { colours } from './png-colours.ts';
import { unfilter } from './png-filter.ts';
import { type Header, passesOf, scanlineBytes } from './png-header.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Decoded bytes; a picture of 8000 by 8000 in four bytes fits. */
const largest = 256 * 1024 * 1024;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Decodes a PNG whole (ISO/IEC 15948): every checksum, every filter, both ways of interlacing. Never throws. */
export function readPng(file: Buffer): ImageFile | BrokenImage {
  if (!file.subarray(0, 8).equals(signature)) return { fault: 'does not start like a PNG' };
  const chunks = chunksOf(file);
  if ('fault' in chunks) return chunks;
  const first = chunks.list[0];
  const header = first?.type === 'IHDR' ? headerOf(first.data) : undefined;
  if (header === undefined) return { fault: 'is a PNG with no valid header' };
  const raw = inflated(chunks.list, header);
  if ('fault' in raw) return raw;
  const pixels = pixelsOf(raw.bytes, header, chunks.list);
  if ('fault' in pixels) return pixels;
  return { format: 'PNG', width: header.width, height: header.height, pixels };
}

function chunksOf(file: Buffer): { readonly list: readonly Chunk[] } | BrokenImage {
  const list: Chunk[] = [];
  let at = 8;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) return { fault: 'is a PNG that ends early' };
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(at + 8 + length))
      return { fault: `is a PNG with a wrong checksum in ${JSON.stringify(type)}` };
    list.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
    if (type === 'IEND')
      return at === file.length ? { list } : { fault: 'is a PNG with something behind its end' };
  }
  return { fault: 'is a PNG that ends early' };
}

const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

function headerOf(data: Buffer): Header | undefined {
  if (data.length !== 13) return undefined;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  const known =
    depths[colour]?.includes(depth) === true && compression === 0 && filter === 0 && interlace < 2;
  return known && width > 0 && height > 0
    ? { width, height, depth, colour, interlaced: interlace === 1 }
    : undefined;
}

function inflated(chunks: readonly Chunk[], header: Header): { readonly bytes: Buffer } | BrokenImage {
  const wanted = passesOf(header).reduce(
    (sum, pass) => sum + pass.height * (1 + scanlineBytes(header, pass.width)),
    0,
  );
  if (wanted > largest) return { fault: `is a PNG of more than ${largest} bytes when it is decoded` };
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  try {
    const bytes = inflateSync(packed, { maxOutputLength: wanted });
    return bytes.length === wanted ? { bytes } : { fault: 'is a PNG with too few pixels' };
  } catch {
    return { fault: 'is a PNG whose pixels cannot be unpacked' };
  }
}

function pixelsOf(raw: Buffer, header: Header, chunks: readonly Chunk[]): Pixels | BrokenImage {
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data;
  if (header.colour === 3 && palette === undefined) return { fault: 'is a PNG without its palette' };
  const lines: { readonly data: Buffer; readonly width: number }[] = [];
  let at = 0;
  for (const pass of passesOf(header)) {
    const data = unfilter(raw, at, pass, header);
    if (data === undefined) return { fault: 'is a PNG with an unknown filter' };
    lines.push({ data, width: pass.width });
    at += pass.height * (1 + scanlineBytes(header, pass.width));
  }
  return colours(header, passesOf(header), lines, palette, chunks.find(({ type }) => type === 'tRNS')?.data);
}
