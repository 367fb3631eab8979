import { expect, test } from 'vitest';
import { confirmationCode, isCode } from './code.ts';

const nonce = Buffer.alloc(32, 1);

test('a code is six characters that cannot be mistaken for each other', () => {
  for (let n = 0; n < 200; n += 1) {
    expect(confirmationCode(`digest ${n}`, nonce)).toMatch(/^[2-9A-HJ-NP-Z]{6}$/);
  }
});

test('another digest and another nonce give another code; the same give the same', () => {
  const code = confirmationCode('d1', nonce);
  expect(confirmationCode('d1', nonce)).toBe(code);
  expect(confirmationCode('d2', nonce)).not.toBe(code);
  expect(confirmationCode('d1', Buffer.alloc(32, 2))).not.toBe(code);
});

test('the code is recognised in small letters and with blanks, and nothing else is', () => {
  expect(isCode(' x7k 2qp\r', 'X7K2QP')).toBe(true);
  for (const typed of ['', 'y', 'yes', 'X7K2Q', 'X7K2QPP', 'X7K2QR'])
    expect(isCode(typed, 'X7K2QP')).toBe(false);
});
