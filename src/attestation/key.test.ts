import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  generateKeyPair,
  keyId,
  keyRing,
  publicKeyFrom,
  rawPublicKey,
  signerFrom,
  trustedKeyFrom,
} from './key.ts';

const bad = expect.objectContaining({ code: 'BAD_KEY' });

test('a signer made from the private PEM signs what the public PEM verifies', () => {
  const pair = generateKeyPair();
  const signer = signerFrom(pair.privatePem);
  const data = Buffer.from('confirmed');
  expect(verify(null, data, createPublicKey(pair.publicPem), signer.sign(data))).toBe(true);
  expect(verify(null, Buffer.from('Confirmed'), createPublicKey(pair.publicPem), signer.sign(data))).toBe(
    false,
  );
  expect(signer).toMatchObject({ keyid: pair.keyid, publicPem: pair.publicPem });
  expect(trustedKeyFrom(pair.publicPem)).toEqual({ keyid: pair.keyid, publicPem: pair.publicPem });
});

test('the id is the SHA-256 of the SPKI DER, and the raw key its last 32 bytes', () => {
  const key = publicKeyFrom(generateKeyPair().publicPem);
  const der = key.export({ type: 'spki', format: 'der' });
  expect(keyId(key)).toBe(createHash('sha256').update(der).digest('hex'));
  expect(rawPublicKey(key)).toEqual(der.subarray(12));
});

test('other text, other kinds of key and private keys are refused', () => {
  const pair = generateKeyPair();
  const rsa = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  expect(() => signerFrom('hello')).toThrow(bad);
  expect(() => signerFrom(rsa.privateKey)).toThrow(bad);
  expect(() => signerFrom(pair.publicPem)).toThrow(bad);
  expect(() => publicKeyFrom(rsa.publicKey)).toThrow(bad);
  expect(() => publicKeyFrom(pair.privatePem)).toThrow(bad);
});

test('a key under the id of another is not trusted', () => {
  const [one, other] = [generateKeyPair(), generateKeyPair()];
  expect(keyRing([one, other]).size).toBe(2);
  expect(() => keyRing([{ keyid: one.keyid, publicPem: other.publicPem }])).toThrow(bad);
});
