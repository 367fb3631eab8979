import type { BaseFiles } from '../change.ts';
import { asMapping, parseMapping } from '../parsers/json.ts';
import { fileAt, folderOf, joined, type Listing } from './listing.ts';

/** What base's manifests hand out: the product begins there. */
export interface Entries {
  has(path: string): boolean;
  readonly files: readonly string[];
}

const keys = ['main', 'module', 'browser', 'exports', 'bin', 'types', 'typings', 'svelte', 'man'];

/** The files that manifests name as entries, and those below the folders that are published. */
export async function entriesOf(base: BaseFiles, listing: Listing): Promise<Entries> {
  const manifests = [...listing.paths].filter(isManifest);
  const [files, folders] = [new Set<string>(), new Set<string>()];
  for (const [path, bytes] of await base.read(manifests)) {
    const folder = folderOf(path);
    const manifest = mappingOf(bytes.toString('utf8'));
    const named = keys.flatMap((key) => textsIn(manifest[key]));
    for (const text of [...named, 'index']) {
      const file = fileAt(joined(folder, text), listing);
      if (file !== undefined) files.add(file);
    }
    for (const text of textsIn(manifest.files)) {
      const place = joined(folder, text.replace(/\/?\*+(?:\/\*+)?$/, ''));
      if (listing.paths.has(place)) files.add(place);
      else if (place !== '' && place !== folder && listing.folders.has(place)) folders.add(`${place}/`);
    }
  }
  const has = (path: string) => files.has(path) || [...folders].some((folder) => path.startsWith(folder));
  return { has, files: [...files] };
}

/** Whether a path is a package.json of the repository's own. */
export const isManifest = (path: string): boolean =>
  /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path);

/** Every text in a value, however deep. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

export function mappingOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return asMapping(parseMapping(text)) ?? {};
  } catch {
    return {};
  }
}
