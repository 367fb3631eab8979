import type { Protocol } from '../kernel/protocol.ts';
import { agentRun } from '../protocols/agent-run.ts';
import { briefText } from '../protocols/brief.ts';
import { goal } from '../protocols/goal.ts';
import { goalTask } from '../protocols/goal-task.ts';
import { lifecycle } from '../protocols/lifecycle.ts';
import { phase } from '../protocols/phase.ts';
import { phasedTask } from '../protocols/phased-task.ts';
import { review } from '../protocols/review.ts';
import { reviewer } from '../protocols/reviewer.ts';
import { staged } from '../protocols/staged.ts';
import { twoPhase } from '../protocols/two-phase.ts';
import { instructionsFor } from './instructions.ts';
import type { Profile } from './profile.ts';
import { BRIEFS } from './prompts.ts';

const PHASED = [phasedTask, phase, review, reviewer, agentRun];
const PROTOCOLS: { readonly [profile in Profile]: readonly Protocol[] } = {
  core: [twoPhase, lifecycle, goalTask, goal, staged, ...PHASED],
  'two-phase': [twoPhase],
  lifecycle: [lifecycle],
  goals: [goalTask, goal],
  staged: [staged],
  phases: PHASED,
};

/** The protocols of a profile as a reader needs them: states, and what each role is told. */
export function guideText(profile: Profile): string {
  const protocols = PROTOCOLS[profile];
  const states = protocols.flatMap(({ name, states: of }) => [
    protocols.length > 1 ? `## States of ${name}` : '## States',
    '',
    ...Object.entries(of).map(([state, { meaning }]) => `- ${state}: ${meaning}`),
    '',
  ]);
  return [
    ...['# Working under Countersign', '', instructionsFor(profile), ''],
    ...states,
    '## Roles',
    ...BRIEFS[profile].flatMap((brief) => ['', `### ${brief.role}`, '', briefText(brief)]),
  ].join('\n');
}
