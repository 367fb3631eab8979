/** What tasks in stages alone ask about the outside. */
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
  'calls-ended',
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
