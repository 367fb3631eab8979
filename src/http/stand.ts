/** The headers in which a message of MCP says where its client works: its folder, as in a URL, and its HEAD. */
export const STAND = { cwd: 'countersign-cwd', head: 'countersign-head' } as const;

/** Where a call says, beside its arguments, what is in the files that these name: base64 by path. */
export const BROUGHT = 'countersign/files';
