import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readEnd } from './records.ts';
import { indexPath, type PackIndex, packPath } from './rotate.ts';
import { type StreamName, transcriptPath } from './transcript.ts';

/** A part of a transcript; `next` is the offset to go on with. */
export interface Page {
  readonly text: string;
  readonly next: number;
  /** Nothing will follow. */
  readonly ended: boolean;
}

/** The longest character of UTF-8, and the least that a page may hold. */
const LONGEST = 4;
const MOST = 2 ** 22;
const NEWLINE = 10;

/**
 * Up to `limit` bytes of a transcript from `offset` on, cut after the last whole line, or within a line that is longer than the
 * page. A line that is still being written comes when it is whole or the run has ended. A missing transcript is an empty one.
 */
export function page(folder: string, offset: number, limit: number, stream: StreamName = 'out'): Page {
  // Before the bytes: what came between the two looks is on the next page.
  const over = readEnd(folder) !== undefined;
  const path = transcriptPath(folder, stream);
  const most = Math.min(Math.max(Math.floor(limit) || 0, LONGEST), MOST);
  const { bytes, total } = from(path, Math.max(Math.floor(offset) || 0, 0), most);
  const start = Math.min(Math.max(Math.floor(offset) || 0, 0), total);
  const last = over && start + bytes.length >= total;
  const length = last ? bytes.length : cut(bytes, bytes.length >= most);
  const next = start + length;
  return { text: bytes.toString('utf8', 0, length), next, ended: over && next >= total };
}

/** Where to cut: after a line, else (only in a page that is full) before its last character, which may not be whole. */
function cut(bytes: Buffer, full: boolean): number {
  const line = bytes.lastIndexOf(NEWLINE) + 1;
  if (line > 0 || !full) return line;
  let end = bytes.length;
  while (end > bytes.length - LONGEST && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const begun = (bytes[end - 1] ?? 0) >= 0xc0 ? end - 1 : bytes.length;
  return begun > 0 ? begun : bytes.length;
}

interface Slice {
  readonly bytes: Buffer;
  readonly total: number;
}

const NOTHING: Slice = { bytes: Buffer.alloc(0), total: 0 };

/** The file may be packed between two looks, so the plain one is asked again. */
function from(path: string, offset: number, most: number): Slice {
  return plain(path, offset, most) ?? packed(path, offset, most) ?? plain(path, offset, most) ?? NOTHING;
}

function plain(path: string, offset: number, most: number): Slice | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const total = fstatSync(file).size;
    return { bytes: slice(file, offset, Math.min(most, Math.max(0, total - offset))), total };
  } finally {
    closeSync(file);
  }
}

function packed(path: string, offset: number, most: number): Slice | undefined {
  try {
    const index = readIndex(path);
    if (index === undefined) return whole(path, offset, most);
    const file = openSync(packPath(path), 'r');
    try {
      return { bytes: unpacked(file, index, offset, most), total: index.total };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function unpacked(file: number, { at, piece, total }: PackIndex, offset: number, most: number): Buffer {
  const end = Math.min(total, offset + most);
  if (offset >= end) return NOTHING.bytes;
  const first = Math.floor(offset / piece);
  const after = Math.floor((end - 1) / piece) + 1;
  const begin = at[first] ?? 0;
  const stop = at[after] ?? fstatSync(file).size;
  const bytes = gunzipSync(slice(file, begin, stop - begin));
  return bytes.subarray(offset - first * piece, end - first * piece);
}

/** Without its index the packed file is still a gzip file. */
function whole(path: string, offset: number, most: number): Slice {
  const bytes = gunzipSync(readFileSync(packPath(path)));
  return { bytes: bytes.subarray(offset, offset + most), total: bytes.length };
}

function readIndex(path: string): PackIndex | undefined {
  try {
    const index = JSON.parse(readFileSync(indexPath(path), 'utf8')) as PackIndex;
    const sound = Number.isSafeInteger(index.total) && index.piece > 0 && Array.isArray(index.at);
    return sound ? index : undefined;
  } catch {
    return undefined;
  }
}

function slice(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}
