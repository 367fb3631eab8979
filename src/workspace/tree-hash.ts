import { createHash } from 'node:crypto';
import type { TreeEntry } from './blob.ts';

/** Git's id of an object, computed here: SHA-1 or SHA-256 as the length of the repository's ids says. */
export function objectId(type: 'blob' | 'tree' | 'commit', content: Uint8Array, idLength: number): string {
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1');
  return hash.update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** The ids of all folders that a listing implies, by path; the root has the path ''. Empty folders count only if listed. */
export function folderIds(entries: readonly TreeEntry[], idLength: number): ReadonlyMap<string, string> {
  const children = new Map<string, TreeEntry[]>([['', []]]);
  for (const entry of entries) addWithParents(children, entry);
  const ids = new Map<string, string>();
  const deepestFirst = [...children.keys()].sort((a, b) => depth(b) - depth(a));
  for (const folder of deepestFirst) {
    const content = Buffer.concat(
      (children.get(folder) ?? [])
        .map((child) => ({ child, key: sortKey(child) }))
        .sort((a, b) => Buffer.compare(a.key, b.key))
        .map(({ child }) => encode(child, child.type === 'tree' ? (ids.get(child.path) ?? '') : child.oid)),
    );
    ids.set(folder, objectId('tree', content, idLength));
  }
  return ids;
}

function addWithParents(children: Map<string, TreeEntry[]>, entry: TreeEntry): void {
  if (entry.type === 'tree') {
    if (children.has(entry.path)) return;
    children.set(entry.path, []);
  }
  const parent = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')));
  if (!children.has(parent))
    addWithParents(children, { path: parent, mode: '040000', type: 'tree', oid: '' });
  children.get(parent)?.push(entry);
}

const depth = (path: string) => (path === '' ? -1 : path.split('/').length);

const nameOf = (entry: TreeEntry) => entry.path.slice(entry.path.lastIndexOf('/') + 1);

// Git compares folders as if their names ended in a slash.
const sortKey = (entry: TreeEntry) =>
  Buffer.from(entry.type === 'tree' ? `${nameOf(entry)}/` : nameOf(entry));

const encode = (entry: TreeEntry, oid: string) =>
  Buffer.concat([Buffer.from(`${entry.mode.replace(/^0/, '')} ${nameOf(entry)}\0`), Buffer.from(oid, 'hex')]);
