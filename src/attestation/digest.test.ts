import { expect, test } from 'vitest';
import { isSha256Hex, sha256, sha256Hex } from './digest.ts';

test('FIPS 180-4: the digest of "abc"', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256Hex('abc')).toBe(expected);
  expect(sha256Hex(new Uint8Array([97, 98, 99]))).toBe(expected);
  expect(sha256('abc').toString('hex')).toBe(expected);
});

test('only 64 lowercase hex digits are a digest', () => {
  expect(isSha256Hex('0'.repeat(64))).toBe(true);
  expect(isSha256Hex('A'.repeat(64))).toBe(false);
  expect(isSha256Hex('0'.repeat(63))).toBe(false);
  expect(isSha256Hex(`${'0'.repeat(64)}\n`)).toBe(false);
});
