import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { proofId } from './proof.ts';

test('ids are UUIDs of version 4', () => {
  expect(proofId(() => Buffer.alloc(16, 255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(proofId(randomBytes)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
