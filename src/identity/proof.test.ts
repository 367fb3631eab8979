import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { proofId, proofIsFor } from './proof.ts';

const proof = {
  id: 'p',
  digest: 'd1',
  purpose: 'approve',
  at: '2026-03-01T10:00:00.000Z',
  channel: 'terminal',
};

test('a proof is good for its digest and purpose together, and for nothing else', () => {
  expect(proofIsFor(proof, { digest: 'd1', purpose: 'approve' })).toBe(true);
  expect(proofIsFor(proof, { digest: 'd2', purpose: 'approve' })).toBe(false);
  expect(proofIsFor(proof, { digest: 'd1', purpose: 'abandon' })).toBe(false);
});

test('an empty digest or purpose is nobody’s proof', () => {
  expect(proofIsFor({ ...proof, digest: '' }, { digest: '', purpose: 'approve' })).toBe(false);
  expect(proofIsFor({ ...proof, purpose: '' }, { digest: 'd1', purpose: '' })).toBe(false);
});

test('ids are UUIDs of version 4', () => {
  expect(proofId(() => Buffer.alloc(16, 255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(proofId(randomBytes)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
