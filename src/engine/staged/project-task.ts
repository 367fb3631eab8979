import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../attestation/digest.ts';
import type { Opened } from '../composition.ts';
import { EngineError } from '../engine-error.ts';
import { nowOf, type Ports } from '../ports.ts';
import { type DriftFound, recordDrift } from '../project.ts';
import { alone } from '../projection-state.ts';
import { filesOfTask } from './projections.ts';
import { viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { toolsOf } from './tool-notes.ts';

/** Paths to the digests that the engine may have left there: what it wrote last, and what it was about to write. */
type Memory = { readonly [path: string]: readonly string[] };

const NAME = 'task-projections.json';

/**
 * Brings the files of a task up to date. An edit of somebody else is put on record and kept as evidence, then written
 * over: nothing is ever read from these files (CP-01, CP-14). Answers what to tell of it.
 */
export async function projectTask({ ports, places }: Opened, task: string): Promise<readonly string[]> {
  const found = await alone(places.state, ports.process, () => project(ports, places.state, task));
  return found ?? [];
}

async function project(ports: Ports, state: string, task: string): Promise<readonly string[]> {
  const handle = await taskItem(ports, task).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (handle === undefined) return [];
  const view = await viewTask(ports, task, '');
  const { workspace } = ports;
  if (!workspace.isFolder(view.layout.folder)) return [];
  const files = filesOfTask(ports, handle, view, await toolsOf(ports, task));
  const memory = readMemory(state);
  const drifted = [...files].flatMap(([path, text]) => driftIn(ports, memory[path] ?? [], path, text));
  await recordDrift(ports, drifted);
  const written = [...files].flatMap(([path, text]) =>
    text === undefined ? [] : [[path, [...(memory[path] ?? []).slice(-1), sha256Hex(text)]] as const],
  );
  writeMemory(state, { ...memory, ...Object.fromEntries(written) });
  for (const [path, text] of files) {
    if (text === undefined) workspace.removeFile(path);
    else if (workspace.readFile(path)?.equals(Buffer.from(text)) !== true) workspace.writeFile(path, text);
  }
  return drifted.map(
    ({ path, found }) =>
      `${path} was changed outside of Countersign: nothing was taken from it; what was there is kept as evidence ${found.slice(0, 12)}`,
  );
}

/** A file that is not as the engine left it. One that is gone is written anew without a word. */
function driftIn(
  ports: Ports,
  known: readonly string[],
  path: string,
  text: string | undefined,
): readonly DriftFound[] {
  const bytes = ports.workspace.readFile(path);
  if (bytes === undefined) return [];
  const digest = sha256Hex(bytes);
  if (known.includes(digest) || (text !== undefined && digest === sha256Hex(text))) return [];
  const found = ports.evidence.put(bytes);
  const expected = known.at(-1) ?? '';
  return [{ type: 'drift-found', at: nowOf(ports), by: 'engine', path, expected, found }];
}

function readMemory(folder: string): Memory {
  try {
    return JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as Memory;
  } catch {
    return {};
  }
}

function writeMemory(folder: string, memory: Memory): void {
  const draft = join(folder, `${NAME}.${process.pid}.part`);
  writeFileSync(draft, `${JSON.stringify(memory)}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, NAME));
}
