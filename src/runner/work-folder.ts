import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

const prefix = 'build-';
const form = /^build-(\d+)-([0-9a-z]+)-([0-9a-f]{6})-\w{6}$/;

/** A new folder of mode 0700 whose name says which process works there; links in its path are resolved. */
export async function makeWorkFolder(workRoot: string): Promise<string> {
  await mkdir(workRoot, { recursive: true, mode: 0o700 });
  const name = `${prefix}${process.pid}-${startOf(process.pid)}-${processSpace()}-`;
  return realpath(await mkdtemp(join(workRoot, name)));
}

/**
 * Removes the folders of this user's runs that were killed. A folder stays when its process may still be alive, when
 * it belongs to somebody else or to another process space, and when it is a link. Never throws.
 */
export async function sweepWorkFolders(workRoot: string): Promise<void> {
  for (const name of namesIn(workRoot)) {
    const folder = join(workRoot, name);
    if (isAbandoned(folder, name)) await removeFolder(folder).catch(() => undefined);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAbandoned(folder: string, name: string): boolean {
  const [, pid = '', start = '', space = ''] = form.exec(name) ?? [];
  if (pid === '' || space !== processSpace()) return false;
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory() || stat.uid !== process.getuid?.()) return false;
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Start time in ticks since boot, base 36: a pid alone is used again. '0' where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]).toString(36);
  } catch {
    return '0';
  }
}

/** A pid means something only on its own machine and, in containers that share a folder, in its own namespace. */
function processSpace(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces.
  }
  return createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 6);
}
