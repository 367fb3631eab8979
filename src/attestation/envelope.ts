import { decodeBase64 } from './base64.ts';
import { exactly, listOf, misfit, type Shape } from './shape.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** DSSE v1 envelope. `payload` and `sig` are standard base64. An alias, so that it is assignable to Json. */
export type Envelope = {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
};

const ENVELOPE: Shape = exactly({
  payload: 'text',
  payloadType: 'text',
  signatures: listOf(exactly({ keyid: 'text', sig: 'text' })),
});

/** The bytes that a DSSE signature covers: type and payload, each with its length in bytes. */
export function pae(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ]);
}

/** An envelope with its base64 undone. */
export interface OpenedEnvelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly keyid: string;
  readonly sig: Buffer;
}

/**
 * A parsed JSON value as an envelope with exactly one signature, or undefined. Base64 must be in its one spelling.
 * DSSE allows more signatures; a second one that nobody checks could be changed unseen.
 */
export function readEnvelope(value: unknown): OpenedEnvelope | undefined {
  if (misfit(value, ENVELOPE) !== undefined) return undefined;
  const envelope = value as Envelope;
  const [signature] = envelope.signatures;
  if (signature === undefined || envelope.signatures.length !== 1) return undefined;
  const payload = decodeBase64(envelope.payload);
  const sig = decodeBase64(signature.sig);
  if (payload === undefined || sig === undefined) return undefined;
  return { payloadType: envelope.payloadType, payload, keyid: signature.keyid, sig };
}
