import { expect, test } from 'vitest';
import { changeOf, judgedCheck } from '../../../tests/fixtures/judged.ts';
import { testPatterns } from '../test-files.ts';
import { productAside } from './product-aside.ts';

const reads = "exports.read = (text) => text.split(',');\n";
const base = {
  'package.json': '{"main": "src/index.js"}\n',
  'src/index.js': "exports.read = require('./spec/read.js').read;\n",
  'src/spec/read.js': reads,
  'test/read.test.js':
    "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { read } = require('../src/index.js');\ntest('reads', () => assert.deepStrictEqual(read('a,b'), ['a', 'b']));\n",
};
const asked = async (work: Readonly<Record<string, string>>) =>
  [...(await productAside(changeOf(base, { ...base, ...work }), testPatterns))].sort();

test('a program of the product may lie where tests lie, and is judged as the product', async () => {
  const mended = {
    'src/spec/read.js': "exports.read = (text) => text.split(',').map((part) => part.trim());\n",
    'test/read.test.js': `${base['test/read.test.js']}test('trims', () => assert.deepStrictEqual(read('a, b'), ['a', 'b']));\n`,
  };
  expect(await asked(mended)).toEqual(['src/spec/read.js']);
  const checks = [
    {
      id: 'tests',
      kind: 'tests',
      run: ['node', '--test', '--test-reporter=tap', 'test/'],
      report: { format: 'node' },
    },
  ];
  expect(await judgedCheck({ base, work: mended, checks })).toMatchObject({ outcome: 'pass', reason: '' });
});

test('what declares tests, asserts, lies elsewhere or is loaded by no source stays with the tests', async () => {
  expect(await asked({ 'src/spec/read.js': `${reads}test('a', () => {});\n` })).toEqual([]);
  expect(await asked({ 'src/spec/read.js': `const assert = require('chai');\n${reads}` })).toEqual([]);
  expect(await asked({ 'src/spec/more.js': reads, 'spec/read.js': reads })).toEqual([]);
  const loaded = { 'src/spec/more.js': reads, 'src/index.js': "exports.more = require('./spec/more.js');\n" };
  expect(await asked(loaded)).toEqual(['src/spec/more.js']);
});
