/** What a file of evidence is named by: PATH, or TYPE=PATH. */
export function evidenceName(given: string): { readonly type: string; readonly path: string } {
  const [, type = '', path = given] = /^([a-z][a-z0-9_-]*)=(.+)$/.exec(given) ?? [];
  return { type, path };
}
