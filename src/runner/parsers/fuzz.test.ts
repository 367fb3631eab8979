import { expect, it } from 'vitest';
import { fuzz } from '../../../bench/parsers/fuzz.ts';
import type { Report } from '../report.ts';
import { parserOf, reportFormats } from './index.ts';

it.each(reportFormats)('%s: 2,000 hostile texts do no harm', async (format) => {
  const { inputs, faults } = fuzz(format, await parserOf(format), 2_000, 7);
  expect(inputs).toBe(2_000);
  expect(faults.slice(0, 3)).toEqual([]);
});

it('notices a parser that is too kind, throws, or tells nonsense', () => {
  const passed = { id: 'a', name: 'a', outcome: 'passed' } as const;
  const kinds = (parse: () => Report) =>
    new Set(fuzz('jest', parse, 50, 7).faults.map(({ kind, family }) => `${kind} ${family}`));
  expect(kinds(() => ({ tests: [passed], complete: true }))).toEqual(
    new Set(['accepted lost', 'accepted mutated', 'accepted garbage']),
  );
  expect(kinds(() => ({ tests: [passed, passed], complete: false })).has('malformed cut')).toBe(true);
  expect(
    kinds(() => {
      throw new Error('a');
    }).has('threw piled'),
  ).toBe(true);
});
