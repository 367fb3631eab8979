import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Surroundings } from './surroundings.ts';

/** What is not for an agent's hands: the store and the credentials never, rules and hooks not while it works on an item. */
export type Guarded = 'store' | 'credentials' | 'criteria' | 'hooks';

type Places = Pick<Surroundings, 'top' | 'state' | 'secrets' | 'env'>;

/** What a path belongs to, links resolved; undefined where it is nothing of ours. */
export function guardedBy(path: string, cwd: string, places: Places): Guarded | undefined {
  const real = realOf(resolve(cwd, homed(path, places.env)));
  if (isInside(real, places.state)) return 'store';
  if (isInside(real, places.secrets)) return 'credentials';
  const inTree = relative(places.top, real);
  if (inTree === '.countersign' || inTree.startsWith('.countersign/')) return 'criteria';
  return HOOK_FILES.test(inTree) || isOwnSettings(real, places) ? 'hooks' : undefined;
}

/** Files of the working tree that say which hooks, servers and agents there are. */
const HOOK_FILES = /^(\.claude\/(settings(\.local)?\.json|agents\/countersign-[^/]+)|\.mcp\.json)$/;

/** Settings of the user, which can switch off what the project says. */
const isOwnSettings = (real: string, { env }: Places) =>
  real === join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude'), 'settings.json');

const homed = (path: string, env: NodeJS.ProcessEnv) =>
  /^~(?=\/|$)/.test(path) ? `${env.HOME ?? ''}${path.slice(1)}` : path;

function isInside(path: string, folder: string): boolean {
  const way = relative(realOf(folder), path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/** With links resolved as far as the path exists: what is about to be made lies where its folder lies. */
function realOf(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch {
      if (dirname(at) === at) return path;
      missing.unshift(basename(at));
    }
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
