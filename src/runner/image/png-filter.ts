import { type Header, type Pass, samplesOf, scanlineBytes } from './png-header.ts';

/** Takes the filters off one pass; undefined when a line names a filter that does not exist. */
export function unfilter(raw: Buffer, start: number, pass: Pass, header: Header): Buffer | undefined {
  const bytes = scanlineBytes(header, pass.width);
  const step = Math.max(1, (samplesOf(header) * header.depth) >> 3);
  const out = Buffer.alloc(bytes * pass.height);
  for (let y = 0; y < pass.height; y++) {
    const from = start + y * (bytes + 1);
    const filter = raw[from] ?? 5;
    if (filter > 4) return undefined;
    raw.copy(out, y * bytes, from + 1, from + 1 + bytes);
    undo(out, y, bytes, step, filter);
  }
  return out;
}

function undo(out: Buffer, y: number, bytes: number, step: number, filter: number): void {
  if (filter === 0) return;
  const line = y * bytes;
  for (let x = 0; x < bytes; x++) {
    const at = line + x;
    const left = x >= step ? (out[at - step] ?? 0) : 0;
    const up = y > 0 ? (out[at - bytes] ?? 0) : 0;
    const corner = x >= step && y > 0 ? (out[at - bytes - step] ?? 0) : 0;
    out[at] = ((out[at] ?? 0) + predicted(filter, left, up, corner)) & 255;
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
