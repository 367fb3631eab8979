/** The agent definitions that Countersign writes, and the MCP server of the second. */
export const BUILDER_AGENT = 'countersign-builder';
export const VERIFIER_AGENT = 'countersign-verifier';

/** The plugin's name. Claude Code puts it before the names of the agents that a plugin brings. */
export const PLUGIN = 'countersign';

/** Whether an agent is the verifier, by its own name or by the one that it has in the plugin. */
export const isVerifierAgent = (agentType: string): boolean =>
  agentType === VERIFIER_AGENT || agentType === `${PLUGIN}:${VERIFIER_AGENT}`;

/** How the verifier is called where these hooks run. */
export const verifierAgentIn = (env: NodeJS.ProcessEnv): string =>
  env.CLAUDE_PLUGIN_ROOT ? `${PLUGIN}:${VERIFIER_AGENT}` : VERIFIER_AGENT;
