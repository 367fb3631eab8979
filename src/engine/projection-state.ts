import {
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ProcessPort } from './ports.ts';

/** What was projected into one working tree. */
export interface ProjectedTree {
  /** Number of events in the log that the files show. */
  readonly events: number;
  /** Path below the tree -> hex SHA-256 of what the engine wrote there. */
  readonly files: { readonly [path: string]: string };
  /** Digests that a process was about to write since then: one that died in between leaves one of them, or the old. */
  readonly writing: { readonly [path: string]: readonly string[] };
}

/** What the engine remembers of its projections, so that no command has to ask git for the configuration. */
export interface ProjectionState {
  readonly todo: string;
  readonly proofpacks: string;
  readonly trees: { readonly [top: string]: ProjectedTree };
}

const NAME = 'projections.json';

/** Undefined where nothing was ever projected. What cannot be read is nothing: everything is then written anew. */
export function readProjectionState(folder: string): ProjectionState | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as ProjectionState;
  } catch {
    return undefined;
  }
}

export function writeProjectionState(folder: string, state: ProjectionState): void {
  const draft = join(folder, `${NAME}.${process.pid}.part`);
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, NAME));
}

const STALE_MS = 30_000;
const TRIES = 100;
const PAUSE_MS = 20;

/**
 * Does the work while no other process projects; undefined when another one kept at it, and the next command
 * will catch up. A lock that a dead process left behind is taken over at once, one whose owner cannot be told after
 * half a minute.
 */
export async function alone<T>(
  folder: string,
  { owner, isAlive }: ProcessPort,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const lock = join(folder, 'projections.lock');
  for (let n = 0; !taken(lock, owner); n++) {
    if (n >= TRIES) return undefined;
    if (isLeft(lock, isAlive)) rmSync(lock, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A link is made at once with what it says, so that no lock is without its owner. */
function taken(lock: string, owner: string): boolean {
  try {
    symlinkSync(owner, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isLeft(lock: string, isAlive: ProcessPort['isAlive']): boolean {
  try {
    return !isAlive(readlinkSync(lock)) || Date.now() - lstatSync(lock).mtimeMs > STALE_MS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
