import { statSync } from 'node:fs';
import { join } from 'node:path';

/** What a child wrote: its standard output, which holds the stream, and its standard error. */
export const STREAMS = ['out', 'err'] as const;
export type StreamName = (typeof STREAMS)[number];

export const transcriptPath = (folder: string, stream: StreamName): string =>
  join(folder, `transcript.${stream}`);

/** Bytes of both streams, and when one last grew; of an ended run the record tells instead. */
export function transcriptSize(folder: string): { readonly bytes: number; readonly outputAt: string } {
  const files = STREAMS.map((stream) => statSync(transcriptPath(folder, stream), { throwIfNoEntry: false }));
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  const written = files.filter((file) => file !== undefined && file.size > 0);
  const last = Math.max(...written.map((file) => file?.mtimeMs ?? 0), 0);
  return { bytes, outputAt: last === 0 ? '' : new Date(last).toISOString() };
}
