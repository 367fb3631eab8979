import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Surroundings } from './surroundings.ts';

/** What is not for an agent's hands: the store and the credentials never, rules and hooks not while it works on an item. */
export type Guarded = 'store' | 'credentials' | 'criteria' | 'hooks';

type Places = Pick<Surroundings, 'top' | 'state' | 'secrets' | 'env'>;

/** What a path belongs to, links resolved; undefined where it is nothing of ours. */
export function guardedBy(path: string, cwd: string, places: Places): Guarded | undefined {
  const real = realOf(resolve(cwd, homed(path, places.env)), places);
  if (isInside(real, places.state, places)) return 'store';
  if (isInside(real, places.secrets, places)) return 'credentials';
  return inTree(relative(places.top, real)) ?? inOtherTree(real, places);
}

/** The same for a path that goes with everything below it: also where a guarded place lies below. */
export function guardedWith(path: string, cwd: string, places: Places): Guarded | undefined {
  const { top, state, secrets, env } = places;
  const real = realOf(resolve(cwd, homed(path, env)), places);
  const holds = (place: string) => isInside(realOf(place, places), real, places);
  if (holds(state)) return 'store';
  if (holds(secrets)) return 'credentials';
  if (holds(join(top, '.countersign'))) return 'criteria';
  if (holds(join(top, '.claude')) || real === join(top, '.claude/agents')) return 'hooks';
  return guardedBy(path, cwd, places);
}

/** Rules and hooks of a working tree, by the way from its top. */
function inTree(way: string): Guarded | undefined {
  if (way === '.countersign' || way.startsWith('.countersign/')) return 'criteria';
  return HOOK_FILES.test(way) ? 'hooks' : undefined;
}

/** Files of the working tree that say which hooks, servers and agents there are. */
const HOOK_FILES = /^(\.claude\/(settings(\.local)?\.json|agents\/countersign-[^/]+)|\.mcp\.json)$/;
/** Paths that could be one of these in some working tree. */
const ENDS_LIKE_OURS = /\/(\.countersign(\/.*)?|\.claude\/(settings[^/]*|agents\/[^/]+)|\.mcp\.json)$/;

/** The other working trees of the repository, and the settings of the user, which can switch off what a project says. */
function inOtherTree(real: string, places: Places): Guarded | undefined {
  if (isOwnSettings(real, places)) return 'hooks';
  if (!ENDS_LIKE_OURS.test(real)) return undefined;
  for (const top of otherTops(dirname(places.state))) {
    const kind = inTree(relative(realOf(top, places), real));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Tops of the working trees that share this git folder, as git itself notes them. */
function otherTops(commonDir: string): readonly string[] {
  const linked = attempt(() => readdirSync(join(commonDir, 'worktrees'))).flatMap((name) =>
    attempt(() => [dirname(readFileSync(join(commonDir, 'worktrees', name, 'gitdir'), 'utf8').trim())]),
  );
  return basename(commonDir) === '.git' ? [dirname(commonDir), ...linked] : linked;
}

function attempt(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

const isOwnSettings = (real: string, { env }: Places) =>
  real === join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude'), 'settings.json');

const homed = (path: string, env: NodeJS.ProcessEnv) =>
  /^~(?=\/|$)/.test(path) ? `${env.HOME ?? ''}${path.slice(1)}` : path;

function isInside(path: string, folder: string, places: Places): boolean {
  const way = relative(realOf(folder, places), path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/** The longest path that a file can have. */
const LONGEST = 4096;
/** What was found of paths already: a long line names the same folders again and again. */
const KNOWN = new WeakMap<object, Map<string, string>>();

/** With links resolved as far as the path exists: what is about to be made lies where its folder lies. */
export function realOf(path: string, places: Places): string {
  if (path.length > LONGEST) return path;
  const known = KNOWN.get(places) ?? new Map<string, string>();
  KNOWN.set(places, known);
  const missing: string[] = [];
  let at = path;
  let real = known.get(at) ?? existing(at);
  while (real === undefined && dirname(at) !== at) {
    missing.unshift(at);
    at = dirname(at);
    real = known.get(at) ?? existing(at);
  }
  let found = real ?? at;
  known.set(at, found);
  for (const folder of missing) {
    found = join(found, basename(folder));
    known.set(folder, found);
  }
  return found;
}

function existing(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Why it may not be changed, and what to do instead. */
export const REASONS: { readonly [kind in Guarded]: string } = {
  store:
    'The store of Countersign is written by Countersign alone. Use its tools or commands: countersign next names the next step.',
  credentials:
    'Tokens and keys of Countersign are not for this session. Act by the actor that you were given.',
  criteria:
    'The criteria and settings of Countersign are not changed while you work on an item: they are read from the default branch, so a change here would not count. Propose the change to a person.',
  hooks:
    'Hooks, servers and agents of this project are not changed while you work on an item. A person changes them between items.',
};
