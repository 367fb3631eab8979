import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder and everything in it, also what was made unreadable or read-only. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await unlock(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await lstat(path)).isDirectory()) await unlock(path);
  }
}
