/** What tasks in phases alone ask about the outside. */
export const PHASE_PROBES = [
  'work-moved',
  'within-caps',
  'evidence-per-finding',
  'merged',
  'findings-fit',
  'blocking-finding',
  'counting-finding',
  'review-closed',
  'none-coming',
  'out-of-reach',
] as const;

export type PhaseProbe = (typeof PHASE_PROBES)[number];
