import type { RoleBrief } from '../../protocols/brief.ts';
import { GOAL_BRIEFS } from '../../protocols/goal-roles.ts';
import { LIFECYCLE_BRIEFS } from '../../protocols/lifecycle-roles.ts';
import { STAGED_BRIEFS } from '../../protocols/staged-roles.ts';
import { TWO_PHASE_BRIEFS } from '../../protocols/two-phase-roles.ts';

/** The part of one of the two agents: the roles of its credential, those that its agent is told of, and its tools. */
export interface Part {
  /** The first one is what it cannot be without. */
  readonly roles: readonly [string, ...string[]];
  readonly told: readonly string[];
  readonly tools: readonly string[];
}

/** How a coding agent is told of the protocol that a project uses. */
export interface Workflow {
  readonly profile: 'core' | 'two-phase' | 'lifecycle' | 'goals' | 'staged';
  readonly briefs: readonly RoleBrief[];
  readonly builder: Part;
  readonly verifier: Part;
}

export const TWO_PHASE: Workflow = {
  profile: 'two-phase',
  briefs: TWO_PHASE_BRIEFS,
  builder: {
    roles: ['specialist', 'workflow-orchestrator'],
    told: ['specialist'],
    tools: ['item_start', 'item_claim'],
  },
  verifier: {
    roles: ['verification-agent', 'quality-validator'],
    told: ['verification-agent', 'quality-validator'],
    tools: ['item_verify', 'item_judge'],
  },
};

const LIFECYCLE: Workflow = {
  profile: 'lifecycle',
  briefs: LIFECYCLE_BRIEFS,
  builder: {
    roles: ['fullstack-developer', 'plan-manager', 'build-orchestrator', 'git-manager'],
    told: ['fullstack-developer'],
    tools: ['propose_approach', 'begin_task', 'finish_task', 'request_review', 'record_failure'],
  },
  verifier: {
    roles: ['quality-monitor', 'solution-validator'],
    told: ['quality-monitor', 'solution-validator'],
    tools: ['start_planning', 'validate_task', 'verify_task', 'item_judge', 'record_failure'],
  },
};

const GOALS: Workflow = {
  profile: 'goals',
  briefs: GOAL_BRIEFS,
  builder: { roles: ['builder', 'lead'], told: ['builder'], tools: ['update_task', 'submit_for_review'] },
  verifier: {
    roles: ['verifier', 'reviewer'],
    told: ['reviewer', 'verifier'],
    tools: ['approve_task', 'reject_task', 'verify_task', 'reject_verification', 'item_judge'],
  },
};

/** The session coordinates; a stakeholder of a task is registered by its own name, as `staged.agents` has it. */
const STAGED: Workflow = {
  profile: 'staged',
  briefs: STAGED_BRIEFS,
  builder: {
    roles: ['coordinator'],
    told: ['coordinator'],
    tools: [
      'task_list',
      'task_check',
      'task_start',
      'task_show',
      'task_gate',
      'task_step',
      'task_do',
      'lease',
    ],
  },
  verifier: { roles: ['stakeholder'], told: ['stakeholder'], tools: ['task_show', 'task_status'] },
};

/** A protocol of the project's own: what its roles are called, a person says with `countersign actor roles`. */
const CORE: Workflow = {
  ...TWO_PHASE,
  profile: 'core',
  builder: { ...TWO_PHASE.builder, told: [], tools: ['item_move', 'item_claim'] },
  verifier: { ...TWO_PHASE.verifier, told: [], tools: ['item_move', 'item_verify', 'item_judge'] },
};

const OF: ReadonlyMap<string, Workflow> = new Map([
  ['two-phase', TWO_PHASE],
  ['lifecycle', LIFECYCLE],
  ['goal', GOALS],
  ['goal-task', GOALS],
  ['staged', STAGED],
]);

/** The workflow of a protocol, by its name. */
export const workflowOf = (protocol: string): Workflow => OF.get(protocol) ?? CORE;
