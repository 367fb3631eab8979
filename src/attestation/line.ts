import { canonicalize, type Json } from './canonical.ts';

/** One line of a file, without its newline. `number` counts from 1, `offset` in bytes from the start. */
export interface Line {
  readonly number: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export type Parsed =
  | { readonly ok: true; readonly value: Json; readonly text: string }
  | { readonly ok: false; readonly because: string };

const NEWLINE = 0x0a;

/** The lines of a file; a newline at the very end closes the last line and begins no other. */
export function* linesOf(bytes: Uint8Array): Generator<Line> {
  let number = 1;
  for (let offset = 0; offset < bytes.length; number += 1) {
    const found = bytes.indexOf(NEWLINE, offset);
    const end = found === -1 ? bytes.length : found;
    yield { number, offset, bytes: bytes.subarray(offset, end) };
    offset = end + 1;
  }
}

/** True when the last byte is a newline. (A second one makes an empty line, which no format here allows.) */
export function endsWithNewline(bytes: Uint8Array): boolean {
  return bytes.at(-1) === NEWLINE;
}

/** Strict UTF-8, then JSON. */
export function parseUtf8Json(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, because: 'not valid UTF-8' };
  }
  try {
    return { ok: true, value: JSON.parse(text), text };
  } catch {
    return { ok: false, because: 'not JSON' };
  }
}

/** JSON in its canonical spelling (RFC 8785), so that every byte of it means something. */
export function parseCanonical(bytes: Uint8Array): Parsed {
  const parsed = parseUtf8Json(bytes);
  if (!parsed.ok || isCanonical(parsed.value, parsed.text)) return parsed;
  return { ok: false, because: 'not canonical JSON' };
}

/** True when the text is the canonical spelling of the value. */
export function isCanonical(value: Json, text: string): boolean {
  try {
    return canonicalize(value) === text;
  } catch {
    return false;
  }
}
