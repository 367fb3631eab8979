import { expect, it } from 'vitest';
import { acceptance, manifest, runArtifact } from '../../../tests/fixtures/artifact.ts';
import { isExpected, tagAnswer } from './value.ts';

const tagged = (value: unknown) =>
  tagAnswer(value, (message) => {
    throw new Error(message);
  });

// Each is an expression, and what an author writes for it.
const values: readonly (readonly [string, unknown])[] = [
  ['[undefined, null]', [{ $undefined: true }, null]],
  ['[NaN, -Infinity, -0, 0]', [{ $number: 'NaN' }, { $number: '-Infinity' }, { $number: '-0' }, 0]],
  ['12345678901234567890n', { $bigint: '12345678901234567890' }],
  ['new Date(0)', { $date: '1970-01-01T00:00:00.000Z' }],
  ['({ $date: 1 })', { $$date: 1 }],
  ['({ $ref: 1, a: 2 })', { a: 2, $ref: 1 }],
  ['/a\\/b/gi', { $regexp: '/a\\/b/gi' }],
  ['new Map([[{ a: 1 }, [2]]])', { $map: [[{ a: 1 }, [2]]] }],
  ['new Set([1, "1"])', { $set: [1, '1'] }],
  ['Buffer.from("a")', { $buffer: 'YQ==' }],
  ['new Uint16Array([1])', { $view: ['Uint16Array', 'AQA='] }],
  ['Object.assign(new TypeError("x"), { code: "E" })', { $error: ['TypeError', 'x', { code: 'E' }] }],
  ['(() => { const a = { b: {} }; a.b.c = a; return a; })()', { b: { c: { $cycle: 0 } } }],
  ['(() => { const a = {}; return [a, a]; })()', [{}, {}]],
  ['"ab".match(/b/)', { $array: [['b'], { index: 1, input: 'ab', groups: { $undefined: true } }] }],
  ['[, 1]', [{ $hole: true }, 1]],
  ['function f() {}', { $function: 'f' }],
  ['Symbol("s")', { $symbol: 'Symbol(s)' }],
  ['Object.assign(Object.create(null), JSON.parse(\'{"__proto__": 1}\'))', JSON.parse('{"__proto__": 1}')],
  ['"\\ud800"', { $utf16: [0xd800] }],
  ['new URL("http://a/")', { $instance: ['URL', {}, { json: 'http://a/' }] }],
  ['new URL("http://a/")', 'http://a/'],
  ['new (class P { x = 1; y = undefined })()', { x: 1 }],
];

it('writes every value so that it is like no other', async () => {
  const code = `exports.of = [${values.map(([text]) => `() => (${text})`).join(',')}];`;
  const examples = values.map(([, returns], n) => ({
    id: `v${n}`,
    call: { export: `of.${n}`, args: [] },
    returns,
  }));
  const result = await runArtifact({
    head: { 'package.json': manifest(), 'index.js': code },
    base: { 'examples.yaml': acceptance(examples) },
  });
  expect(result.notes.filter((note) => note.startsWith('example'))).toEqual(
    values.map((_, n) => `example v${n}: passed`),
  );
});

it('hands tagged arguments to the package as the values they stand for', async () => {
  const code = `exports.show = (...list) => list.map((v) => Object.prototype.toString.call(v) + ':' + (v instanceof Map ? [...v.keys()][0].getTime() : String(v)));`;
  const args = [
    { $undefined: true },
    { $number: '-0' },
    { $regexp: '/x/g' },
    { $bigint: '7' },
    { $map: [[{ $date: '1970-01-01' }, 1]] },
    { $buffer: 'YQ==' },
  ];
  const returns = [
    '[object Undefined]:undefined',
    '[object Number]:0',
    '[object RegExp]:/x/g',
    '[object BigInt]:7',
    '[object Map]:0',
    '[object Uint8Array]:a',
  ];
  const example = { id: 'show', call: { export: 'show', args }, returns };
  const result = await runArtifact({
    head: { 'package.json': manifest(), 'index.js': code },
    base: { 'examples.yaml': acceptance([example]) },
  });
  expect(result.notes.filter((note) => note.startsWith('example'))).toEqual(['example show: passed']);
});

it.each([
  [{ a: 1, b: { $undefined: true } }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: { $undefined: true } }, false],
  [{ $date: '1970-01-01T00:00:00.000Z' }, '1970-01-01T00:00:00.000Z', false],
  [{ $instance: ['Box', {}, { text: '' }] }, {}, false],
  [{ $buffer: 'YQ==' }, { $view: ['Uint8Array', 'YQ=='] }, false],
  [{ $set: [1] }, [1], false],
  ['1', 1, false],
])('compares %j with what was expected, %j', (answer, expected, same) => {
  expect(isExpected(tagged(answer), tagged(expected))).toBe(same);
});
