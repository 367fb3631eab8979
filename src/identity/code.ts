import { sha256 } from '../attestation/digest.ts';

/** 32 characters, none of which looks like another: no 0 and O, no 1 and I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 6;

/**
 * The code a person types to confirm what has this digest: 30 bits of SHA-256 over digest and nonce, six characters.
 * A fresh nonce for each question makes it useless to type ahead or to keep.
 */
export function confirmationCode(digest: string, nonce: Uint8Array): string {
  const bytes = sha256(Buffer.concat([Buffer.from(digest, 'utf8'), nonce])).subarray(0, LENGTH);
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** True when the person typed the code; case and blanks around and between do not matter. */
export function isCode(typed: string, code: string): boolean {
  return typed.replace(/\s/g, '').toUpperCase() === code;
}
