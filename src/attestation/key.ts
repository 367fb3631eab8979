import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { AttestationError } from './attestation-error.ts';
import { sha256Hex } from './digest.ts';

/** A public key that the reader believes in. `keyid` must be the id of `publicPem`. */
export type TrustedKey = {
  /** Hex SHA-256 of the key's SPKI DER. */
  readonly keyid: string;
  readonly publicPem: string;
};

/** Something that signs with one ed25519 key and never shows its private half. */
export interface Signer extends TrustedKey {
  /** 64 bytes, over exactly these bytes (RFC 8032). */
  sign(data: Uint8Array): Buffer;
}

/** A fresh ed25519 pair as PEM text (PKCS#8 and SPKI). The caller guards the private half. */
export function generateKeyPair(): TrustedKey & { readonly privatePem: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { keyid, publicPem } = signerFrom(privatePem);
  return { keyid, publicPem, privatePem };
}

/** A signer over a PKCS#8 PEM. Throws BAD_KEY for anything that is not an ed25519 private key. */
export function signerFrom(privatePem: string): Signer {
  const privateKey = ed25519(() => createPrivateKey(privatePem));
  const publicKey = createPublicKey(privateKey);
  return {
    keyid: keyId(publicKey),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (data) => sign(null, data, privateKey),
  };
}

/** The public key of an SPKI PEM. Throws BAD_KEY for private keys, other kinds of key and other text. */
export function publicKeyFrom(publicPem: string): KeyObject {
  return readKey(publicPem).key;
}

interface ReadKey {
  readonly key: KeyObject;
  readonly keyid: string;
}

/**
 * Reading a key takes longer than checking a signature with it, and an audit asks for the same few at every pack and
 * every checkpoint. What a text holds never changes, so the last ones are kept.
 */
const READ = new Map<string, ReadKey>();
const KEPT = 64;

function readKey(publicPem: string): ReadKey {
  const known = READ.get(publicPem);
  if (known !== undefined) return known;
  // createPublicKey would derive one from a private key, and a private key must not travel as a trusted one.
  if (!publicPem.includes('-----BEGIN PUBLIC KEY-----')) throw badKey();
  const key = ed25519(() => createPublicKey(publicPem));
  const read = { key, keyid: keyId(key) };
  if (READ.size >= KEPT) READ.clear();
  READ.set(publicPem, read);
  return read;
}

/** Hex SHA-256 of the key's SPKI DER. */
export function keyId(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' }));
}

/** A public PEM with the id computed from it, in the one spelling that this program writes. */
export function trustedKeyFrom(publicPem: string): TrustedKey {
  const { key, keyid } = readKey(publicPem);
  return { keyid, publicPem: key.export({ type: 'spki', format: 'pem' }).toString() };
}

/** The 32 bytes of the key itself (RFC 8032). */
export function rawPublicKey(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-32);
}

/** Public keys by id. Throws BAD_KEY when an id is not the id of its key: trust is never guessed. */
export function keyRing(trusted: readonly TrustedKey[]): ReadonlyMap<string, KeyObject> {
  return new Map(
    trusted.map(({ keyid, publicPem }) => {
      const read = readKey(publicPem);
      if (read.keyid !== keyid) throw new AttestationError('BAD_KEY', `${keyid} is not the id of its key`);
      return [keyid, read.key];
    }),
  );
}

function ed25519(open: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = open();
  } catch (cause) {
    throw badKey(cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw badKey();
  return key;
}

function badKey(cause?: unknown): AttestationError {
  return new AttestationError('BAD_KEY', 'the text is not an ed25519 key in PEM form', { cause });
}
