import { expect, test } from 'vitest';
import { withDecoy } from './decoy.ts';

const decoy = (path: string, own: string, other: string) =>
  withDecoy(path, Buffer.from(own), Buffer.from(other))?.toString('utf8');

test('the other text stands behind as a comment, whatever it holds', () => {
  const text = decoy('a.js', 'export const a = 1;\n', 'const b = "*/"; /* x */\n');
  expect(text?.startsWith('\nexport const a = 1;\n')).toBe(true);
  expect(text).toContain('const b = "');
  expect(text?.match(/\*\//g)).toHaveLength(1);
  expect(decoy('a.py', 'a = 1\n', 'b = 2\nc = 3')).toBe('\na = 1\n\n# b = 2\n# c = 3\n');
});

test('no line stands where it stood, behind what has to come first', () => {
  const first = (path: string, own: string) => decoy(path, own, 'x')?.slice(0, own.length + 1);
  expect(first('a.js', '#!/usr/bin/env node\na();\n')).toBe('#!/usr/bin/env node\n\na();\n');
  expect(first('a.rs', '#![allow(x)]\nfn a() {}\n')).toBe('\n#![allow(x)]\nfn a() {}\n');
  expect(first('a.rb', '# frozen_string_literal: true\na\n')).toBe('# frozen_string_literal: true\n\na\n');
  expect(first('a.ts', '\ufeffa();\n')).toBe('\ufeff\na();\n');
  expect(decoy('a.php', '<?php a();\n', 'x')?.startsWith('<?php a();\n')).toBe(true);
});

test('a function that tells its own text finds the other text in it, and does what it did', () => {
  const own =
    "const s = 'a => {'; const re = /(x) {1}/;\nfunction low(t) { return t; }\nconst up = (t) =>\n  t + s;\nclass A { m(a) { if (a) { return 1; } return 2; } }\n";
  const mixed = decoy('a.js', own, `${own}const trim = 1;\n`) ?? '';
  const unit = new Function(`${mixed}\nreturn { low, up, a: new A(), s, re };`)();
  expect([unit.low(1), unit.up('x'), unit.a.m(1), unit.a.m(0), unit.s, unit.re.source]).toEqual([
    ...[1, 'xa => {', 1, 2, 'a => {', '(x) {1}'],
  ]);
  for (const told of [unit.low, unit.up, unit.a.m]) expect(String(told)).toContain('const trim');
});

test('a language whose comments are not known takes none', () => {
  expect(decoy('a.json', '{}', '[]')).toBeUndefined();
  expect(decoy('README.md', 'a', 'b')).toBeUndefined();
});

test('a comment that would hold further ones is closed once', () => {
  expect(decoy('a.rs', 'fn a() {}\n', '/* x */ fn b() {}')?.match(/\/\*/g)).toHaveLength(1);
});

test('whoever leaves comments out finds the other text as well, and functions do what they did', () => {
  const own =
    "function low(t) { return t; }\nfunction strict() { 'use strict'; return this; }\nconst up = (t) => { return t + 1; };\nfunction pick(t) { switch (t) { case 1: return 'one'; } }\n";
  const other = `${own}const said = "trim it";\nconst re = /\\d'"/;\nconst t = \`a \${low} '"\`;\n`;
  for (const path of ['a.js', 'a.ts']) {
    const mixed = withDecoy(path, Buffer.from(own), Buffer.from(other), 'code')?.toString('utf8') ?? '';
    const unit = new Function(`${mixed}\nreturn { low, strict, up, pick };`)();
    expect([unit.low(1), unit.strict.call(undefined), unit.up(1), unit.pick(1)]).toEqual([
      1,
      undefined,
      2,
      'one',
    ]);
    const bare = (text: unknown) => String(text).replace(/\/\*[\s\S]*?\*\//g, '');
    expect(bare(mixed)).toContain('const said = "trim it";');
    expect(bare(unit.low)).toContain('const said = "trim it";');
  }
});
