import type { BrokenImage, ImageFile } from './image-file.ts';
import { readPng } from './png.ts';

/**
 * Opens a picture by what it holds, whatever its name says. A PNG is decoded whole; of the other formats the headers
 * and the frame of the file are read, and their pixels stay unseen.
 */
export function readImage(file: Buffer): ImageFile | BrokenImage {
  const starts = (text: string, at = 0) => file.toString('latin1', at, at + text.length) === text;
  try {
    if (starts('\x89PNG')) return readPng(file);
    if (starts('\xff\xd8\xff')) return readJpeg(file);
    if (starts('GIF87a') || starts('GIF89a')) return readGif(file);
    if (starts('RIFF') && starts('WEBP', 8)) return readWebp(file);
    if (starts('BM')) return readBmp(file);
  } catch {
    // A read behind the end of the file.
    return { fault: 'is a picture that ends early' };
  }
  return { fault: 'is no PNG, JPEG, GIF, WebP or BMP' };
}

const sized = (format: ImageFile['format'], width: number, height: number): ImageFile | BrokenImage =>
  width > 0 && height > 0
    ? { format, width, height, pixels: undefined }
    : { fault: `is a ${format} without a size` };

/** Walks the segments to the frame header, which has the size, and wants the end mark at the end. */
function readJpeg(file: Buffer): ImageFile | BrokenImage {
  if (file.readUInt16BE(file.length - 2) !== 0xffd9) return { fault: 'is a JPEG that ends early' };
  let at = 2;
  for (;;) {
    if (file.readUInt8(at) !== 0xff) return { fault: 'is a JPEG with broken segments' };
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker === 0xda || marker === 0xd9) return { fault: 'is a JPEG without a frame' };
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return sized('JPEG', file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
    else at += 2 + file.readUInt16BE(at + 2);
  }
}

const readGif = (file: Buffer) =>
  file.readUInt8(file.length - 1) === 0x3b
    ? sized('GIF', file.readUInt16LE(6), file.readUInt16LE(8))
    : { fault: 'is a GIF that ends early' };

function readWebp(file: Buffer): ImageFile | BrokenImage {
  if (file.readUInt32LE(4) + 8 > file.length) return { fault: 'is a WebP that ends early' };
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized('WebP', file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return sized('WebP', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized('WebP', file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1);
    default:
      return { fault: 'is a WebP of an unknown kind' };
  }
}

const readBmp = (file: Buffer) =>
  file.readUInt32LE(2) <= file.length && file.readUInt32LE(14) >= 40
    ? sized('BMP', file.readInt32LE(18), Math.abs(file.readInt32LE(22)))
    : { fault: 'is a BMP that ends early, or of an old kind' };
