import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Readers see the old text or the new one, never a part. Durable before it answers, unless said otherwise. */
export function replaceFile(path: string, text: string, durable = true): void {
  const draft = drafted(path, text, durable);
  renameSync(draft, path);
  if (durable) syncFolder(dirname(path));
}

/** Writes a file that was not there, whole and durable; false when somebody else was first. */
export function writeOnce(path: string, text: string): boolean {
  const draft = drafted(path, text, true);
  try {
    linkSync(draft, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A folder that nobody else may read, and those above it. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  syncFolder(dirname(path));
}

function drafted(path: string, text: string, durable: boolean): string {
  const draft = `${path}.${randomUUID()}.part`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
