import { describe, expect, it } from 'vitest';
import { applyCounts, countOf } from './counters.ts';

const table = { rounds: { per: 'item', limit: 2 }, failures: { per: 'state', limit: 3 } } as const;
const apply = (counts: { readonly [key: string]: number }, ...rules: string[]) =>
  applyCounts(table, counts, rules, 'testing', 'review');

describe('counters', () => {
  it('adds here, in the item or in the state', () => {
    expect(apply({}, '+rounds', '+failures')).toEqual({ rounds: 1, 'failures@testing': 1 });
  });

  it('never passes its limit', () => {
    expect(apply({ rounds: 2 }, '+rounds')).toEqual({ rounds: 2 });
  });

  it('goes back to nothing here, where the item came from, or everywhere', () => {
    const counts = { rounds: 1, 'failures@testing': 1, 'failures@review': 2, 'failures@planning': 1 };
    expect(apply(counts, '0failures')).toEqual({ rounds: 1, 'failures@review': 2, 'failures@planning': 1 });
    expect(apply(counts, '0^failures')).toEqual({ rounds: 1, 'failures@testing': 1, 'failures@planning': 1 });
    expect(apply(counts, '0*failures')).toEqual({ rounds: 1 });
    expect(apply(counts, '0rounds')).not.toHaveProperty('rounds');
  });

  it('reads nothing as none', () => {
    expect(countOf(table, { 'failures@review': 2 }, 'failures', 'testing')).toBe(0);
    expect(countOf(table, { 'failures@review': 2 }, 'failures', 'review')).toBe(2);
  });
});
