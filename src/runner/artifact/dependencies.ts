import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMapping, needsOf, readManifest } from './manifest.ts';

type Packages = Readonly<Record<string, unknown>>;

/** Where the dependencies of one package lie, and where they go. */
export interface Source {
  /** The top of the tree: lockfile and node_modules. */
  readonly tree: string;
  /** Of the packed package below the tree; '' is its top. */
  readonly directory: string;
  /** The folder that will hold node_modules. */
  readonly place: string;
}

/**
 * Copies what an installation without development brings along, each package in the version that the lockfile names,
 * from what the set-up has installed: without the network and without development dependencies. `bundled` names what
 * the tarball brings itself. A text says why this cannot be told; undefined when all is there.
 */
export async function copyDependencies(
  source: Source,
  manifest: Packages,
  bundled: ReadonlySet<string>,
): Promise<string | undefined> {
  const wanted = wantsOf(manifest, source.directory).filter(({ name }) => !bundled.has(name));
  if (wanted.length === 0) return undefined;
  const locked = await lockedPackages(source.tree);
  if (locked === undefined)
    return 'the package has dependencies, and there is no npm lockfile that names their places';
  const done = new Set<string>();
  const queue = [...wanted];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = resolve(locked, next.at, next.name) ?? '';
    if (done.has(key)) continue;
    const entry = locked[key];
    const copied = key === '' ? 'not named' : await copyOne(source, key, entry);
    if (copied !== 'done') {
      if (copied !== 'other' && next.need === 'optional') continue;
      return `${next.name} is not there as the lockfile names it (${copied})`;
    }
    done.add(key);
    queue.push(...wantsOf(entry, key));
  }
  return undefined;
}

const wantsOf = (entry: unknown, at: string): readonly Want[] =>
  isMapping(entry) ? [...needsOf(entry)].map(([name, need]) => ({ name, need, at })) : [];

interface Want {
  readonly name: string;
  readonly need: 'needed' | 'optional';
  /** The place in the lockfile from where it is looked for. */
  readonly at: string;
}

async function lockedPackages(tree: string): Promise<Packages | undefined> {
  for (const name of ['npm-shrinkwrap.json', 'package-lock.json']) {
    try {
      const lock: unknown = JSON.parse(await readFile(join(tree, name), 'utf8'));
      if (isMapping(lock) && isMapping(lock.packages)) return lock.packages;
    } catch {
      // The other name may be there.
    }
  }
  return undefined;
}

/** Looks from a folder upwards, as Node does. */
function resolve(locked: Packages, from: string, name: string): string | undefined {
  for (let at = from; ; at = above(at)) {
    const key = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (Object.hasOwn(locked, key)) return key;
    if (at === '') return undefined;
  }
}

function above(at: string): string {
  const inModules = at.lastIndexOf('/node_modules/');
  if (inModules >= 0) return at.slice(0, inModules);
  if (at.startsWith('node_modules/')) return '';
  return at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '';
}

async function copyOne(
  { tree, directory, place }: Source,
  key: string,
  entry: unknown,
): Promise<'done' | 'absent' | 'other'> {
  // A link leads to a package of the same repository: it has no version that a lockfile vouches for.
  if (!isMapping(entry) || entry.link === true || !isInside(key)) return 'other';
  const from = join(tree, key);
  const found = await readManifest(from);
  if (typeof found === 'string') return 'absent';
  if (found.version !== entry.version) return 'other';
  const below = directory !== '' && key.startsWith(`${directory}/`) ? key.slice(directory.length + 1) : key;
  const to = join(place, below);
  if (existsSync(to)) return 'other';
  // What lies below it has a line of its own in the lockfile.
  const inner = join(from, 'node_modules');
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path !== inner,
  });
  return 'done';
}

const isInside = (key: string) =>
  key.split('/').every((name) => name !== '..' && name !== '.' && name !== '');
