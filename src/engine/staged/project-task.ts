import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../attestation/digest.ts';
import type { Opened } from '../composition.ts';
import { itemStream, peekById } from '../handle.ts';
import { nowOf, type Ports } from '../ports.ts';
import { type DriftFound, recordDrift } from '../project.ts';
import { alone } from '../projection-state.ts';
import { refusalStream } from '../refuse.ts';
import { besideTask } from './beside-task.ts';
import { readLease, taskLease } from './leases.ts';
import { filesOfTask } from './projections.ts';
import { viewTask } from './task.ts';
import { toolStream } from './tool-notes.ts';
import { PORTS_STREAM } from './tree-ports.ts';

/** Paths to the digests that the engine may have left there: what it wrote last, and what it was about to write. */
type Memory = { readonly [path: string]: readonly string[] };

const NAME = 'task-projections.json';

/**
 * Brings the files of a task up to date. An edit of somebody else is put on record and kept as evidence, then written
 * over: nothing is ever read from these files (CP-01, CP-14). Answers what to tell of it.
 */
export async function projectTask({ ports, places }: Opened, task: string): Promise<readonly string[]> {
  const seen = await shown(ports, task);
  // Most commands change nothing of what the files say: then nobody has to be kept out.
  if (staleOf(ports, readMemory(places.state), seen).length === 0) return [];
  const found = await alone(places.state, ports.process, async () => {
    const now = (await headsOf(ports, task)) === seen.heads ? seen : await shown(ports, task);
    const memory = readMemory(places.state);
    return written(ports, places.state, memory, staleOf(ports, memory, now));
  });
  return found ?? [];
}

interface Shown {
  /** How far the log was read; '' where nothing was. */
  readonly heads: string;
  /** None where no such task was started, or has no folder. */
  readonly files: readonly File[];
}

async function shown(ports: Ports, task: string): Promise<Shown> {
  const { version } = await ports.store.head(PORTS_STREAM);
  const view = await viewTask(ports, task, '');
  const { item: id, version: lease } = view.lease;
  if (id === '' || !ports.workspace.isFolder(view.layout.folder)) return { heads: '', files: [] };
  // A view decides nothing: the chain is checked by the command that acts.
  const handle = await peekById(ports, id);
  const beside = await besideTask(ports, task, id);
  const { used, refused } = beside;
  const heads = [lease, id, handle.item.version, version, used.length, refused.length].join(' ');
  return { heads, files: [...filesOfTask(ports, handle, view, beside)] };
}

/** The ends of the streams that the files of a task are written from. */
async function headsOf({ store }: Ports, task: string): Promise<string> {
  const lease = await readLease({ store }, taskLease(task));
  const streams = [itemStream(lease.item), PORTS_STREAM, toolStream(task), refusalStream(lease.item)];
  const heads = await Promise.all(streams.map(async (stream) => (await store.head(stream)).version));
  return [lease.version, lease.item, ...heads].join(' ');
}

const staleOf = (ports: Ports, memory: Memory, { files }: Shown): readonly File[] =>
  files.filter((file) => !isAsLeft(ports, memory, file));

type File = readonly [path: string, text: string | undefined];

/** The file says what it should, and the engine remembers that it wrote just that. */
function isAsLeft({ workspace }: Ports, memory: Memory, [path, text]: File): boolean {
  const bytes = workspace.readFile(path);
  if (text === undefined || bytes === undefined) return text === bytes;
  return bytes.equals(Buffer.from(text)) && memory[path]?.at(-1) === sha256Hex(text);
}

async function written(
  ports: Ports,
  state: string,
  memory: Memory,
  stale: readonly File[],
): Promise<readonly string[]> {
  const drifted = stale.flatMap(([path, text]) => driftIn(ports, memory[path] ?? [], path, text));
  await recordDrift(ports, drifted);
  const known = stale.flatMap(([path, text]) =>
    text === undefined ? [] : [[path, [...(memory[path] ?? []).slice(-1), sha256Hex(text)]] as const],
  );
  writeMemory(state, { ...memory, ...Object.fromEntries(known) });
  for (const [path, text] of stale) {
    if (text === undefined) ports.workspace.removeFile(path);
    else if (ports.workspace.readFile(path)?.equals(Buffer.from(text)) !== true)
      ports.workspace.writeFile(path, text);
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
