import { describe, expect, it } from 'vitest';
import type { GivenStatement } from '../change.ts';
import { fieldsOf } from '../fields.ts';
import { readApprovalCheck, runApprovalCheck } from './approval.ts';
import { readReviewCheck, runReviewCheck } from './review.ts';

const tree = 'ab'.repeat(20);
const said = (more: Partial<GivenStatement>): GivenStatement => ({
  kind: 'review',
  by: 'vera',
  role: 'verification-agent',
  human: false,
  outside: true,
  outcome: 'approve',
  digest: tree,
  ...more,
});
const review = (
  statements: readonly GivenStatement[],
  more: { by?: readonly string[]; count?: number } = {},
) =>
  runReviewCheck(
    { id: 'r', kind: 'review', by: ['verification-agent'], count: 1, lacking: 'fail', ...more },
    { statements, tree },
  );
const approval = (statements: readonly GivenStatement[]) =>
  runApprovalCheck({ id: 'a', kind: 'approval' }, { statements, tree });
const read = <T>(
  keys: object,
  reader: (id: string, fields: NonNullable<ReturnType<typeof fieldsOf>>) => T,
) => {
  const problems: string[] = [];
  const fields = fieldsOf(keys, '', problems);
  const check = fields && reader('x', fields);
  fields?.finish();
  return { check, problems };
};

describe('a review check', () => {
  it('passes with as many reviewers as it asks for', async () => {
    expect(await review([said({})])).toMatchObject({ outcome: 'pass', reason: '', shows: ['review'] });
    expect(await review([said({}), said({ by: 'victor' })], { count: 2 })).toMatchObject({ outcome: 'pass' });
    expect(await review([said({ role: 'anybody' })], { by: [] })).toMatchObject({ outcome: 'pass' });
  });

  it.each<[string, readonly GivenStatement[]]>([
    ['nobody', []],
    ['one of the lineage', [said({ outside: false })]],
    ['one who has another role', [said({ role: 'specialist' })]],
    ['one who saw another tree', [said({ digest: 'cd'.repeat(20) })]],
    ['one who approves something else', [said({ kind: 'approval' }), said({ kind: 'sign-off' })]],
  ])('fails with %s', async (_, statements) =>
    expect(await review(statements)).toMatchObject({ outcome: 'fail', reason: 'review-missing', shows: [] }),
  );

  it('counts reviewers, not reviews', async () => {
    const result = await review([said({}), said({})], { count: 2 });
    expect(result).toMatchObject({ outcome: 'fail', notes: ['approved by vera'] });
  });

  it('fails with one rejection of this tree from outside, in whichever role, and not with others', async () => {
    const no = said({ by: 'rex', role: 'specialist', outcome: 'reject' });
    expect(await review([said({}), no])).toMatchObject({
      outcome: 'fail',
      explanation: 'rex rejected this tree',
    });
    expect(await review([said({}), { ...no, outside: false }])).toMatchObject({ outcome: 'pass' });
    expect(await review([said({}), { ...no, digest: 'cd'.repeat(20) }])).toMatchObject({ outcome: 'pass' });
  });

  it('has no tree to pass for when there is none', async () => {
    const check = { id: 'r', kind: 'review', by: [], count: 1, lacking: 'fail' } as const;
    const result = await runReviewCheck(check, { statements: [said({ digest: '' })], tree: '' });
    expect(result.outcome).toBe('fail');
  });

  it('has keys that are checked', () => {
    expect(read({}, readReviewCheck)).toEqual({
      check: { id: 'x', kind: 'review', by: [], count: 1, lacking: 'fail' },
      problems: [],
    });
    expect(read({ count: 0, by: [], more: 1 }, readReviewCheck).problems).toEqual([
      'count: must be at least 1: a review that nobody gives is none',
      'by: must be a list of texts that are not empty',
      'more: is not a known key; known here: count, by',
    ]);
  });
});

describe('an approval check', () => {
  const yes = said({ kind: 'approval', by: 'ada', human: true });

  it('passes with a person who approves this tree', async () => {
    expect(await approval([yes])).toMatchObject({
      outcome: 'pass',
      shows: ['approval'],
      explanation: 'ada approved this tree',
    });
  });

  it.each<[string, readonly GivenStatement[]]>([
    ['nobody', []],
    ['a program', [{ ...yes, human: false }]],
    ['a person who saw another tree', [{ ...yes, digest: 'cd'.repeat(20) }]],
    ['a person who reviewed', [{ ...yes, kind: 'review' }]],
    ['a person who rejects', [yes, { ...yes, by: 'eve', outcome: 'reject' }]],
  ])('fails with %s', async (_, statements) =>
    expect(await approval(statements)).toMatchObject({
      outcome: 'fail',
      reason: 'approval-missing',
      shows: [],
    }),
  );

  it('has no keys of its own', () => {
    expect(read({ by: ['x'] }, readApprovalCheck).problems).toEqual(['by: is not a known key']);
  });
});
