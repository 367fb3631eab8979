import { PHASE_PROBES } from '../../protocols/phase-probes.ts';
import { STAGED_PROBES } from '../../protocols/staged-probes.ts';

/** What the engine can look at outside when a row asks for it. A protocol can ask for nothing else. */
export const PROBE_NAMES = [
  'claimed-work',
  'evidence-files',
  'evidence-types',
  'self-checks',
  'assignee-fits',
  'checker-fits',
  'helpers-fit',
  'new-approach',
  'commit-exists',
  'proof-pack',
  'linkable',
  'integrated',
  ...STAGED_PROBES,
  ...PHASE_PROBES,
] as const;

export type ProbeName = (typeof PROBE_NAMES)[number];
