import { expect, test } from 'vitest';
import { sampleCheckpoints, sampleEvents, sampleExport } from '../../tests/fixtures/sample-log.ts';
import { canonicalize } from './canonical.ts';
import { link } from './chain.ts';
import { exportWriter } from './export.ts';
import type { ExportEvent } from './export-format.ts';
import { verifyExport } from './export-verify.ts';
import { generateKeyPair, signerFrom } from './key.ts';
import { logRoot } from './merkle.ts';

const signer = signerFrom(generateKeyPair().privatePem);
const stranger = signerFrom(generateKeyPair().privatePem);
const events = sampleEvents(['goal-1', 'item-2', 'audit'], 9);
const notes = sampleCheckpoints(events, [4, 4, 9], signer);
const whole = sampleExport(events, notes, signer);
const lines = whole.trimEnd().split('\n');
const check = (text: string | Uint8Array, trusted = [signer]) => verifyExport(Buffer.from(text), trusted);
const places = (text: string) => check(text).findings.map(({ where }) => where);
/** The same log after somebody changed it, exported and signed again by the engine that did not notice. */
const exported = (changed: readonly ExportEvent[]) => sampleExport(changed, notes, signer);

test('an export of an untouched log is clean', () => {
  const root = logRoot(events.slice(-3));
  expect(check(whole)).toEqual({ status: 'clean', findings: [], events: 9, streams: 3, root });
  expect(check(sampleExport([], [], signer))).toMatchObject({ status: 'clean', events: 0, streams: 0 });
});

test('one flipped bit in any byte is never clean', () => {
  const small = Buffer.from(sampleExport(events.slice(0, 2), sampleCheckpoints(events, [2], signer), signer));
  expect(check(small).status).toBe('clean');
  for (const [at, byte] of small.entries()) {
    const damaged = Buffer.from(small);
    damaged[at] = byte ^ (1 << ((at * 5 + 1) % 8));
    const { status, findings } = check(damaged);
    expect(status, `byte ${at}`).not.toBe('clean');
    expect(findings.length, `byte ${at}`).toBeGreaterThan(0);
  }
});

const edited = (at: number, change: Partial<ExportEvent>) =>
  events.map((event, index) => (index === at ? { ...event, ...change } : event));
const forged = canonicalize({ command: 'cmd-5', data: {}, type: 'verified' });
const fifth = events[4] ?? { stream: '', version: 0, hash: '' };
const second = events[1] ?? fifth;

test.each([
  ['an edited body', exported(edited(4, { body: forged })), 'item-2@2'],
  [
    'an edited body with a new hash of its own',
    exported(edited(4, { body: forged, hash: link(second.hash, 'item-2', 2, forged) })),
    'item-2@3',
  ],
  ['an edited command', exported(edited(4, { command: 'cmd-6' })), 'item-2@2'],
  ['a body that is not canonical', exported(edited(4, { body: `${forged} ` })), 'item-2@2'],
  ['a body that is not JSON', exported(edited(4, { body: 'x' })), 'item-2@2'],
  ['a body that is no object', exported(edited(4, { body: '1' })), 'item-2@2'],
  ['a deleted event', exported(events.filter((event) => event !== fifth)), 'item-2@3'],
  [
    'events that change places',
    exported(events.map((event, at) => events[at === 1 ? 4 : at === 4 ? 1 : at] ?? event)),
    'item-2@2',
  ],
  ['a gap in the positions', exported(edited(8, { position: 10 })), 'audit@3'],
  ['a cut off tail', exported(events.slice(0, 7)), 'checkpoint 3'],
])('%s is named, although the export itself was signed afterwards', (_, text, place) => {
  expect(check(text).status).toBe('broken');
  expect(places(text)).toContain(place);
});

test('a stream that was chained anew without the key contradicts the checkpoints', () => {
  const anew = sampleEvents(['goal-1', 'item-X', 'audit'], 9);
  const text = sampleExport(anew, notes, signer);
  expect(check(text).findings.map(({ where }) => where)).toEqual([
    'checkpoint 1',
    'checkpoint 2',
    'checkpoint 3',
  ]);
});

test.each([
  ['the trailer is missing', `${lines.slice(0, -1).join('\n')}\n`, 'after audit@3'],
  [
    'the file ends within an event',
    whole.slice(0, (lines[0] ?? '').length + 200),
    'line 2, after the header',
  ],
  ['a line follows the trailer', `${whole}${lines[1]}\n`, 'line 15, after audit@3'],
  ['the last newline is missing', whole.slice(0, -1), 'line 14'],
  [
    'an event follows a checkpoint',
    [...lines.slice(0, 9), lines[11], lines[9], lines[10], ...lines.slice(12), ''].join('\n'),
    'line 11, after item-2@3',
  ],
  [
    'a strange line is added',
    [lines[0], '{"x":1}', ...lines.slice(1), ''].join('\n'),
    'line 2, after the header',
  ],
  ['the header lacks a field', whole.replace('"streams":3}', '}').replace(',}', '}'), 'header'],
  ['the header counts wrong', whole.replace('"events":9', '"events":8'), 'header'],
  [
    'the first checkpoint is missing',
    [...lines.slice(0, 10), ...lines.slice(11), ''].join('\n'),
    'checkpoint 1',
  ],
  ['the header names a key under the id of another', whole.replace(signer.keyid, stranger.keyid), 'header'],
])('broken when %s', (_, text, place) => {
  expect(check(text).status).toBe('broken');
  expect(places(text)).toContain(place);
});

test('signed by a stranger and otherwise sound: cannot tell, and the key is named', () => {
  const foreign = sampleExport(events, sampleCheckpoints(events, [9], stranger), stranger);
  const result = check(foreign);
  expect(result.status).toBe('cannot-tell');
  expect(result.findings.map(({ where, what }) => [where, what.includes(stranger.keyid)])).toEqual([
    ['checkpoint 1', true],
    ['trailer', true],
  ]);
  expect(check(whole, []).status).toBe('cannot-tell');
  expect(check(sampleExport(events, [], stranger, []), [signer]).status).toBe('cannot-tell');
});

test('signed by a stranger and damaged: broken', () => {
  const foreign = sampleExport(events, [], stranger);
  expect(check(foreign.replace('"cmd-3"', '"cmd-4"')).status).toBe('broken');
});

test('an older key counts as long as it is trusted', () => {
  const text = sampleExport(events, sampleCheckpoints(events, [5], stranger), signer, [stranger, signer]);
  expect(check(text, [signer, stranger]).status).toBe('clean');
  expect(check(text, [signer]).status).toBe('cannot-tell');
});

test.each([
  ['an empty file', ''],
  ['another file', '{"a":1}\n'],
  ['no text', Buffer.from([0xff, 0x0a])],
])('%s: cannot tell', (_, bytes) => {
  expect(check(bytes)).toMatchObject({ status: 'cannot-tell', findings: [{ line: 1, where: 'file' }] });
});

test('the writer refuses a trailer when the header promised other numbers', () => {
  const writer = exportWriter({ repository: 'r', createdAt: 'now', keys: [], events: 1, streams: 1 });
  writer.header();
  expect(() => writer.trailer(signer)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});
