import { scryptSync, timingSafeEqual } from 'node:crypto';

/** Work for each guess, some hundredths of a second: a code is short, and holds for minutes only. */
const COST = { N: 2 ** 14, r: 8, p: 1 } as const;
const BYTES = 32;

/** What may be kept of a code: it can be compared with it, and found by trying only in more time than the code holds. */
export function keptCode(code: string, salt: Buffer): string {
  return `${salt.toString('hex')}:${scryptSync(code, salt, BYTES, COST).toString('hex')}`;
}

/** Whether it is the code of which this was kept. */
export function isKeptCode(typed: string, kept: string): boolean {
  const [salt = '', digest = ''] = kept.split(':');
  const expected = Buffer.from(digest, 'hex');
  if (salt === '' || expected.length !== BYTES) return false;
  return timingSafeEqual(scryptSync(typed, Buffer.from(salt, 'hex'), BYTES, COST), expected);
}
