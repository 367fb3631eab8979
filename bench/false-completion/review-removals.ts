import type { Removal } from './removals.ts';

const ACCEPTED = '"approve","changes","reject"';

/** Controls of reviews of phases; each is told by a story about who may say what. `real` is what stood there before. */
export const REVIEW_REMOVALS: readonly Removal[] = [
  {
    control: 'the set of reviewers is frozen with the settings of its task',
    file: 'engine/phases/settings.ts',
    name: 'pinnedOf',
    neutral:
      "(handle: any) => ({ ...real(handle), reviewers: Number(/reviewers: (\\d)/.exec(require('node:fs').readFileSync('.countersign/config.yaml', 'utf8'))?.[1] ?? 3), policy: 'single' as const })",
    scenario: 'fewer-reviewers-by-settings',
    reason: 'PHASE_NOT_APPROVED',
  },
  {
    control: 'a verdict is given once',
    file: 'protocols/reviewer.ts',
    name: 'reviewer',
    neutral: `({ ...real, forbidden: [], rows: [...real.rows, ...real.rows.filter((row: any) => [${ACCEPTED}].includes(row.command)).map((row: any) => ({ ...row, from: [${ACCEPTED}] }))] })`,
    scenario: 'one-voice-twice',
    reason: 'no-transition',
  },
  {
    control: 'quotes are looked up in the commit',
    file: 'engine/phases/findings.ts',
    name: 'falseQuotes',
    neutral: '() => []',
    scenario: 'invented-quotes',
    reason: 'gate-closed',
  },
  {
    control: 'something critical is not outvoted',
    file: 'engine/phases/findings.ts',
    name: 'isGrave',
    neutral: '() => false',
    scenario: 'critical-against-all-others',
    reason: 'REJECTED',
  },
  {
    control: 'whoever dies counts against the quorum',
    file: 'protocols/review.ts',
    name: 'review',
    neutral: `JSON.parse(JSON.stringify(real).replaceAll('"share":"majority"', '"share":"some"'))`,
    scenario: 'quorum-without-the-dead',
    reason: 'ESCALATED',
  },
  {
    control: 'a credential is good for its own place',
    file: 'engine/reach.ts',
    name: 'beyondToken',
    neutral: '() => undefined',
    scenario: 'one-who-speaks-for-all',
    reason: 'wrong-role',
  },
  {
    control: 'the same work is not put before other reviewers',
    file: 'engine/phases/looks.ts',
    name: 'PHASE_LOOKS',
    neutral:
      "({ ...real, 'work-moved': async (look: any) => ({ ...(await real['work-moved'](look)), probes: { 'work-moved': { status: 'satisfied', because: '', fix: '' } } }) })",
    scenario: 'same-work-before-others',
    reason: 'gate-closed',
  },
];
