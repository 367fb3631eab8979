import { expect, test } from 'vitest';
import { withDecoy } from './decoy.ts';

const decoy = (path: string, own: string, other: string) =>
  withDecoy(path, Buffer.from(own), Buffer.from(other))?.toString('utf8');

test('the other text stands behind as a comment, whatever it holds', () => {
  const text = decoy('a.js', 'export const a = 1;\n', 'const b = "*/"; /* x */\n');
  expect(text?.startsWith('export const a = 1;\n')).toBe(true);
  expect(text).toContain('const b = "');
  expect(text?.match(/\*\//g)).toHaveLength(1);
  expect(decoy('a.py', 'a = 1\n', 'b = 2\nc = 3')).toBe('a = 1\n\n# b = 2\n# c = 3\n');
});

test('a language whose comments are not known takes none', () => {
  expect(decoy('a.json', '{}', '[]')).toBeUndefined();
  expect(decoy('README.md', 'a', 'b')).toBeUndefined();
});

test('a comment that would hold further ones is closed once', () => {
  expect(decoy('a.rs', 'fn a() {}\n', '/* x */ fn b() {}')?.match(/\/\*/g)).toHaveLength(1);
});
