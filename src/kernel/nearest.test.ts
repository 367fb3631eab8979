import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

const KEYS = ['canary', 'census', 'examples', 'base-tests', 'red-on-base'];

describe('the nearest word', () => {
  it.each([
    ['exampels', 'examples'],
    ['cannary', 'canary'],
    ['sensus', 'census'],
    ['base_tests', 'base-tests'],
    ['Canary', 'canary'],
  ])('of %s is %s', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant);
  });

  it.each(['mutation', 'x', 'can', ''])('is none of what %j is nowhere near', (word) => {
    expect(nearest(word, KEYS)).toBeUndefined();
  });

  it('is the word itself where it is one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        const [first = ''] = words;
        const plain = (text: string | undefined) => text?.toLowerCase().replaceAll('_', '-');
        expect(plain(nearest(first, words))).toBe(plain(first));
      }),
    );
  });

  it('ends a sentence, or says nothing', () => {
    expect(didYouMean('cannary', KEYS)).toBe('; did you mean canary?');
    expect(didYouMean('mutation', KEYS)).toBe('');
  });
});
