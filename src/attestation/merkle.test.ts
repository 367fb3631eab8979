import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { headLeaf, logRoot, merkleRoot } from './merkle.ts';

const digest = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The definition of RFC 6962, word for word and slow. */
function reference(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return digest();
  if (leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return digest(Buffer.of(1), reference(leaves.slice(0, split)), reference(leaves.slice(split)));
}

test('RFC 6962 vectors: the roots over the first n of eight known leaves', () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].map((hex) =>
    digest(Buffer.of(0), Buffer.from(hex, 'hex')),
  );
  expect(merkleRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(merkleRoot(inputs.slice(0, 1))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  expect(merkleRoot(inputs.slice(0, 2))).toBe(
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  );
  expect(merkleRoot(inputs.slice(0, 3))).toBe(
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  );
  expect(merkleRoot(inputs)).toBe('ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c');
});

test('the fast tree is the tree of the definition for every size up to 70', () => {
  const leaves = Array.from({ length: 70 }, (_, n) => digest(Buffer.of(n)));
  for (let size = 0; size <= leaves.length; size += 1) {
    expect(merkleRoot(leaves.slice(0, size))).toBe(reference(leaves.slice(0, size)).toString('hex'));
  }
});

test('a leaf covers the name with its length, the version and the hash', () => {
  const hash = 'ab'.repeat(32);
  const expected = digest(
    Buffer.from([0, 0, 0, 0, 1, 0x78, 0, 0, 0, 0, 0, 0, 0, 7]),
    Buffer.from(hash, 'hex'),
  );
  expect(headLeaf({ stream: 'x', version: 7, hash })).toEqual(expected);
});

test('the root of a log does not depend on the order of its heads, and does on each of them', () => {
  const heads = ['b', 'a', 'ﬀ', '😀'].map((stream) => ({ stream, version: 1, hash: 'cd'.repeat(32) }));
  expect(logRoot([...heads].reverse())).toBe(logRoot(heads));
  expect(logRoot(heads.slice(1))).not.toBe(logRoot(heads));
  const [b, a, ligature, emoji] = heads.map(headLeaf);
  // UTF-16 order would put the emoji (a surrogate pair) before the ligature.
  expect(logRoot(heads)).toBe(merkleRoot([a, b, ligature, emoji].flatMap((leaf) => leaf ?? [])));
});

test('a hash or a leaf of the wrong size is refused', () => {
  const bad = expect.objectContaining({ code: 'BAD_INPUT' });
  expect(() => headLeaf({ stream: 'x', version: 1, hash: 'ab' })).toThrow(bad);
  expect(() => merkleRoot([Buffer.alloc(31)])).toThrow(bad);
});
