import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Surroundings } from './hooks/surroundings.ts';
import { stateHome } from './identity/places.ts';
import { openStore, placesOf, storePath } from './open-store.ts';
import { type ServerSetting, serverSetting } from './server-setting.ts';
import { hasStore } from './store-choice.ts';
import { locateRepository } from './workspace/repository.ts';

/**
 * The repositories of a session that have a store: the one of its project, and another where its commands stand by now.
 * Empty for whoever does not use Countersign, who notices nothing.
 */
export function surroundingsOf(cwd: string, actor: string, env: NodeJS.ProcessEnv): readonly Surroundings[] {
  const project = env.CLAUDE_PROJECT_DIR ?? '';
  const folders = [...new Set([project, cwd || project || process.cwd()])].filter((folder) => folder !== '');
  const all = folders.flatMap((folder) => around(folder, actor, env));
  return all.filter((one, i) => all.findIndex(({ state }) => state === one.state) === i);
}

/** The server of the session's project, undefined where its store is here. */
export function serverFor(env: NodeJS.ProcessEnv): ServerSetting | undefined {
  return serverSetting(
    env,
    () => placesOf(locateRepository(env.CLAUDE_PROJECT_DIR || process.cwd(), env)).state,
  );
}

function around(folder: string, actor: string, env: NodeJS.ProcessEnv): readonly Surroundings[] {
  const repo = located(folder, env);
  if (repo === undefined || !hasStore(placesOf(repo).state, env)) return [];
  const { top, state } = placesOf(repo);
  const one: Surroundings = {
    top,
    state,
    secrets: join(stateHome(env), 'countersign'),
    actor,
    env,
    serves: (other) => {
      const found = located(other, env);
      return found !== undefined && placesOf(found).state === state;
    },
    stamp: () => stampOf(storePath(repo)),
    async look(task) {
      const store = await openStore(repo, env);
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
  return [one];
}

function located(folder: string, env: NodeJS.ProcessEnv) {
  try {
    return locateRepository(folder, env);
  } catch {
    return undefined;
  }
}

let looks = 0;

/** Sizes and times of the store's files: every commit grows the log beside it, or begins it anew. A database has none. */
function stampOf(path: string): string {
  if (!existsSync(path) || existsSync(join(dirname(path), 'store.json'))) return `${process.pid}-${++looks}`;
  const files = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return files
    .map((file) => (file === undefined ? '-' : `${file.ino}:${file.size}:${file.mtimeNs}`))
    .join(' ');
}
