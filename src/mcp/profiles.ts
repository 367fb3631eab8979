import type { Actor } from '../kernel/actor.ts';
import type { Offers } from './offers.ts';
import type { Profile } from './profile.ts';
import { everyRole, type Tool } from './tool.ts';
import { createGoal, createGoalTask, createLifecycleTask } from './tools/create.ts';
import { goalStatus } from './tools/goal-status.ts';
import { GOAL_STEPS } from './tools/goal-steps.ts';
import { itemAdd } from './tools/item-add.ts';
import { itemClaim } from './tools/item-claim.ts';
import { itemFollowUp } from './tools/item-follow-up.ts';
import { itemJudge } from './tools/item-judge.ts';
import { itemList } from './tools/item-list.ts';
import { itemMove } from './tools/item-move.ts';
import { itemShow } from './tools/item-show.ts';
import { itemVerify } from './tools/item-verify.ts';
import { LIFECYCLE_STEPS } from './tools/lifecycle-steps.ts';
import { next } from './tools/next.ts';
import { standing } from './tools/phase-failures.ts';
import { PHASE_LOOK_TOOLS } from './tools/phase-looks.ts';
import { PHASE_STEP_TOOLS } from './tools/phase-steps.ts';
import { STAGED_STEP_TOOLS } from './tools/staged-steps.ts';
import { STAGED_TASK_TOOLS } from './tools/staged-tasks.ts';
import { STEP_TOOLS } from './tools/steps.ts';
import { TASK_QUERIES } from './tools/task-queries.ts';

const LOOKS = [next, itemList, itemShow];
const forRoles = (tool: Tool, ...roles: readonly string[]): Tool => ({ ...tool, roles });

/** Sets of tools: `core` fits every protocol, each of the others names the steps of its own. */
export const PROFILES: { readonly [profile in Profile]: readonly Tool[] } = {
  core: [...LOOKS, itemAdd, itemMove, itemClaim, itemVerify, itemJudge, itemFollowUp],
  'two-phase': [...[...LOOKS, itemAdd], ...STEP_TOOLS, ...[itemClaim, itemVerify, itemJudge, itemFollowUp]],
  lifecycle: [
    ...[...LOOKS, createLifecycleTask],
    ...LIFECYCLE_STEPS,
    ...[forRoles(itemJudge, 'quality-monitor', 'cto', 'build-orchestrator'), itemMove],
    ...TASK_QUERIES,
  ],
  goals: [
    ...[...LOOKS, goalStatus, createGoal, createGoalTask],
    ...GOAL_STEPS,
    ...[forRoles(itemJudge, 'reviewer', 'verifier'), forRoles(itemMove, 'lead')],
  ],
  staged: [...LOOKS, ...STAGED_TASK_TOOLS, ...STAGED_STEP_TOOLS],
  phases: [next, ...[...PHASE_STEP_TOOLS, ...PHASE_LOOK_TOOLS].map(standing)],
};

/** Most tools of a list: what is more stands in the way of a model that has to choose. */
export const MOST_TOOLS = 14;

/**
 * Where somebody holds so many roles that their list would be longer, these go first, in this order: item_move takes
 * the step, item_list and item_show answer the question.
 */
const LEFT_OUT: { readonly [profile in Profile]: readonly string[] } = {
  core: [],
  'two-phase': [],
  lifecycle: [
    ...TASK_QUERIES.map(({ name }) => name),
    ...['escalate_task', 'review_codebase', 'start_commit', 'propose_approach', 'start_planning'],
    ...['validate_task', 'report_commit', 'begin_task', 'assign_task'],
  ],
  goals: ['item_judge', 'link_task_to_goal', 'reopen_task', 'reject_goal', 'reject_task', 'assign_task'],
  staged: [],
  phases: ['next', 'create_phased_task'],
};

/** The tools that an actor is offered: its roles alone decide, and never more than fit. */
export function offeredTo(profile: Profile, { roles }: Pick<Actor, 'roles'>): readonly Tool[] {
  const tools = PROFILES[profile].filter((tool) => isFor(tool, profile, roles));
  const tooMany = Math.max(tools.length - MOST_TOOLS, 0);
  const present = LEFT_OUT[profile].filter((name) => tools.some((tool) => tool.name === name));
  const left = new Set(present.slice(0, tooMany));
  return tools.filter(({ name }) => !left.has(name));
}

/** A role of a protocol that the project wrote is offered all of `core`: what it may do stands in that table alone. */
function isFor(tool: Tool, profile: Profile, roles: readonly string[]): boolean {
  if (tool.roles.length === 0 || tool.roles.some((role) => roles.includes(role))) return true;
  return profile === 'core' && roles.some((role) => !KNOWN.has(role));
}

const KNOWN: ReadonlySet<string> = new Set(everyRole());

/** Whether a tool only looks at what is recorded. */
export const onlyLooks = (name: string): boolean => LOOKING.has(name);

const LOOKING: ReadonlySet<string> = new Set(
  Object.values(PROFILES)
    .flat()
    .filter(({ annotations }) => annotations.readOnlyHint)
    .map(({ name }) => name),
);

const namesOf = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.map(({ name }) => name));

/** What a profile offers to an actor and to others. */
export const offersOf = (profile: Profile, actor: Pick<Actor, 'roles'>): Offers => ({
  own: namesOf(offeredTo(profile, actor)),
  any: namesOf(PROFILES[profile]),
});
