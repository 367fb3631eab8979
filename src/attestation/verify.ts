import { verify } from 'node:crypto';
import { type OpenedEnvelope, PAYLOAD_TYPE, pae, readEnvelope } from './envelope.ts';
import { keyRing, type TrustedKey } from './key.ts';
import { parseUtf8Json } from './line.ts';
import { readStatement, type Statement } from './statement.ts';

export type EnvelopeProblem =
  | 'malformed'
  | 'wrong-payload-type'
  | 'unknown-key'
  | 'bad-signature'
  | 'not-a-statement';

export type EnvelopeResult =
  | { readonly ok: true; readonly statement: Statement; readonly keyid: string }
  | { readonly ok: false; readonly code: EnvelopeProblem; readonly because: string };

/**
 * The statement of an envelope, if one of the trusted keys signed exactly these bytes (DSSE v1).
 * Nothing is said about the content of an envelope whose signature does not hold. Throws BAD_KEY for a bad trusted key.
 */
export function verifyEnvelope(envelope: unknown, trusted: readonly TrustedKey[]): EnvelopeResult {
  const ring = keyRing(trusted);
  const opened = readEnvelope(envelope);
  if (opened === undefined)
    return failed('malformed', 'not a DSSE envelope with one signature in plain base64');
  const { payloadType, payload, keyid, sig } = opened;
  if (payloadType !== PAYLOAD_TYPE) return failed('wrong-payload-type', `the payload type is ${payloadType}`);
  const key = ring.get(keyid);
  if (key === undefined) return failed('unknown-key', `signed by key ${keyid}, which is not trusted`);
  if (!verify(null, pae(payloadType, payload), key, sig)) {
    return failed('bad-signature', `the signature of key ${keyid} does not hold`);
  }
  const statement = statementIn(opened);
  return statement === undefined
    ? failed('not-a-statement', 'the payload is not an in-toto Statement v1')
    : { ok: true, statement, keyid };
}

/** What an envelope claims, signed or not: for naming contradictions, never for believing. */
export function claimOf(envelope: unknown): Statement | undefined {
  const opened = readEnvelope(envelope);
  return opened === undefined ? undefined : statementIn(opened);
}

function statementIn({ payload }: OpenedEnvelope): Statement | undefined {
  const parsed = parseUtf8Json(payload);
  return parsed.ok ? readStatement(parsed.value) : undefined;
}

function failed(code: EnvelopeProblem, because: string): EnvelopeResult {
  return { ok: false, code, because };
}
