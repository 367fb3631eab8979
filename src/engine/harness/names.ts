/** The agent definitions that Countersign writes, and the MCP server of the second. */
export const BUILDER_AGENT = 'countersign-builder';
export const VERIFIER_AGENT = 'countersign-verifier';
