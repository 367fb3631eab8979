import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ChainedEvent, genesis, link, verifyChain } from './chain.ts';

function chainOf(stream: string, bodies: readonly string[]): ChainedEvent[] {
  let hash = genesis(stream);
  return bodies.map((body, index) => {
    hash = link(hash, stream, index + 1, body);
    return { version: index + 1, hash, body };
  });
}

const events = chainOf('item-1', ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);

test('the link covers tag, previous hash, name with its length, version and body', () => {
  const prev = genesis('é');
  expect(prev).toBe(createHash('sha256').update('\x03é', 'utf8').digest('hex'));
  const expected = createHash('sha256')
    .update(Buffer.from([2]))
    .update(Buffer.from(prev, 'hex'))
    .update(Buffer.from([0, 0, 0, 2]))
    .update('é')
    .update(Buffer.from([0, 0, 0, 0, 0, 0, 1, 2]))
    .update('{}')
    .digest('hex');
  expect(link(prev, 'é', 258, '{}')).toBe(expected);
});

test('moving a byte between the name and the body changes the link', () => {
  const prev = genesis('x');
  expect(link(prev, 'ab', 1, 'c')).not.toBe(link(prev, 'a', 1, 'bc'));
});

test('an untouched chain has no break, also from the middle', () => {
  expect(verifyChain('item-1', events)).toBeUndefined();
  expect(verifyChain('item-1', events.slice(2), events[1])).toBeUndefined();
  expect(verifyChain('item-1', [])).toBeUndefined();
});

test.each([
  ['an edited body', 2, events.map((e) => (e.version === 2 ? { ...e, body: '{"n":5}' } : e))],
  ['an edited hash', 3, events.map((e) => (e.version === 3 ? { ...e, hash: 'f'.repeat(64) } : e))],
  ['a body that is not text', 2, events.map((e) => (e.version === 2 ? { ...e, body: '\ud800' } : e))],
  ['a removed event', 3, events.filter((e) => e.version !== 2)],
  ['a removed first event', 2, events.slice(1)],
  ['a repeated event', 1, [...events.slice(0, 1), ...events]],
  ['two events changing places', 3, [events[0], events[2], events[1], events[3]].flatMap((e) => e ?? [])],
])('%s is found at its version', (_, version, damaged) => {
  expect(verifyChain('item-1', damaged)).toMatchObject({ version });
});

test('a chain does not hold under the name of another stream', () => {
  expect(verifyChain('item-2', events)).toMatchObject({ version: 1 });
});

test.each([
  ['a short hash', () => link('00', 's', 1, '')],
  ['version 0', () => link(genesis('s'), 's', 0, '')],
  ['a fraction', () => link(genesis('s'), 's', 1.5, '')],
  ['a lone surrogate', () => link(genesis('s'), 's', 1, '\ud800')],
  ['a stream that is no text', () => genesis('\udfff')],
])('%s is refused', (_, act) => {
  expect(act).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});
