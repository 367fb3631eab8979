import type { Setup } from '../kernel/check/setup.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { agentRun } from './agent-run.ts';
import { goal } from './goal.ts';
import { goalTask } from './goal-task.ts';
import { phase } from './phase.ts';
import { phasedTask } from './phased-task.ts';
import { review } from './review.ts';
import { reviewer } from './reviewer.ts';

/** A goal with one task: the two tables only make sense together, as the task tells the goal who built it. */
export const goalWithTask: Setup = {
  name: 'goal',
  main: 'goal',
  streams: { goal: { protocol: goal, seat: '' }, task: { protocol: goalTask, seat: '' } },
  links: { task: { goal: ['goal'] } },
  alike: [],
};

/** A table whose one agent is known by its seat, where the product knows it by the credential of its run. */
const seated = (protocol: Protocol): Protocol => ({
  ...protocol,
  rows: protocol.rows.map((row) => ({
    ...row,
    names: {},
    takes: row.takes.filter((name) => name !== 'agent'),
    forgets: row.forgets.filter((name) => name !== 'agent'),
    requires: row.requires.filter((guard) => !(guard.guard === 'same' && guard.as === 'agent')),
  })),
});

/** A phase with one agent and three reviewers; a review or a run that begins anew stands for another one. */
export const phaseWithReview: Setup = {
  name: 'phase',
  main: 'phase',
  streams: {
    phase: { protocol: phase, seat: '' },
    task: { protocol: phasedTask, seat: '' },
    review: { protocol: review, seat: '' },
    worker: { protocol: seated(agentRun), seat: 'phase-agent' },
    rev1: { protocol: seated(reviewer), seat: 'phase-reviewer' },
    rev2: { protocol: seated(reviewer), seat: 'phase-reviewer' },
    rev3: { protocol: seated(reviewer), seat: 'phase-reviewer' },
  },
  links: {
    phase: { deployed: ['worker'], review: ['review'], task: ['task'] },
    task: { first: ['phase'], phases: ['phase'] },
    worker: { phase: ['phase'] },
    review: { phase: ['phase'], reviewers: ['rev1', 'rev2', 'rev3'] },
    rev1: { review: ['review'] },
    rev2: { review: ['review'] },
    rev3: { review: ['review'] },
  },
  alike: [],
};

/** What is explored for a built-in protocol: itself, or with the one that its guards hear of. */
export const setupOf = (protocol: Protocol): Protocol | Setup =>
  protocol === goal ? goalWithTask : PHASES.has(protocol) ? phaseWithReview : protocol;

const PHASES: ReadonlySet<Protocol> = new Set([phasedTask, phase, review, reviewer, agentRun]);
