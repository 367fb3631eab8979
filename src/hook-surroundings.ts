import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from './hooks/surroundings.ts';
import { stateHome } from './identity/places.ts';
import { openStore, placesOf, storePath } from './open-store.ts';
import { locateRepository } from './workspace/repository.ts';

/** The repository of a session, undefined where it has no store: whoever does not use Countersign notices nothing. */
export function surroundingsOf(cwd: string, actor: string, env: NodeJS.ProcessEnv): Surroundings | undefined {
  const folder = cwd || (env.CLAUDE_PROJECT_DIR ?? process.cwd());
  const repo = located(folder, env);
  if (repo === undefined || !existsSync(storePath(repo))) return undefined;
  const { top, state } = placesOf(repo);
  return {
    top,
    state,
    secrets: join(stateHome(env), 'countersign'),
    actor,
    env,
    stamp: () => stampOf(storePath(repo)),
    async look(task) {
      const store = await openStore(repo);
      try {
        return await task(store);
      } finally {
        await store.close();
      }
    },
    async open() {
      const { compose } = await import('./compose.ts');
      return compose(folder).open();
    },
  };
}

function located(folder: string, env: NodeJS.ProcessEnv) {
  try {
    return locateRepository(folder, env);
  } catch {
    return undefined;
  }
}

/** Sizes and times of the store's files: every commit grows the log beside it, or begins it anew. */
function stampOf(path: string): string {
  const files = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return files
    .map((file) => (file === undefined ? '-' : `${file.ino}:${file.size}:${file.mtimeNs}`))
    .join(' ');
}
