import type { Connection } from './connection.ts';

/** The id of the repository whose store this is, '' when the file does not say. */
export function repositoryOf(connection: Connection): string {
  const row = connection.prepare<{ value: string }>(`SELECT value FROM meta WHERE name = 'repository'`).get();
  return row?.value ?? '';
}
