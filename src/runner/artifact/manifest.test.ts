import { expect, it } from 'vitest';
import { isPackageName, needsOf, waysTo } from './manifest.ts';

const ways = (exports: unknown, entry = '') =>
  waysTo({ raw: { exports }, name: 'a', version: '1.0.0', bins: new Map() }, entry);
const both = ['require', 'import'];

it.each([
  ['one file', './a.js', '', ['any']],
  ['two files', { import: './a.mjs', require: './a.cjs' }, '', both],
  ['two files by default', { '.': { import: './a.mjs', default: './a.cjs' } }, '', both],
  [
    'two files with types',
    { '.': { import: { types: './a.d.mts', default: './a.mjs' }, require: './a.cjs' } },
    '',
    both,
  ],
  ['a module alone', { '.': { import: { types: './a.d.ts', default: './a.js' } } }, '', ['any']],
  ['the same file for both', { import: './a.js', default: './a.js' }, '', ['any']],
  ['browsers apart', { browser: './b.js', default: './a.js' }, '', ['any']],
  ['an entry below', { '.': './a.js', './sub': { import: './a.mjs', require: './a.cjs' } }, '/sub', both],
  ['no exports', undefined, '', ['any']],
])('finds the ways to a package with %s', (_, exports, entry, expected) => {
  expect(ways(exports, entry)).toEqual(expected);
});

it('knows what an installation without development brings along', () => {
  const needs = needsOf({
    dependencies: { a: '1', b: '1' },
    optionalDependencies: { b: '1' },
    devDependencies: { c: '1' },
    peerDependencies: { d: '1', e: '1' },
    peerDependenciesMeta: { e: { optional: true } },
  });
  expect(Object.fromEntries(needs)).toEqual({ a: 'needed', b: 'optional', d: 'needed' });
});

it.each(['a', '@a/b.c', 'JSONStream', 'a_b'])('takes the name %s', (name) =>
  expect(isPackageName(name)).toBe(true),
);
it.each(['..', '../a', '@a/..', 'a/b', '', '.a', 'node_modules', '@a'])('refuses the name %j', (name) =>
  expect(isPackageName(name)).toBe(false),
);
