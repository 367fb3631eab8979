import { expect, it } from 'vitest';
import { onlyLoads, withoutLoaded } from './loaded-names.ts';

it('hides the names of loaded modules, and puts them back', () => {
  const line = "const a = require('a')('b') + (await import(\"./c.js\")).d; // 'a'";
  const { masked, named } = withoutLoaded(line);
  expect(masked).toHaveLength(line.length);
  expect(masked.match(/['"][^'"]*['"]/g)).toEqual(["'b'", "'a'"]);
  expect(named(masked)).toBe(line);
  expect(named(masked.replace("'b'", "'x'"))).toBe(line.replace("'b'", "'x'"));
  expect(named(undefined)).toBe('');
});

it.each([
  "const fs = require('node:fs');",
  "export const { join } = await import('node:path')",
  "const io = process.getBuiltinModule('fs').promises;",
  "require('./side.js');",
  "json = importlib.import_module('json')",
])('takes %s for a line that only loads', (line) => expect(onlyLoads(line)).toBe(true));

it.each(["const a = require('a')(1);", "const a = load('a');", "return require('a');", 'const a = 1;'])(
  'does not take %s for one',
  (line) => expect(onlyLoads(line)).toBe(false),
);
