import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Watches what was installed: a package that mends itself while it is used is not the one that was packed. */
export interface OwnFiles {
  /** Looks once more; the first look is what all others are compared with. */
  look(): void;
  /** The first path that was found to be another; '' while all is as at the first look. */
  changed(): string;
}

/** Watches everything below a folder but the caches that tools keep in node_modules/.cache. */
export function watchFiles(folder: string): OwnFiles {
  let first: ReadonlyMap<string, string> | undefined;
  let found = '';
  return {
    look() {
      const now = statesBelow(folder);
      first ??= now;
      if (found === '') found = difference(first, now);
    },
    changed: () => found,
  };
}

function difference(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string {
  const paths = [...before.keys(), ...now.keys()];
  return paths.find((path) => before.get(path) !== now.get(path)) ?? '';
}

function statesBelow(folder: string): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  const queue = [''];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const name of namesIn(join(folder, at))) {
      const path = join(at, name);
      const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
      if (path === '.cache' || stat === undefined) continue;
      if (stat.isDirectory()) queue.push(path);
      // Every write shows in the change time, whatever other times are set; that of a folder changes with a cache too.
      states.set(path, `${stat.dev} ${stat.ino} ${stat.isDirectory() ? '' : stat.ctimeNs}`);
    }
  }
  return states;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
