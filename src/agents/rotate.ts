import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { replaceFile } from './durable-file.ts';
import { STREAMS, transcriptPath } from './transcript.ts';

/** A smaller transcript stays as it is. */
const WORTH_PACKING = 2 ** 18;
/** Bytes of a transcript that are packed together, and unpacked together to show one of them. */
const PIECE = 2 ** 20;

/** Where the pieces of a packed stream begin: `at[n]` holds the bytes from `n * piece` on. */
export interface PackIndex {
  readonly total: number;
  readonly piece: number;
  readonly at: readonly number[];
}

export const packPath = (path: string): string => `${path}.gz`;
const draftPath = (path: string): string => `${path}.gz.part`;
export const indexPath = (path: string): string => `${path}.gz.json`;

/**
 * Packs the transcript of an ended run, each piece as a gzip member of its own (RFC 1952, 2.2), so that a page is read without
 * the rest and any gunzip reads the whole. At every moment the plain file or the packed one is there, whole.
 */
export function packTranscript(folder: string): void {
  for (const stream of STREAMS) {
    const path = transcriptPath(folder, stream);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    try {
      if (size >= WORTH_PACKING) pack(path, size);
    } catch {
      // No room for both: the plain one stays.
      rmSync(draftPath(path), { force: true });
    }
  }
}

function pack(path: string, total: number): void {
  const draft = draftPath(path);
  const from = openSync(path, 'r');
  const into = openSync(draft, 'w', 0o600);
  const at: number[] = [];
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    for (let done = 0, written = 0; done < total; ) {
      const count = readSync(from, piece, 0, Math.min(PIECE, total - done), done);
      if (count === 0) throw new Error(`${path} became shorter while it was packed`);
      const packed = gzipSync(piece.subarray(0, count));
      for (let sent = 0; sent < packed.length; ) sent += writeSync(into, packed, sent);
      at.push(written);
      written += packed.length;
      done += count;
    }
    fsyncSync(into);
  } finally {
    closeSync(from);
    closeSync(into);
  }
  const index: PackIndex = { total, piece: PIECE, at };
  replaceFile(indexPath(path), JSON.stringify(index));
  renameSync(draft, packPath(path));
  rmSync(path);
}
