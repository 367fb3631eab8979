import { AttestationError } from './attestation-error.ts';
import { place } from './chain.ts';
import { isSha256Hex, sha256 } from './digest.ts';

/** The last event of a stream. */
export interface StreamHead {
  readonly stream: string;
  readonly version: number;
  /** 64 hex digits. */
  readonly hash: string;
}

const WIDTH = 32;

/** The leaf hash (RFC 6962, prefix 0x00) that stands for a stream's head, 32 bytes. */
export function headLeaf(head: StreamHead): Buffer {
  if (!isSha256Hex(head.hash)) throw new AttestationError('BAD_INPUT', 'the hash must be 64 hex digits');
  const at = place(head.stream, head.version);
  return sha256(Buffer.concat([Buffer.of(0x00), at, Buffer.from(head.hash, 'hex')]));
}

/** The tree hash (RFC 6962 section 2.1) over leaf hashes of 32 bytes in the given order, as hex. */
export function merkleRoot(leaves: readonly Uint8Array[]): string {
  if (leaves.length === 0) return sha256('').toString('hex');
  // Joining neighbours level by level and carrying an odd last node up gives the tree of the RFC without recursion.
  const nodes = Buffer.concat(leaves);
  if (nodes.length !== leaves.length * WIDTH) throw new AttestationError('BAD_INPUT', 'a leaf has 32 bytes');
  const pair = Buffer.alloc(1 + 2 * WIDTH, 0x01);
  for (let width = leaves.length; width > 1; width = Math.ceil(width / 2)) {
    for (let left = 0; left < width; left += 2) {
      const from = left * WIDTH;
      const to = from / 2;
      if (left + 1 === width) {
        nodes.copyWithin(to, from, from + WIDTH);
      } else {
        nodes.copy(pair, 1, from, from + 2 * WIDTH);
        sha256(pair).copy(nodes, to);
      }
    }
  }
  return nodes.toString('hex', 0, WIDTH);
}

/** The root of a whole log, as hex: one head for each stream, in any order; sorted here by the names' UTF-8 bytes. */
export function logRoot(heads: Iterable<StreamHead>): string {
  const named = Array.from(heads, (head) => ({
    name: Buffer.from(head.stream, 'utf8'),
    leaf: headLeaf(head),
  }));
  named.sort((a, b) => Buffer.compare(a.name, b.name));
  return merkleRoot(named.map(({ leaf }) => leaf));
}
