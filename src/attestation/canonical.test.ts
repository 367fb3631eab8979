import { expect, test } from 'vitest';
import { canonicalize, type Json } from './canonical.ts';

const parse = (text: string): Json => JSON.parse(text);
const broken = (value: unknown): Json => value as Json;

test('RFC 8785 section 3.2.2: the sample object', () => {
  const sample = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalize(parse(sample))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('RFC 8785 section 3.2.3: keys are ordered by UTF-16 code units', () => {
  const sample = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Dalet","1":"One",
    "\ud83d\ude00":"Grinning Face","\u0080":"Control","\u00f6":"O With Diaeresis"}`;
  const values = [...canonicalize(parse(sample)).matchAll(/:"([^"]*)"/g)].map((match) => match[1]);
  expect(values).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'O With Diaeresis',
    'Euro Sign',
    'Grinning Face',
    'Dalet',
  ]);
});

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
])('RFC 8785 appendix B: the double %s is %s', (bits, text) => {
  expect(canonicalize(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
});

const cycle: Record<string, unknown> = {};
cycle.self = [cycle];
let deep: unknown = 0;
for (let level = 0; level < 300; level += 1) deep = [deep];

test.each([
  ['undefined', undefined],
  ['undefined in an object', { a: undefined }],
  ['a hole in an array', new Array(2)],
  ['NaN', Number.NaN],
  ['Infinity', [Number.POSITIVE_INFINITY]],
  ['a lone surrogate', 'a\ud800b'],
  ['a lone surrogate in a key', { '\udc00': 1 }],
  ['a cycle', cycle],
  ['deep nesting', deep],
  ['an object with toJSON', { toJSON: () => 1 }],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['a bigint', 1n],
  ['a function', () => 1],
])('%s is refused', (_, value) => {
  expect(() => canonicalize(broken(value))).toThrow(expect.objectContaining({ code: 'NOT_CANONICAL' }));
});

test('the same object twice is no cycle, and a key named __proto__ is kept', () => {
  const twin = { a: 1 };
  expect(canonicalize([twin, twin])).toBe('[{"a":1},{"a":1}]');
  expect(canonicalize(parse('{"__proto__":{"b":2}}'))).toBe('{"__proto__":{"b":2}}');
});
