import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from './engine/composition.ts';
import { delegating } from './engine/delegating.ts';
import { EngineError } from './engine/engine-error.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { SqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store, StoreContent } from './store/store.ts';
import { ANCHOR_REF, isAnchored } from './workspace/anchor.ts';
import type { Repository } from './workspace/repository.ts';

/** A store of any kind, open. `driver` names the library behind it, for people. */
export type AnyStore = Store & StoreContent & { readonly driver: string };

/** Opens the store of a repository. Throws NOT_INITIALISED where it has none, STORE_GONE where it had one. */
export async function openStore(repo: Repository): Promise<AnyStore> {
  try {
    return await openSqlite(storePath(repo), { mode: 'open', repositoryId: '' });
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'NOT_FOUND') throw cause;
    const left = leftBehind(repo);
    if (left !== undefined) {
      const message = `the Countersign store of this repository is gone, and what it named is still in ${left}`;
      const hint = `bring ${storePath(repo)} back from a copy; a new one, which knows nothing of it: countersign init`;
      throw new EngineError('STORE_GONE', message, hint, { cause });
    }
    const message = 'this repository has no Countersign store yet';
    throw new EngineError('NOT_INITIALISED', message, 'run: countersign init', { cause });
  }
}

/** The store of a repository for a process that serves many callers. Throws as openStore does. */
export async function openForMany(repo: Repository): Promise<AnyStore> {
  const store = await openStore(repo);
  if (!(store instanceof SqliteStore)) return store;
  const { grouped } = await import('./store/sqlite/grouped.ts');
  return delegating<AnyStore>(store, { commit: grouped(store) });
}

/** What only a store makes: a folder that it fills, or the ref of its checkpoints. Whoever took the store away left it. */
function leftBehind(repo: Repository): string | undefined {
  const folders = ['proofpacks', 'evidence'].map((name) => join(placesOf(repo).state, name));
  return folders.find((folder) => existsSync(folder)) ?? (isAnchored(repo) ? ANCHOR_REF : undefined);
}

/** Where the store of a repository and what belongs to it lie. */
export function placesOf({ top, commonDir }: Repository): Places {
  return { top, state: join(commonDir, 'countersign') };
}

export const storePath = (repo: Repository) => join(placesOf(repo).state, 'store.db');
