import { expect, test } from 'vitest';
import { visible, visibleLine } from './visible.ts';

test('readable text in any language stays as it is', () => {
  const text = 'Größe 5 µm\n\tтест 試験 👍';
  expect(visible(text)).toBe(text);
});

test('what would erase, hide or reorder what the person reads is spelled out', () => {
  expect(visible('a\u001b[2Kb')).toBe('a\\u{1b}[2Kb');
  expect(visible('a\rb')).toBe('a\\u{d}b');
  expect(visible('a\u009bb')).toBe('a\\u{9b}b');
  expect(visible('a\u202eb\u200bc\u2028d')).toBe('a\\u{202e}b\\u{200b}c\\u{2028}d');
  expect(visible('a\u3164b\u{e0041}')).toBe('a\\u{3164}b\\u{e0041}');
  expect(visible('\ud800')).toBe('\\u{d800}');
});

test('a line stays one line', () => {
  expect(visibleLine('a\nb\tc')).toBe('a\\u{a}b\\u{9}c');
});
