import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Checkpoint, makeCheckpoint, openCheckpoint } from './checkpoint.ts';
import { generateKeyPair, signerFrom } from './key.ts';

const signer = signerFrom(generateKeyPair().privatePem);
const stranger = signerFrom(generateKeyPair().privatePem);
const checkpoint: Checkpoint = {
  repository: '018f-ab',
  events: 1204,
  streams: 17,
  root: '5a'.repeat(32),
  at: '2026-03-01T09:00:00.000Z',
  previous: '-',
};
const note = makeCheckpoint(checkpoint, signer);

test('the text is that of a C2SP checkpoint with three extension lines', () => {
  expect(note.split('\n').slice(0, 7)).toEqual([
    'countersign/018f-ab',
    '1204',
    Buffer.from(checkpoint.root, 'hex').toString('base64'),
    'streams 17',
    'at 2026-03-01T09:00:00.000Z',
    'previous -',
    '',
  ]);
});

test('the signature line is that of C2SP signed-note for ed25519', () => {
  const [text = '', tail = ''] = note.split('\n\n');
  const [dash, name, encoded = ''] = tail.trimEnd().split(' ');
  expect([dash, name]).toEqual(['—', 'countersign/018f-ab']);
  const bytes = Buffer.from(encoded, 'base64');
  const raw = createPublicKey(signer.publicPem).export({ type: 'spki', format: 'der' }).subarray(-32);
  const hash = createHash('sha256').update('countersign/018f-ab\n').update(Buffer.of(1)).update(raw).digest();
  expect(bytes.subarray(0, 4)).toEqual(hash.subarray(0, 4));
  expect(verify(null, Buffer.from(`${text}\n`), createPublicKey(signer.publicPem), bytes.subarray(4))).toBe(
    true,
  );
});

test('a checkpoint reads back, also with a checkpoint before it', () => {
  expect(openCheckpoint(note, [stranger, signer])).toEqual({ ok: true, checkpoint, keyid: signer.keyid });
  const next = { ...checkpoint, previous: 'e'.repeat(64) };
  expect(openCheckpoint(makeCheckpoint(next, signer), [signer])).toMatchObject({
    ok: true,
    checkpoint: next,
  });
});

test('a stranger is told apart from a forger', () => {
  expect(openCheckpoint(note, [stranger])).toMatchObject({ ok: false, code: 'unknown-key' });
  const other = makeCheckpoint({ ...checkpoint, events: 9 }, signer).split('\n\n')[0];
  const forged = `${other}\n\n${note.split('\n\n')[1]}`;
  expect(openCheckpoint(forged, [signer])).toMatchObject({ ok: false, code: 'bad-signature' });
});

test('one flipped bit in any byte is found', () => {
  const bytes = Buffer.from(note);
  for (const [at, byte] of bytes.entries()) {
    const damaged = Buffer.from(bytes);
    damaged[at] = byte ^ (1 << (at % 8));
    expect(openCheckpoint(damaged.toString('utf8'), [signer]).ok, `byte ${at}`).toBe(false);
  }
});

test.each([
  ['', 'the empty text'],
  [`${note}\n`, 'one newline too many'],
  [note.slice(0, -1), 'one newline too few'],
  [`${note}${note.split('\n\n')[1]}`, 'a second signature'],
  [note.replace('1204', '01204'), 'a leading zero'],
])('%j is malformed: %s', (text) => {
  expect(openCheckpoint(text, [signer])).toMatchObject({ ok: false, code: 'malformed' });
});

test.each([
  { repository: 'a b' },
  { repository: 'a+b' },
  { repository: '' },
  { repository: 'a\n9' },
  { events: -1 },
  { streams: 1.5 },
  { root: 'ab' },
  { at: 'yesterday' },
  { previous: '' },
])('%j is no checkpoint to sign', (change) => {
  const act = () => makeCheckpoint({ ...checkpoint, ...change }, signer);
  expect(act).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});
