import assert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { turnedValue } from './turned-value.ts';

class Point {
  readonly x = 1;
}

// biome-ignore format: a list reads as a list
const VALUES: readonly unknown[] = [
  0, 1, -1, 1.5, 99, 2 ** 60, NaN, Infinity, 3n, true, false, null, undefined, '', 'a', 'Zz9', '10', ' ', 'é', [], [1], ['a', [2]],
  {}, { k: 1 }, { k: { l: ['x'] } }, new Date(0), new Map([[1, 2]]), new Set([1]), /a/, new Error('a'), new Point(),
  Object.create(null), () => 1, Symbol('a'),
];

it.each(VALUES.map((value, n) => [n, value]))('is not equal by any comparison: value %i', (_, value) => {
  for (let round = 0; round < 20; round += 1) {
    const other: unknown = new Function('given', `return ${turnedValue('given', randomBytes)}`)(value);
    expect(() => assert.equal(value, other)).toThrow();
    expect(() => assert.deepEqual(value, other)).toThrow();
    expect(() => assert.deepStrictEqual(value, other)).toThrow();
    expect(() => expect(value).toEqual(other)).toThrow();
    expect(() => expect(value).toStrictEqual(other)).toThrow();
    expect(() => expect(value).toBe(other)).toThrow();
  }
});

it('looks like what was expected, so that no form gives it away', () => {
  const other = (value: unknown): unknown =>
    new Function('given', `return ${turnedValue('given', randomBytes)}`)(value);
  expect(other('abc1')).toMatch(/^[a-z]{3}\d$/);
  expect(Number.isInteger(other(7))).toBe(true);
  expect(other(true)).toBe(false);
  expect(Object.keys(other({ a: 'x', b: 2 }) as object)).toEqual(['a', 'b']);
  expect(other([1, 2, 3])).toHaveLength(3);
  expect(other(new Date(0))).toBeInstanceOf(Date);
});
