import { expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

it.each([
  ['a.png', '*.png', true],
  ['shots/a.png', '*.png', false],
  ['shots/a.png', '**/*.png', true],
  ['a.png', '**/*.png', true],
  ['x/y/z/a.png', 'x/**/a.png', true],
  ['x/a.png', 'x/**', true],
  ['ab', 'a?', true],
  ['a/', 'a?', false],
  ['a.b', 'a+b', false],
  ['A.png', 'a.png', false],
  ['', '**', true],
  ['', '?', false],
])('%s fits %s: %s', (path, pattern, fits) => {
  expect(matchesGlob(path, pattern)).toBe(fits);
});

it('ends on a pattern that is made to take for ever', () => {
  expect(matchesGlob('a'.repeat(2_000), `**/${'*a'.repeat(40)}z`)).toBe(false);
});
