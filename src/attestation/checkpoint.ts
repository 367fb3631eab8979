import { createPublicKey, verify } from 'node:crypto';
import { AttestationError } from './attestation-error.ts';
import { decodeBase64 } from './base64.ts';
import { sha256 } from './digest.ts';
import { keyRing, rawPublicKey, type Signer, type TrustedKey } from './key.ts';

/** What a checkpoint states about a log. */
export interface Checkpoint {
  /** Without spaces and plus signs. */
  readonly repository: string;
  readonly events: number;
  readonly streams: number;
  /** Merkle root over the heads of all streams, 64 hex digits. */
  readonly root: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Hex SHA-256 of the whole note before this one, '-' for the first. */
  readonly previous: string;
}

export type CheckpointResult =
  | { readonly ok: true; readonly checkpoint: Checkpoint; readonly keyid: string }
  | {
      readonly ok: false;
      readonly code: 'malformed' | 'unknown-key' | 'bad-signature';
      readonly because: string;
    };

const NOTE = new RegExp(
  [
    '^(?<text>countersign/(?<repository>[^\\s+\\p{Cc}\\p{Surrogate}]+)',
    '(?<events>0|[1-9]\\d{0,15})',
    '(?<root>[A-Za-z0-9+/]{43}=)',
    'streams (?<streams>0|[1-9]\\d{0,15})',
    'at (?<at>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)',
    'previous (?<previous>-|[0-9a-f]{64})',
    ')',
    '— countersign/(?<name>\\S+) (?<signature>[A-Za-z0-9+/=]+)',
    '$',
  ].join('\\n'),
  'u',
);

/** A signed note (C2SP signed-note, tlog-checkpoint) about the log. Throws BAD_INPUT when it would not read back. */
export function makeCheckpoint(checkpoint: Checkpoint, signer: Signer): string {
  const text = textOf(checkpoint);
  const name = `countersign/${checkpoint.repository}`;
  const hash = keyHash(name, rawPublicKey(createPublicKey(signer.publicPem)));
  const signature = Buffer.concat([hash, signer.sign(Buffer.from(text, 'utf8'))]).toString('base64');
  const note = `${text}\n— ${name} ${signature}\n`;
  if (readNote(note) === undefined) throw new AttestationError('BAD_INPUT', 'not the values of a checkpoint');
  return note;
}

/** A note as a checkpoint of a trusted key, or why not. Throws BAD_KEY for a bad trusted key. */
export function openCheckpoint(note: string, trusted: readonly TrustedKey[]): CheckpointResult {
  const ring = keyRing(trusted);
  const read = readNote(note);
  if (read === undefined)
    return { ok: false, code: 'malformed', because: 'not a checkpoint with one signature' };
  const { checkpoint, text, signature } = read;
  const hash = signature.subarray(0, 4);
  const known = [...ring].find(([, key]) => keyHash(nameOf(checkpoint), rawPublicKey(key)).equals(hash));
  if (known === undefined) {
    const because = `signed by the key with hash ${hash.toString('hex')}, which is not trusted`;
    return { ok: false, code: 'unknown-key', because };
  }
  const [keyid, key] = known;
  if (!verify(null, Buffer.from(text, 'utf8'), key, signature.subarray(4))) {
    return { ok: false, code: 'bad-signature', because: `the signature of key ${keyid} does not hold` };
  }
  return { ok: true, checkpoint, keyid };
}

/** What a note claims, signed or not: for naming contradictions, never for believing. */
export function claimOfCheckpoint(note: string): Checkpoint | undefined {
  return readNote(note)?.checkpoint;
}

const nameOf = (checkpoint: Checkpoint) => `countersign/${checkpoint.repository}`;

function textOf({ repository, events, streams, root, at, previous }: Checkpoint): string {
  const encoded = Buffer.from(root, 'hex').toString('base64');
  return `countersign/${repository}\n${events}\n${encoded}\nstreams ${streams}\nat ${at}\nprevious ${previous}\n`;
}

/** C2SP: the first four bytes of SHA-256 over name, newline, type 0x01 and the raw key. */
function keyHash(name: string, raw: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${name}\n\x01`, 'utf8'), raw])).subarray(0, 4);
}

function readNote(note: string) {
  const groups = NOTE.exec(note)?.groups;
  const { repository = '', name, at = '', previous = '', text = '' } = groups ?? {};
  const root = decodeBase64(groups?.root ?? '');
  const signature = decodeBase64(groups?.signature ?? '');
  if (root?.length !== 32 || signature?.length !== 68 || name !== repository) return undefined;
  const [events, streams] = [Number(groups?.events), Number(groups?.streams)];
  if (!Number.isSafeInteger(events) || !Number.isSafeInteger(streams)) return undefined;
  const checkpoint: Checkpoint = { repository, events, streams, root: root.toString('hex'), at, previous };
  return { checkpoint, text, signature };
}
