/** The headers in which a message of MCP says where its client works: its folder, as in a URL, and its HEAD. */
export const STAND = { cwd: 'countersign-cwd', head: 'countersign-head' } as const;
