import { expect, test } from 'vitest';
import { SUBJECT, VERDICT } from '../../tests/fixtures/sample-pack.ts';
import { pae } from './envelope.ts';
import { generateKeyPair, signerFrom } from './key.ts';
import { signStatement } from './sign.ts';
import { statementOf, svrStatement, testResultStatement } from './statement.ts';
import { readVerdict, verdictStatement } from './verdict.ts';
import { verifyEnvelope } from './verify.ts';

const signer = signerFrom(generateKeyPair().privatePem);
const stranger = signerFrom(generateKeyPair().privatePem);
const statement = svrStatement(SUBJECT, {
  verifier: { id: 'https://countersign.dev/runner/v1', policies: [] },
  timeCreated: '2026-03-01T09:00:04.000Z',
  properties: ['COUNTERSIGN_TESTS_PASSED'],
});
const envelope = signStatement(statement, signer);
const signature = envelope.signatures[0] ?? { keyid: '', sig: '' };
const resign = (payload: Buffer, payloadType: string) => ({
  payload: payload.toString('base64'),
  payloadType,
  signatures: [{ keyid: signer.keyid, sig: signer.sign(pae(payloadType, payload)).toString('base64') }],
});

test('DSSE v1: the pre-authentication encoding of the specification', () => {
  const text = 'DSSEv1 29 http://example.com/HelloWorld 11 hello world';
  expect(pae('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(text);
  expect(pae('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü');
});

test('a signed statement reads back under the trusted key', () => {
  expect(verifyEnvelope(envelope, [stranger, signer])).toEqual({ ok: true, statement, keyid: signer.keyid });
});

test('a key that is not trusted has its own answer, which names it', () => {
  const result = verifyEnvelope(envelope, [stranger]);
  expect(result).toMatchObject({
    ok: false,
    code: 'unknown-key',
    because: expect.stringContaining(signer.keyid),
  });
  expect(verifyEnvelope(envelope, [])).toMatchObject({ code: 'unknown-key' });
});

test('a signature by another key under the name of a trusted one does not hold', () => {
  const forged = signStatement(statement, { ...stranger, keyid: signer.keyid });
  expect(verifyEnvelope(forged, [signer])).toMatchObject({ ok: false, code: 'bad-signature' });
});

test.each([
  ['no object', 'text', 'malformed'],
  ['no signature', { ...envelope, signatures: [] }, 'malformed'],
  ['two signatures', { ...envelope, signatures: [signature, signature] }, 'malformed'],
  ['a stranger field', { ...envelope, note: 'x' }, 'malformed'],
  ['a space in the base64', { ...envelope, payload: `${envelope.payload} ` }, 'malformed'],
  ['base64url', { ...envelope, signatures: [{ ...signature, sig: '-_-_' }] }, 'malformed'],
  ['another payload', { ...envelope, payload: 'e30=' }, 'bad-signature'],
  ['another type', resign(Buffer.from('{}'), 'application/json'), 'wrong-payload-type'],
  [
    'a signed payload that is no statement',
    resign(Buffer.from('{}'), envelope.payloadType),
    'not-a-statement',
  ],
  ['a signed payload that is no JSON', resign(Buffer.from([255]), envelope.payloadType), 'not-a-statement'],
  ['a statement about nothing', signStatement(statementOf([], 'x', {}), signer), 'not-a-statement'],
])('%s is refused', (_, damaged, code) => {
  expect(verifyEnvelope(damaged, [signer])).toMatchObject({ ok: false, code });
});

test('the predicates carry the type URIs of their specifications', () => {
  const none = {
    result: 'FAILED' as const,
    configuration: [],
    passedTests: [],
    warnedTests: [],
    failedTests: [],
  };
  expect(testResultStatement(SUBJECT, none)).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    subject: [{ digest: { gitCommit: expect.any(String) } }, { digest: { gitTree: expect.any(String) } }],
  });
  expect(statement.predicateType).toBe('https://in-toto.io/attestation/svr/v0.2');
});

test('a verdict that lacks a field is no verdict, and the field is named', () => {
  const whole = verdictStatement(SUBJECT, { ...VERDICT, members: [] });
  expect(readVerdict(whole)).toEqual({ verdict: { ...VERDICT, members: [] } });
  const later = { ...whole, predicate: { ...whole.predicate, newField: 1 } };
  expect(readVerdict(later)).toHaveProperty('verdict.newField', 1);
  const odd = { ...whole, predicate: { ...whole.predicate, verdict: 'passed' } };
  expect(readVerdict(odd)).toEqual({ lacks: 'verdict' });
  const check = { ...whole.predicate.checks[0], outcome: undefined };
  expect(readVerdict({ ...whole, predicate: { ...whole.predicate, checks: [check] } as never })).toEqual({
    lacks: 'checks.0.outcome',
  });
  expect(readVerdict(statement)).toEqual({ lacks: 'predicateType' });
});
