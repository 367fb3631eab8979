import { latestEvidence } from '../../kernel/freshness.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { resumeDecision, standings } from './reports.ts';
import { agentsOf, type TaskView } from './task.ts';

/** What whoever coordinates a task is told in each state, and in no other (PROTO-24). `T` stands for the task. */
const GUIDANCE: { readonly [state: string]: readonly string[] } = {
  INIT: ['Make its worktrees, then: countersign task classify T.'],
  CLASSIFIED: [
    'Decide risk and agents: countersign task assess T --risk RISK --agents A,B --reason WHY; countersign task risk PATHS proposes them.',
    'Then countersign task worktrees T, countersign task document T, countersign task gather T.',
  ],
  REQUIREMENTS: [
    'Call each agent for its report: countersign task invoke T --agent A, then launch it. A report names what its domain requires, one line each: - REQ-SEC-1: tokens expire.',
    'All reports are there: countersign task synthesize T.',
  ],
  SYNTHESIS: [
    'Write one plan into task.md: who implements, who calls them, in which worktree. countersign task lint T judges its wording.',
    'Then countersign task present-plan T, show it, and end your turn: only a person lets the building begin.',
  ],
  IMPLEMENTATION: [
    'You coordinate: call agents, watch their status.json, merge their branches, resolve conflicts, decide when all are complete. You write no implementation file.',
    'An agent has committed, validated and said COMPLETE: countersign task merge T A. All have: countersign task validate T.',
  ],
  VALIDATION: [
    'Have the checks run: countersign verify ITEM. What fails goes back: countersign task rework T.',
  ],
  REVIEW: [
    'Call each agent for its review. All approve: countersign task present T. One rejects: countersign task rework T --reason WHY.',
  ],
  AWAITING_USER_APPROVAL: [
    'A person looks at the commit. No agent is called meanwhile.',
    'Where they ask for a change, that is the order, and nothing is asked: countersign task request-change T --reason WHAT, then call the agents.',
  ],
  SCOPE_NEGOTIATION: ['A person decides on the scope. Tell them what stands against it, and wait.'],
  COMPLETE: [
    'It is approved: countersign task land T, countersign task clean T, countersign task tidy T. The main worktree is held for it: countersign lease take main.',
    'Where it does not go together with the main branch: countersign task request-change T --reason WHY, then countersign task merge T main.',
  ],
  CLEANUP: ['It has landed: countersign task tidy T.'],
  CANCELLED: ['A person stopped it: countersign task tidy T.'],
};

/** The lines for a task as it stands; in REQUIREMENTS with the decision how to go on (PROTO-170, PROTO-180). */
export function guidanceOf(
  ports: Pick<Ports, 'workspace'>,
  handle: Handle,
  view: TaskView,
): readonly string[] {
  const { state } = handle.item;
  const { task } = view.layout;
  const lines = (GUIDANCE[state] ?? []).map((line) =>
    line.replace(/\bT\b/g, task).replace(/\bITEM\b/g, handle.display),
  );
  return state === 'REQUIREMENTS' ? [...lines, resumeLine(ports, handle, view)] : lines;
}

/** How the requirements go on: all agents, some, or none. */
export function resumeLine(ports: Pick<Ports, 'workspace'>, handle: Handle, view: TaskView): string {
  const all = standings(ports, handle, view);
  const { decision, agents } = resumeDecision(all);
  const done = all.filter(({ complete }) => complete).length;
  return `${done} of ${all.length} reports are complete: ${decision}${agents.length === 0 ? '' : ` (${agents.join(', ')})`}`;
}

/**
 * The one act that follows an approved plan: to say that the building begins, and to launch all agents at once, each with
 * its model and the words of its domain (PROTO-300).
 */
export function launches(handle: Pick<Handle, 'item'>, { layout, settings }: TaskView): readonly string[] {
  return [
    `Now: countersign task acknowledge-delegation ${layout.task}, then countersign task implement ${layout.task}.`,
    'Then say exactly this, and launch the agents in parallel:',
    'I am now entering IMPLEMENTATION state. Launching stakeholder agents in parallel.',
    ...agentsOf(handle).map((agent) => {
      const { model = '', domain = agent } = settings.agents[agent] ?? {};
      return `Task tool (${agent}), model: ${model || 'inherit'}, prompt: "Implement the part of ${domain} of the approved plan in ${layout.agentCode(agent)}, commit it, validate that commit, and say so: countersign task status ${layout.task} COMPLETE"`;
    }),
  ];
}

/** What is open before a person: the plan, the commit, or nothing (PROTO-295). */
export function openCheckpoint({ item }: Pick<Handle, 'item'>, { layout }: TaskView): string {
  const { task } = layout;
  if (item.state === 'AWAITING_USER_APPROVAL')
    return `OPEN CHECKPOINT USER_APPROVAL_POST_REVIEW: ${task} lands when a person approves the commit.`;
  if (item.state !== 'SYNTHESIS' || isPlanApproved({ item })) return '';
  const shown = latestEvidence(item, 'presentation') !== undefined;
  return `OPEN CHECKPOINT USER_APPROVAL_PLAN: the plan of ${task} is not approved${shown ? ', it was presented' : ' and not presented'}. Nothing is implemented before a person approves it.`;
}

export const isPlanApproved = ({ item }: Pick<Handle, 'item'>): boolean =>
  latestEvidence(item, 'plan-approval') !== undefined;

/** Something of the task is before a person now. */
export const isBeforePerson = ({ item }: Pick<Handle, 'item'>): boolean =>
  item.state === 'AWAITING_USER_APPROVAL' ||
  (item.state === 'SYNTHESIS' &&
    latestEvidence(item, 'presentation') !== undefined &&
    !isPlanApproved({ item }));
