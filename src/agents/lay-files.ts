import { basename, join } from 'node:path';
import type { AgentCommand } from './adapters/adapter.ts';
import { makeFolder, replaceFile } from './durable-file.ts';

/** Writes the files that a command line names into the folder of its run, for its owner alone. Before the launch. */
export function layFiles(folder: string, files: AgentCommand['files']): void {
  makeFolder(folder);
  for (const [name, text] of Object.entries(files)) replaceFile(join(folder, basename(name)), text);
}
