/** What every client is told first: the essentials, within 512 characters. */
export const INSTRUCTIONS = [
  'Nothing is done until someone else confirms it.',
  'Call next: it names what you may do now, and the exact call.',
  'Builders commit, then item_claim; a claim is not done.',
  'The engine re-runs the checks on a clean checkout, asked by somebody outside the builder’s lineage: item_verify.',
  'No call takes test results or a name.',
  'A refusal says what is missing and who can do what: follow its next.',
  'Leave criteria, hooks and the store alone.',
].join(' ');
