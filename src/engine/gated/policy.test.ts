import { describe, expect, it } from 'vitest';
import { remaining } from './overrides.ts';
import { bothOf, gateSectionOf, isNamed, looksNamed } from './policy.ts';

const both = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  bothOf(gateSectionOf(one), gateSectionOf(other));

describe('two demands', () => {
  it('leave of keys, people and criteria what stands in both, which may be nothing', () => {
    expect(both({ keys: ['a', 'b'] }, { keys: ['b', 'c'] }).keys).toEqual(['b']);
    expect(both({ overrides: ['a'] }, { overrides: ['c'] }).overrides).toEqual([]);
    expect(both({ criteria: ['a'] }, {}).criteria).toEqual(['a']);
    expect(both({}, { keys: [] }).keys).toEqual([]);
    expect(both({}, {}).keys).toBeUndefined();
  });

  it('allow what one allows and the other does not forbid', () => {
    for (const key of ['waivers', 'submodules'] as const) {
      expect(both({ [key]: true }, { [key]: false })[key]).toBe(false);
      expect(both({ [key]: false }, { [key]: true })[key]).toBe(false);
      expect(both({ [key]: true }, {})[key]).toBe(true);
      expect(both({}, {})[key]).toBeUndefined();
    }
    expect(both({ judge: 'patch' }, { judge: 'tree' }).judge).toBe('tree');
    expect(both({ judge: 'tree' }, { judge: 'patch' }).judge).toBe('tree');
    expect(both({}, { judge: 'patch' }).judge).toBe('patch');
  });

  it('ask for the most of each, and protect all names', () => {
    const one = {
      independence: 'human',
      strength: 'self-test',
      tier: 'light',
      mutation: true,
      branches: ['main'],
    };
    const other = {
      independence: 'sibling',
      strength: 'acceptance',
      protection: 'separated',
      branches: ['refs/heads/x'],
    };
    expect(both(one, other)).toMatchObject({
      independence: 3,
      strength: 3,
      tier: 1,
      protection: 1,
      mutation: true,
    });
    expect(both(one, other).branches).toEqual(['main', 'x']);
  });
});

describe('a name', () => {
  it('is taken by letter, and a star for any text', () => {
    expect(isNamed(['release/*'], 'release/1/2')).toBe(true);
    expect(isNamed(['release/*'], 'release')).toBe(false);
    expect(isNamed(['v1.0'], 'v1x0')).toBe(false);
    expect(isNamed(['a+(b)'], 'a+(b)')).toBe(true);
  });

  it('looks like another where only case, composition or ignored signs differ', () => {
    expect(looksNamed(['main'], 'MAIN')).toBe(true);
    expect(looksNamed(['caf\u00e9'], 'cafe\u0301')).toBe(true);
    expect(looksNamed(['main'], 'main')).toBe(false);
    expect(looksNamed(['main'], 'mains')).toBe(false);
  });
});

it('what nobody can let go stays, whatever somebody signed', () => {
  const findings = (['fault', 'deleted', 'policy'] as const).map((code) => ({ code, says: '', next: '' }));
  const permits = new Set(['fault', 'deleted', 'policy']);
  expect(remaining(findings, { permits, remarks: [] }).map(({ code }) => code)).toEqual(['fault', 'deleted']);
});
