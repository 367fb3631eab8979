import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from './engine/engine-error.ts';

/** The server that this clone works with, beside where its own store would be. */
export interface ServerSetting {
  readonly url: string;
  /** The person who works here, '' where none was named. */
  readonly person: string;
}

const NAME = 'server.json';

/** COUNTERSIGN_URL, else what `connect` wrote down; undefined where the store is in this clone itself. Throws BAD_CONFIG. */
export function serverSetting(env: NodeJS.ProcessEnv, state: () => string): ServerSetting | undefined {
  const { COUNTERSIGN_URL: url = '', COUNTERSIGN_PERSON: person = '' } = env;
  if (url !== '') return { url, person };
  const path = folderOf(state);
  const text = path === undefined ? undefined : readIf(join(path, NAME));
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text) as ServerSetting;
    return { url: String(kept.url), person: person || String(kept.person ?? '') };
  } catch (cause) {
    const hint = 'run: countersign connect URL, or: countersign disconnect';
    throw new EngineError('BAD_CONFIG', `${path}/${NAME} cannot be read`, hint, { cause });
  }
}

export function keepSetting(state: string, setting: ServerSetting): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const draft = join(state, `${NAME}.${process.pid}.part`);
  writeFileSync(draft, `${JSON.stringify(setting)}\n`, { mode: 0o600 });
  renameSync(draft, join(state, NAME));
}

export const dropSetting = (state: string): void => rmSync(join(state, NAME), { force: true });

/** Outside of a repository there is none. */
function folderOf(state: () => string): string | undefined {
  try {
    return state();
  } catch {
    return undefined;
  }
}

function readIf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
