/** The headers in which a message of MCP says where its client works: its folder, as in a URL, what the file system says of that, and its HEAD. */
export const STAND = {
  cwd: 'countersign-cwd',
  folder: 'countersign-folder',
  head: 'countersign-head',
} as const;

/** Where a call says, beside its arguments, what is in the files that these name: base64 by path. */
export const BROUGHT = 'countersign/files';
