import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOfThisMachine, type Peer, uidOf } from './http/peer.ts';

/**
 * How much a store is kept from a client, as the system shows it, never as the client says: 'separated' where only this
 * process's user can change the folders, and the client is of another user or on another machine; else 'cooperative'. What
 * cannot be told is 'cooperative', and so is everything where no folder is known to be kept.
 */
export function levelOf(peer: Peer | undefined, folders: readonly string[]): string {
  const own = process.getuid?.();
  if (
    own === undefined ||
    peer === undefined ||
    folders.length === 0 ||
    !folders.every((folder) => isKept(folder, own))
  )
    return 'cooperative';
  if (!isOfThisMachine(peer.address)) return 'separated';
  const uid = uidOf(peer);
  // The administrator reads everything.
  return uid === undefined || uid === own || uid === 0 ? 'cooperative' : 'separated';
}

/** Nobody but this user and the administrator can read the folder, nor put another one in its place. */
function isKept(folder: string, own: number): boolean {
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || stats.uid !== own || (stats.mode & 0o077) !== 0) return false;
    for (let above = dirname(folder); ; above = dirname(above)) {
      const { uid, mode } = lstatSync(above);
      // In a folder with the sticky bit, only the owner of an entry can move it away.
      const guarded = (mode & 0o022) === 0 || (mode & 0o1000) !== 0;
      if (!guarded || (uid !== own && uid !== 0)) return false;
      if (above === dirname(above)) return true;
    }
  } catch {
    return false;
  }
}
