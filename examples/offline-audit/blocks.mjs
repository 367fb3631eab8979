// The building blocks of docs/formats: canonical JSON, keys, envelopes, checkpoints, chain links, the tree.
// Written from those pages alone; shares no code with the program that makes the files.
import { createHash, createPublicKey, verify } from 'node:crypto';

const PAYLOAD = 'application/vnd.in-toto+json';

const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
export const hex = (...parts) => sha(...parts).toString('hex');
export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
export const isText = (value) => typeof value === 'string' && value !== '';
export const isString = (value) => typeof value === 'string';
export const isDigest = (value) => isString(value) && /^[0-9a-f]{64}$/.test(value);
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
export const isOrdinal = (value) => isCount(value) && value > 0;
export const among = (values) => (value) => isText(value) && values.split(' ').includes(value);
export const list = (test) => (value) => Array.isArray(value) && value.every(test);
export const dict = (test) => (value) => isObject(value) && Object.values(value).every(test);
const nonEmpty = (test) => (value) => test(value) && Object.keys(value).length > 0;
/** A test for objects with at least these members; a name may stand for several. */
export const has = (fields) => {
  const tests = Object.entries(fields).flatMap(([names, test]) =>
    names.split(' ').map((name) => [name, test]),
  );
  const check = (value) =>
    isObject(value) && tests.every(([name, test]) => Object.hasOwn(value, name) && test(value[name]));
  return Object.assign(check, { size: tests.length });
};
export const only = (fields) => (value) =>
  has(fields)(value) && Object.keys(value).length === has(fields).size;

const isEnvelope = only({
  'payload payloadType': isText,
  signatures: (value) => list(only({ 'keyid sig': isText }))(value) && value.length === 1,
});
const isStatement = only({
  _type: among('https://in-toto.io/Statement/v1'),
  subject: nonEmpty(list(has({ name: isText, digest: nonEmpty(dict(isText)) }))),
  predicateType: isText,
  predicate: isObject,
});
const NOTE_LINES = [
  /^countersign\/([^\s+\p{Cc}]+)$/u,
  /^(0|[1-9]\d*)$/,
  /^(\S+)$/,
  /^streams (0|[1-9]\d*)$/,
  /^at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/,
  /^previous (-|[0-9a-f]{64})$/,
  /^$/,
  /^— countersign\/(\S+) (\S+)$/,
  /^$/,
];

/** RFC 8785, at most 256 levels deep; undefined for what has no canonical form. */
function canonical(value, level = 0) {
  if (isString(value)) return /\p{Surrogate}/u.test(value) ? undefined : JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  if (value === null || typeof value === 'boolean') return String(value);
  if (level === 256) return undefined;
  const parts = Array.isArray(value)
    ? value.map((element) => canonical(element, level + 1))
    : Object.keys(value)
        .sort()
        .map((name) => {
          const [left, right] = [canonical(name), canonical(value[name], level + 1)];
          return left === undefined || right === undefined ? undefined : `${left}:${right}`;
        });
  if (parts.includes(undefined)) return undefined;
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

function parseJson(bytes) {
  try {
    const text = isString(bytes)
      ? bytes
      : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export function parseCanonical(bytes) {
  const parsed = parseJson(bytes);
  return parsed !== undefined && canonical(parsed.value) === parsed.text ? parsed : undefined;
}

function fromBase64(text) {
  const bytes = isString(text) ? Buffer.from(text, 'base64') : undefined;
  return bytes?.toString('base64') === text ? bytes : undefined;
}

export function toKey(pem) {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519' || pem.includes('PRIVATE')) return undefined;
    const der = key.export({ type: 'spki', format: 'der' });
    return { key, id: hex(der), raw: der.subarray(-32), pem: key.export({ type: 'spki', format: 'pem' }) };
  } catch {
    return undefined;
  }
}

/** {wrong}, or {statement} if the payload is one, with {doubt} naming the signer when it is not trusted. */
export function openEnvelope(value, keys) {
  if (!isEnvelope(value)) return { wrong: 'no DSSE envelope with one signature' };
  const [{ keyid, sig }] = value.signatures;
  const [payload, signature] = [fromBase64(value.payload), fromBase64(sig)];
  if (payload === undefined || signature === undefined) return { wrong: 'base64 in another spelling' };
  if (value.payloadType !== PAYLOAD) return { wrong: 'another payload type' };
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${PAYLOAD.length} ${PAYLOAD} ${payload.length} `),
    payload,
  ]);
  const key = keys.find(({ id }) => id === keyid);
  if (key !== undefined && !verify(null, signed, key.key, signature))
    return { wrong: 'the signature does not hold' };
  const claim = parseJson(payload)?.value;
  return { statement: isStatement(claim) ? claim : undefined, doubt: key?.trusted ? undefined : keyid };
}

export function openNote(note, keys) {
  const lines = note.split('\n');
  const matched = NOTE_LINES.map((pattern, at) => pattern.exec(lines[at] ?? '')?.slice(1));
  if (lines.length !== NOTE_LINES.length || matched.includes(undefined)) return undefined;
  const [repository, events, root64, streams, , previous, name, signature64] = matched.flat();
  const [root, signature] = [fromBase64(root64), fromBase64(signature64)];
  if (root?.length !== 32 || signature?.length !== 68 || name !== repository) return undefined;
  if (!isCount(Number(events)) || !isCount(Number(streams))) return undefined;
  const hash = signature.subarray(0, 4);
  const key = keys.find(({ raw }) => sha(`countersign/${name}\n\x01`, raw).subarray(0, 4).equals(hash));
  const text = Buffer.from(`${lines.slice(0, 6).join('\n')}\n`);
  const holds = key === undefined || verify(null, text, key.key, signature.subarray(4));
  const doubt = key?.trusted ? undefined : (key?.id ?? `with hash ${hash.toString('hex')}`);
  const numbers = { events: Number(events), streams: Number(streams), root: root.toString('hex') };
  return { repository, ...numbers, previous, holds, doubt };
}

export function place(stream, version) {
  const name = Buffer.from(stream);
  const bytes = Buffer.alloc(12 + name.length);
  bytes.writeUInt32BE(name.length, 0);
  name.copy(bytes, 4);
  bytes.writeBigUInt64BE(BigInt(version), 4 + name.length);
  return bytes;
}

function treeHash(leaves) {
  if (leaves.length === 0) return sha('');
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

export function rootOf(heads) {
  const named = [...heads.values()].map((head) => ({ name: Buffer.from(head.stream), head }));
  named.sort((a, b) => Buffer.compare(a.name, b.name));
  const leaf = ({ head }) =>
    sha(Buffer.of(0), place(head.stream, head.version), Buffer.from(head.hash, 'hex'));
  return treeHash(named.map(leaf)).toString('hex');
}

export function linesOf(bytes) {
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += lines.at(-1).bytes.length + 1) {
    const end = bytes.indexOf(10, offset);
    const line = bytes.subarray(offset, end === -1 ? bytes.length : end);
    lines.push({ number: lines.length + 1, offset, bytes: line, value: parseCanonical(line)?.value });
  }
  return lines;
}
