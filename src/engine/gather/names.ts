/** What it looks at for tasks in stages alone. */
export const STAGED_PROBES = [
  'task-lease',
  'in-worktree',
  'task-worktree',
  'agent-worktrees',
  'todo-entry',
  'agents-fit',
  'invocable',
  'addition',
  'task-file',
  'reports',
  'log-chain',
  'report-sections',
  'synthesis',
  'plan',
  'branches-merged',
  'clean-tree',
  'authors',
  'documents-only',
  'pushed',
  'head-shown',
  'landed',
  'trail-complete',
] as const;

export type StagedProbe = (typeof STAGED_PROBES)[number];

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
] as const;

export type ProbeName = (typeof PROBE_NAMES)[number];
