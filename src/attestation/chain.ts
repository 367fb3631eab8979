import { AttestationError } from './attestation-error.ts';
import { isWellFormed } from './canonical.ts';
import { isSha256Hex, sha256Hex } from './digest.ts';

/** What the chain needs to know of an event. `body` is the exact stored text. */
export interface ChainedEvent {
  readonly version: number;
  readonly hash: string;
  readonly body: string;
}

/** Where a chain stands: the last version and its hash. */
export interface ChainHead {
  readonly version: number;
  readonly hash: string;
}

/** The first place where a stream stops being what was written. */
export interface ChainBreak {
  readonly version: number;
  readonly what: string;
}

/** The hash before the first event of a stream, 64 hex digits: streams never share a beginning. */
export function genesis(stream: string): string {
  return sha256Hex(Buffer.concat([Buffer.of(0x03), utf8(stream)]));
}

/**
 * The hash of one event, 64 hex digits, over the hash before it, its place and its exact text.
 * Lengths are part of what is hashed, so no two different inputs look alike.
 */
export function link(prev: string, stream: string, version: number, body: string): string {
  if (!isSha256Hex(prev)) throw new AttestationError('BAD_INPUT', 'the hash before must be 64 hex digits');
  if (!isWellFormed(body)) throw lone();
  // One buffer, filled in place: this runs for every event that is written or read.
  const before = 33 + placeLength(stream);
  const bytes = Buffer.allocUnsafe(before + Buffer.byteLength(body));
  bytes[0] = 0x02;
  bytes.write(prev, 1, 'hex');
  writePlace(bytes, 33, stream, version);
  bytes.write(body, before);
  return sha256Hex(bytes);
}

/** A stream and a version as bytes: u32be length, name, u64be version. */
export function place(stream: string, version: number): Buffer {
  const bytes = Buffer.allocUnsafe(placeLength(stream));
  writePlace(bytes, 0, stream, version);
  return bytes;
}

const placeLength = (stream: string) => 4 + Buffer.byteLength(stream) + 8;

function writePlace(bytes: Buffer, at: number, stream: string, version: number): void {
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new AttestationError('BAD_INPUT', `${version} is not a version`);
  }
  if (!isWellFormed(stream)) throw lone();
  const end = at + 4 + bytes.write(stream, at + 4);
  bytes.writeUInt32BE(end - at - 4, at);
  bytes.writeUInt32BE(Math.floor(version / 2 ** 32), end);
  bytes.writeUInt32BE(version % 2 ** 32, end + 4);
}

/** The first break of a stream after `from` (default: its beginning), or undefined when every link holds. */
export function verifyChain(
  stream: string,
  events: Iterable<ChainedEvent>,
  from: ChainHead = { version: 0, hash: genesis(stream) },
): ChainBreak | undefined {
  let head = from;
  for (const event of events) {
    const what = breakBetween(stream, head, event);
    if (what !== undefined) return { version: event.version, what };
    head = event;
  }
  return undefined;
}

/** What is wrong between a head and the event that claims to follow it, or undefined. */
export function breakBetween(stream: string, head: ChainHead, event: ChainedEvent): string | undefined {
  if (event.version !== head.version + 1) {
    return `version ${head.version + 1} should stand here: an event was removed, repeated or moved`;
  }
  if (!isWellFormed(event.body)) return 'the body is not valid Unicode text';
  if (!isSha256Hex(head.hash) || link(head.hash, stream, event.version, event.body) !== event.hash) {
    return 'the hash does not follow from the event and the one before it: one of them was edited';
  }
  return undefined;
}

function utf8(text: string): Buffer {
  if (!isWellFormed(text)) throw lone();
  return Buffer.from(text, 'utf8');
}

const lone = () => new AttestationError('BAD_INPUT', 'text with a lone surrogate has no bytes');
