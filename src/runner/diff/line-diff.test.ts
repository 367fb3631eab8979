import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff, linesOf } from './line-diff.ts';

const kept = (lines: readonly string[], gone: ReadonlySet<number>) => lines.filter((_, n) => !gone.has(n));

describe('a line diff', () => {
  it('leaves the same lines in the same order on both sides, whatever the texts are', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { added, removed } = lineDiff(before, after);
        expect(kept(before, removed)).toEqual(kept(after, added));
      }),
      { numRuns: 500 },
    );
  });

  it('is as short as it can be', () => {
    const before = ['a', 'b', 'c', 'a', 'b', 'b', 'a'];
    const after = ['c', 'b', 'a', 'b', 'a', 'c'];
    const { added, removed } = lineDiff(before, after);
    expect(added.size + removed.size).toBe(5);
    expect(lineDiff(before, before)).toEqual({ added: new Set(), removed: new Set() });
  });

  it('misses no new line when the texts differ too much to be followed', () => {
    const before = Array.from({ length: 50 }, (_, n) => `old ${n}`);
    const after = ['old 3', 'old 3', 'new'];
    expect(lineDiff(before, after, 5).added).toEqual(new Set([1, 2]));
  });

  it('counts no line behind the last line break', () => {
    expect(linesOf('a\r\nb\n')).toEqual(['a', 'b']);
    expect(linesOf('')).toEqual([]);
  });
});
