import { describe, expect, it } from 'vitest';
import { strengthOf, strengthProperties } from './strength.ts';

const check = (outcome: 'pass' | 'fail' | 'indeterminate', ...shows: readonly string[]) => ({
  outcome,
  shows,
});

describe('the strength grade', () => {
  it.each([
    ['none', [check('pass')]],
    ['none', []],
    ['self-test', [check('pass', 'tests')]],
    ['self-test', [check('pass', 'canary')]],
    ['red-green', [check('pass', 'tests', 'canary', 'red-green')]],
    ['acceptance', [check('pass', 'acceptance')]],
    ['acceptance', [check('pass', 'red-green'), check('pass', 'acceptance')]],
    ['acceptance + mutation', [check('pass', 'acceptance'), check('pass', 'mutation')]],
    ['none', [check('pass', 'review', 'approval')]],
  ])('%s', (grade, checks) => {
    expect(strengthOf(checks, true)).toBe(grade);
  });

  it('counts nothing that did not pass, and no mutation of what was never tested', () => {
    expect(strengthOf([check('fail', 'red-green'), check('indeterminate', 'tests')], true)).toBe('none');
    expect(strengthOf([check('pass', 'mutation')], true)).toBe('none');
  });

  it('counts no examples of the builder’s own lineage', () => {
    expect(strengthOf([check('pass', 'acceptance')], false)).toBe('none');
    expect(strengthOf([check('pass', 'acceptance', 'tests'), check('pass', 'mutation')], false)).toBe(
      'self-test + mutation',
    );
  });

  it('is told as properties', () => {
    expect(strengthProperties('red-green')).toEqual(['COUNTERSIGN_STRENGTH_RED_GREEN']);
    expect(strengthProperties('self-test + mutation')).toEqual([
      'COUNTERSIGN_STRENGTH_SELF_TEST',
      'COUNTERSIGN_STRENGTH_MUTATION',
    ]);
  });
});
