import { own } from '../kernel/own.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { agentRun } from './agent-run.ts';
import { goal } from './goal.ts';
import { goalTask } from './goal-task.ts';
import { lifecycle } from './lifecycle.ts';
import { phase } from './phase.ts';
import { phasedTask } from './phased-task.ts';
import { review } from './review.ts';
import { reviewer } from './reviewer.ts';
import { staged } from './staged.ts';
import { twoPhase } from './two-phase.ts';

/** The protocols that ship with the engine, by name: no table is made for it. */
export const BUILT_IN: { readonly [name: string]: Protocol } = {
  'two-phase': twoPhase,
  lifecycle,
  'goal-task': goalTask,
  goal,
  staged,
  'phased-task': phasedTask,
  phase,
  review,
  reviewer,
  'agent-run': agentRun,
};

/** The built-in protocol of exactly this name; whatever else a name may reach in an object is none. */
export const builtIn = (name: string): Protocol | undefined => own(BUILT_IN, name);
