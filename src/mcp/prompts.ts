import type { McpServer } from '@modelcontextprotocol/server';
import { briefText, type RoleBrief } from '../protocols/brief.ts';
import { GOAL_BRIEFS } from '../protocols/goal-roles.ts';
import { LIFECYCLE_BRIEFS } from '../protocols/lifecycle-roles.ts';
import { PHASE_BRIEFS } from '../protocols/phase-roles.ts';
import { STAGED_BRIEFS } from '../protocols/staged-roles.ts';
import { TWO_PHASE_BRIEFS } from '../protocols/two-phase-roles.ts';
import type { Profile } from './profile.ts';

/** What the roles of a profile are told. */
export const BRIEFS: { readonly [profile in Profile]: readonly RoleBrief[] } = {
  core: [...TWO_PHASE_BRIEFS, ...LIFECYCLE_BRIEFS, ...GOAL_BRIEFS, ...STAGED_BRIEFS, ...PHASE_BRIEFS],
  'two-phase': TWO_PHASE_BRIEFS,
  lifecycle: LIFECYCLE_BRIEFS,
  goals: GOAL_BRIEFS,
  staged: STAGED_BRIEFS,
  phases: PHASE_BRIEFS,
};

/** One prompt for each role. */
export function registerPrompts(server: McpServer, profile: Profile): void {
  for (const brief of BRIEFS[profile]) {
    const { role, when } = brief;
    const text = briefText(brief);
    server.registerPrompt(role, { title: role, description: when }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text } }],
    }));
  }
}
