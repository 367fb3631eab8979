import { expect, it } from 'vitest';
import { changeOf } from '../../tests/change-of.ts';
import { parseCriteria } from './criteria.ts';
import { toSign } from './sign-off.ts';

type Files = Readonly<Record<string, string>>;

const tests = { id: 'tests', kind: 'tests', run: ['node', '--test'], report: { format: 'node' } };

const asked = async (before: Files, after: Files) => {
  const text = JSON.stringify({
    schema: 'countersign/criteria/1',
    name: 'default',
    checks: [tests, { id: 'change', kind: 'diff' }],
  });
  const criteria = await parseCriteria(Buffer.from(text), 'criteria.json');
  const sign = await toSign(criteria, changeOf(before, after), { kind: 'code', noChange: false });
  return { digest: sign?.digest, files: sign?.files.map(({ path }) => path) };
};

const base = {
  'src/index.js': 'a\n',
  'test/a.test.js': "const assert = require('node:assert');\n",
  'test/kept.js': 'a\n',
};
const work = {
  ...base,
  'src/index.js': 'b\n',
  'src/more.js': 'x\n',
  'test/a.test.js':
    "const assert = require('./strict.js');\nrequire('./kept'); require('../src/index.js');\n",
  'test/strict.js': "module.exports = require('./strictest');\n",
  'test/strictest.js': "read('data/rates.json');\n",
  'test/data/rates.json': '1\n',
  'test/other.test.js': "require('../src/more.js');\n",
};

it('shows the new files that a test to sign names, directly and through one another, and no others', async () => {
  expect((await asked(base, work)).files).toEqual([
    'test/a.test.js',
    'test/data/rates.json',
    'test/strict.js',
    'test/strictest.js',
  ]);
});

it('covers what they say', async () => {
  const { digest } = await asked(base, work);
  const files = ['test/strict.js', 'test/strictest.js', 'test/data/rates.json'] as const;
  for (const path of files)
    expect((await asked(base, { ...work, [path]: `${work[path]} \n` })).digest).not.toBe(digest);
  expect((await asked(base, { ...work, 'src/index.js': 'c\n', 'src/more.js': 'y\n' })).digest).toBe(digest);
});

it('shows what a manifest to sign starts, and nothing where only new files name one another', async () => {
  const manifest = (line: string) => ({ 'package.json': JSON.stringify({ scripts: { test: line } }) });
  const before = { ...base, ...manifest('node --test') };
  const after = { ...before, ...manifest('node tools/run.js && node --test'), 'tools/run.js': 'x\n' };
  expect((await asked(before, after)).files).toEqual(['package.json', 'tools/run.js']);
  const fresh = { ...before, 'test/b.test.js': "require('./b.js');\n", 'test/b.js': 'x\n' };
  expect((await asked(before, fresh)).files).toBeUndefined();
});
