import { randomBytes } from 'node:crypto';

/** A UUIDv7 (RFC 9562): milliseconds since 1970 first, so that ids sort by time. */
export function uuidv7(milliseconds: number, random: (bytes: number) => Buffer): string {
  const bytes = random(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const POOL = 1_024;
let pool = Buffer.alloc(0);

/** Random bytes for ids, fetched from the system by the kilobyte: one fetch costs as much as a small decision. */
export function pooledBytes(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(Math.max(POOL, bytes));
  const taken = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return taken;
}
