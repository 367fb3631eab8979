import type { StagedProbe } from '../../protocols/staged-probes.ts';
import type { Gatherer } from '../gather/looked.ts';
import { addition } from './additions.ts';
import { logChain } from './chain.ts';
import {
  authors,
  branchesMerged,
  callsEnded,
  cleanTree,
  documentsOnly,
  headShown,
  landed,
  pushed,
  trailComplete,
} from './probes-git.ts';
import { plan, reportSections, reports, synthesis, taskFile } from './probes-papers.ts';
import {
  agentsFit,
  agentWorktrees,
  invocable,
  inWorktree,
  taskLease,
  taskWorktree,
  todoEntryFits,
} from './probes-place.ts';

/** What the engine looks at for tasks in stages. */
export const STAGED_PROBES: { readonly [probe in StagedProbe]: Gatherer } = {
  'task-lease': taskLease,
  'in-worktree': inWorktree,
  'task-worktree': taskWorktree,
  'agent-worktrees': agentWorktrees,
  'todo-entry': todoEntryFits,
  'agents-fit': agentsFit,
  invocable,
  addition,
  'task-file': taskFile,
  reports,
  'log-chain': logChain,
  'report-sections': reportSections,
  synthesis,
  plan,
  'calls-ended': callsEnded,
  'branches-merged': branchesMerged,
  'clean-tree': cleanTree,
  authors,
  'documents-only': documentsOnly,
  pushed,
  'head-shown': headShown,
  landed,
  'trail-complete': trailComplete,
};
