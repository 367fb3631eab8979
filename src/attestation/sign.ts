import { canonicalize, type Json } from './canonical.ts';
import { type Envelope, PAYLOAD_TYPE, pae } from './envelope.ts';
import type { Signer } from './key.ts';
import type { Statement } from './statement.ts';

/** The statement in a DSSE envelope with one ed25519 signature. The same statement and key give the same bytes. */
export function signStatement(statement: Statement<Json>, signer: Signer): Envelope {
  const payload = Buffer.from(canonicalize(statement), 'utf8');
  return {
    payload: payload.toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: signer.keyid, sig: signer.sign(pae(PAYLOAD_TYPE, payload)).toString('base64') }],
  };
}
