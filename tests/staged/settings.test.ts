import { expect, test } from 'vitest';
import { stagedSettings } from '../../src/engine/staged/settings.ts';

test.each([{ aliases: 'eng' }, { aliases: 5 }, { aliases: [5] }, { tier: 'one' }, { domain: [] }, 5])(
  'CP-25: an agent of the project that is described as %j is told, and nothing breaks by it',
  (quality) => {
    expect(() => stagedSettings({ staged: { agents: { quality } } })).toThrow(
      /staged: agents: quality takes aliases/,
    );
  },
);

test('CP-25: one without a description has what it needs', () => {
  expect(stagedSettings({ staged: { agents: { quality: null } } }).agents.quality?.aliases).toEqual([
    'engineer',
  ]);
});
