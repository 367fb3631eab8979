import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256Hex } from '../attestation/digest.ts';
import { isKeptCode, keptCode } from './kept-code.ts';

test('what is kept knows the code, and is another for each question', () => {
  const [one, two] = [keptCode('ABC234', randomBytes(16)), keptCode('ABC234', randomBytes(16))];
  expect([isKeptCode('ABC234', one), isKeptCode('ABC234', two)]).toEqual([true, true]);
  expect([isKeptCode('ABC235', one), isKeptCode('', one)]).toEqual([false, false]);
  expect(one).not.toBe(two);
  expect(one).not.toContain(sha256Hex('ABC234'));
});

test.each(['', ':', 'ab:', 'ab:cd', sha256Hex('ABC234'), `:${'00'.repeat(32)}`])(
  'what was kept otherwise fits no code: %j',
  (kept) => expect(isKeptCode('ABC234', kept)).toBe(false),
);
