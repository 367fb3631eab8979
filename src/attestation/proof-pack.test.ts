import { expect, test } from 'vitest';
import { SUBJECT, samplePack, VERDICT } from '../../tests/fixtures/sample-pack.ts';
import { canonicalize } from './canonical.ts';
import { sha256Hex } from './digest.ts';
import { generateKeyPair, signerFrom } from './key.ts';
import { openProofPack, sealProofPack } from './proof-pack.ts';
import { signStatement } from './sign.ts';
import { svrStatement } from './statement.ts';
import { verdictStatement } from './verdict.ts';

const signer = signerFrom(generateKeyPair().privatePem);
const stranger = signerFrom(generateKeyPair().privatePem);
const pack = samplePack(signer);
const lines = pack.trimEnd().split('\n');
const open = (text: string | Uint8Array, trusted = [signer]) => openProofPack(Buffer.from(text), trusted);
const packOf = (...chosen: (string | undefined)[]) => `${chosen.join('\n')}\n`;

test('a sealed pack is valid and says what was sealed', () => {
  const opened = open(pack);
  expect(opened).toMatchObject({ status: 'valid', findings: [], verdict: VERDICT });
  expect(opened.verdict?.members).toEqual(lines.slice(0, 2).map((line) => sha256Hex(line)));
  expect(opened.statements).toHaveLength(3);
});

test('a pack without members is valid', () => {
  const bare = sealProofPack([], { subject: SUBJECT, predicate: VERDICT }, signer);
  expect(open(bare)).toMatchObject({ status: 'valid', findings: [] });
});

test('one flipped bit in any byte is found, and its line is named', () => {
  const bytes = Buffer.from(pack);
  let line = 1;
  for (const [at, byte] of bytes.entries()) {
    const damaged = Buffer.from(bytes);
    damaged[at] = byte ^ (1 << ((at * 7 + 3) % 8));
    const { status, findings } = open(damaged);
    expect(status, `byte ${at}`).not.toBe('valid');
    expect(
      findings.map((finding) => finding.line),
      `byte ${at}`,
    ).toContain(line);
    if (byte === 0x0a) line += 1;
  }
});

const again = signStatement(
  svrStatement(SUBJECT, { verifier: { id: 'x', policies: [] }, timeCreated: '', properties: [] }),
  signer,
);
test.each([
  ['the first member removed', packOf(lines[1], lines[2]), 1],
  ['the last member removed', packOf(lines[0], lines[2]), 2],
  ['members changing places', packOf(lines[1], lines[0], lines[2]), 1],
  ['a member repeated', packOf(lines[0], lines[0], lines[1], lines[2]), 2],
  ['a member added, signed by the same key', packOf(lines[0], canonicalize(again), lines[1], lines[2]), 2],
  ['the verdict removed', packOf(lines[0], lines[1]), 2],
  ['the verdict repeated', packOf(lines[0], lines[1], lines[2], lines[2]), 3],
  ['a line after the verdict', packOf(lines[0], lines[1], lines[2], lines[0]), 4],
  ['an empty line', packOf(lines[0], '', lines[1], lines[2]), 2],
  ['a second newline at the end', `${pack}\n`, 4],
  ['no newline at the end', pack.slice(0, -1), 3],
  ['a byte order mark', `\ufeff${pack}`, 1],
  ['a carriage return', pack.replace('\n', '\r\n'), 1],
])('%s: broken, and the line is named', (_, text, line) => {
  const { status, findings } = open(text);
  expect(status).toBe('broken');
  expect(findings.map((finding) => finding.line)).toContain(line);
});

test('a verdict that is signed but not whole seals nothing', () => {
  const { nonce: _, ...rest } = { ...VERDICT, members: [] };
  const line = canonicalize(signStatement(verdictStatement(SUBJECT, rest as never), signer));
  expect(open(packOf(line))).toMatchObject({ status: 'broken', verdict: undefined, findings: [{ line: 1 }] });
});

test('a pack of a stranger is never valid: it cannot be told, and the key is named', () => {
  const opened = open(samplePack(stranger));
  expect(opened).toMatchObject({ status: 'cannot-tell', verdict: undefined, statements: [] });
  expect(opened.findings[0]?.what).toContain(stranger.keyid);
  expect(open(samplePack(stranger), [signer, stranger]).status).toBe('valid');
});

test('members of a stranger under a trusted verdict cannot be told', () => {
  const member = canonicalize(
    signStatement(
      svrStatement(SUBJECT, { verifier: { id: 'x', policies: [] }, timeCreated: '', properties: [] }),
      stranger,
    ),
  );
  const verdict = verdictStatement(SUBJECT, { ...VERDICT, members: [sha256Hex(member)] });
  const mixed = packOf(member, canonicalize(signStatement(verdict, signer)));
  expect(open(mixed)).toMatchObject({ status: 'cannot-tell', verdict: VERDICT, findings: [{ line: 1 }] });
});

test.each([
  ['an empty file', ''],
  ['another file', '{"a":1}\n'],
  ['no text', Buffer.from([0xff, 0xfe, 0x0a])],
])('%s: cannot tell', (_, bytes) => {
  expect(open(bytes)).toMatchObject({ status: 'cannot-tell', verdict: undefined, findings: [{ line: 1 }] });
});
