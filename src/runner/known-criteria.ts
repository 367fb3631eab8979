import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../attestation/digest.ts';

/** Where it is kept which criteria were read, and by which version: a newer one may find what an older did not. */
export interface KnownCriteria {
  readonly cacheRoot: string;
  readonly version: string;
}

const placeOf = ({ cacheRoot, version }: KnownCriteria, bytes: Uint8Array): string =>
  join(cacheRoot, 'criteria', `${sha256Hex(bytes)}-${version}`);

/**
 * Whether these very bytes were once read without a problem. Anybody who can write here can say so: it spares a second
 * reading where only a warning depends on it, and decides nothing.
 */
export const wasRead = (known: KnownCriteria, bytes: Uint8Array): boolean =>
  existsSync(placeOf(known, bytes));

/** Remembers it. Where that fails, it is read again next time. */
export function rememberRead(known: KnownCriteria, bytes: Uint8Array): void {
  try {
    mkdirSync(join(known.cacheRoot, 'criteria'), { recursive: true, mode: 0o700 });
    writeFileSync(placeOf(known, bytes), '', { mode: 0o600 });
  } catch {
    // A full or read-only disk costs time here, nothing else.
  }
}
