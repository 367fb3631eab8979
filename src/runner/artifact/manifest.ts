import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Mapping = Readonly<Record<string, unknown>>;

/** What of a package.json decides what a consumer gets. Texts are '' where they are missing. */
export interface Manifest {
  readonly raw: Mapping;
  readonly name: string;
  readonly version: string;
  /** Path of each program by its name. */
  readonly bins: ReadonlyMap<string, string>;
}

/** The manifest of a folder; a text says why there is none that can be used. Never throws. */
export async function readManifest(folder: string): Promise<Manifest | string> {
  let raw: unknown;
  try {
    raw = JSON.parse((await readFile(join(folder, 'package.json'), 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return missing ? 'there is no package.json' : 'package.json cannot be read';
  }
  if (!isMapping(raw)) return 'package.json is no mapping';
  const name = textOf(raw.name);
  return { raw, name, version: textOf(raw.version), bins: binsOf(raw.bin, name) };
}

/** The form of a name under which npm takes a package; it also keeps the package inside its folder. */
export const isPackageName = (name: string): boolean =>
  /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i.test(name) &&
  name.length <= 214 &&
  name !== 'node_modules';

function binsOf(bin: unknown, name: string): ReadonlyMap<string, string> {
  if (typeof bin === 'string') return new Map([[name.slice(name.indexOf('/') + 1), bin]]);
  const entries = isMapping(bin) ? Object.entries(bin) : [];
  return new Map(
    entries.flatMap(([key, path]) =>
      typeof path === 'string' ? [[key.slice(key.lastIndexOf('/') + 1), path]] : [],
    ),
  );
}

/** How a program can come to an entry. `any`: by require, and by import where the package asks for it. */
export type Way = 'any' | 'require' | 'import';

/** Both ways where a package gives different files to the two: consumers of either must get what was claimed. */
export function waysTo({ raw }: Manifest, entry: string): readonly Way[] {
  const { exports } = raw;
  const byEntry = isMapping(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const target = byEntry ? exports[`.${entry}`] : entry === '' ? exports : undefined;
  const [required, imported] = [targetOf(target, 'require'), targetOf(target, 'import')];
  const both = required !== undefined && imported !== undefined;
  return both && required !== imported ? ['require', 'import'] : ['any'];
}

/** The file that conditional exports name, as Node chooses it: the first condition in the order of the manifest. */
function targetOf(target: unknown, condition: 'require' | 'import'): string | undefined {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return targetOf(target[0], condition);
  if (!isMapping(target)) return undefined;
  const held = Object.entries(target).filter(([name]) => name === condition || always.has(name));
  return held.map(([, inner]) => targetOf(inner, condition)).find((found) => found !== undefined);
}

const always: ReadonlySet<string> = new Set(['node', 'node-addons', 'module-sync', 'default']);

/** Names of the packages that an installation without development brings along, and whether it can do without. */
export function needsOf(raw: Mapping): ReadonlyMap<string, 'needed' | 'optional'> {
  const of = (key: string) => (isMapping(raw[key]) ? Object.keys(raw[key]) : []);
  const meta = isMapping(raw.peerDependenciesMeta) ? raw.peerDependenciesMeta : {};
  const needs = new Map<string, 'needed' | 'optional'>();
  for (const name of of('peerDependencies')) {
    const about = meta[name];
    // npm brings a peer along unless it is optional; an optional one may be absent, so here it is.
    if (!isMapping(about) || about.optional !== true) needs.set(name, 'needed');
  }
  for (const name of of('dependencies')) needs.set(name, 'needed');
  for (const name of of('optionalDependencies')) needs.set(name, 'optional');
  return needs;
}

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
