import type { McpServer } from '@modelcontextprotocol/server';
import { briefText, TWO_PHASE_BRIEFS } from '../protocols/two-phase-roles.ts';

/** One prompt for each role. */
export function registerPrompts(server: McpServer): void {
  for (const brief of TWO_PHASE_BRIEFS) {
    const { role, when } = brief;
    const text = briefText(brief);
    server.registerPrompt(role, { title: role, description: when }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text } }],
    }));
  }
}
