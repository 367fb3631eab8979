import { isDeepStrictEqual } from 'node:util';
import { matchesGlob } from '../glob.ts';
import { asMapping, asText, type Json, parseMapping } from '../parsers/json.ts';
import { isRegistryUrl, knownOrigins } from './registry.ts';

/** One package of a lockfile of npm: where it is put, and what is said about it. */
interface Entry {
  readonly place: string;
  readonly name: string;
  readonly said: Json;
}

/**
 * Entries of package-lock.json and npm-shrinkwrap.json that are new or changed and do not come from a registry under
 * their own names: folders and archives of the commit, links, addresses. `workspaces` are the patterns of base's
 * manifest; a package of the repository may be linked as long as it takes the place of none that base fetched.
 */
export function foreignEntries(
  before: string,
  after: string,
  workspaces: readonly string[],
): readonly string[] {
  const now = entriesOf(after);
  if (now === undefined) return ['what is no JSON'];
  const known = knownIn(entriesOf(before) ?? []);
  const changed = now.filter(({ place, said }) => !isDeepStrictEqual(known.places.get(place), said));
  return changed.flatMap((entry): readonly string[] => {
    const folder = folderOf(entry);
    const why =
      folder === undefined ? sourceProblem(entry, known) : localProblem(entry, folder, known, workspaces);
    return why === '' ? [] : [`${JSON.stringify(entry.place)} ${why}`];
  });
}

/** What base's lockfile says, by what is asked about it. */
interface Known {
  readonly places: ReadonlyMap<string, Json>;
  readonly origins: ReadonlySet<string>;
  /** Names with what base fetched for them: their other names and their addresses. */
  readonly fetched: ReadonlyMap<string, ReadonlySet<unknown>>;
}

function knownIn(entries: readonly Entry[]): Known {
  const fetched = new Map<string, Set<unknown>>();
  for (const entry of entries) {
    if (folderOf(entry) !== undefined) continue;
    const { name, said } = entry;
    fetched.set(name, (fetched.get(name) ?? new Set()).add(said.name).add(said.resolved));
  }
  return {
    places: new Map(entries.map(({ place, said }) => [place, said])),
    origins: knownOrigins(entries.map(({ name, said }) => ({ name, url: asText(said.resolved) ?? '' }))),
    fetched,
  };
}

/** The folder of the repository that an entry is; undefined for what is fetched. */
function folderOf({ place, name, said }: Entry): string | undefined {
  if (said.link === true) return asText(said.resolved) ?? '';
  const version = asText(said.version) ?? '';
  if (version.startsWith('file:') && !version.endsWith('gz')) return version.slice('file:'.length);
  return name === '' ? place : undefined;
}

function localProblem(
  { place, name }: Entry,
  folder: string,
  { places, fetched }: Known,
  workspaces: readonly string[],
): string {
  if (!isWorkspace(folder, workspaces))
    return folder === place
      ? 'is a folder of the commit'
      : `is the folder ${JSON.stringify(folder)} of the commit`;
  const was = places.get(place);
  const same = was !== undefined && folderOf({ place, name, said: was }) === folder;
  return !same && name !== '' && fetched.has(name)
    ? `is the folder ${JSON.stringify(folder)} in place of a package`
    : '';
}

const isWorkspace = (folder: string, workspaces: readonly string[]) =>
  !/(^|\/)(\.\.|node_modules)(\/|$)/.test(folder) &&
  workspaces.some((pattern) => matchesGlob(folder, pattern.replace(/^\.\//, '').replace(/\/+$/, '')));

function sourceProblem({ name, said }: Entry, { origins, fetched }: Known): string {
  const [version, resolved] = [asText(said.version) ?? '', said.resolved];
  // In the older form the version is the source of what does not come from a registry.
  if (/[:/]/.test(version)) return `comes from ${version.slice(0, 120)}`;
  const had = fetched.get(name);
  if (resolved === undefined || resolved === false || had?.has(resolved) === true) return '';
  const url = asText(resolved) ?? '';
  if (isRegistryUrl(url, name, origins)) return '';
  // Another package under this name: what brings it may call it so, as long as it replaces none that base has.
  const alias = asText(said.name) ?? '';
  const mayBe = had === undefined || had.has(alias);
  return mayBe && isRegistryUrl(url, alias, origins) ? '' : `comes from ${url.slice(0, 120)}`;
}

/** undefined when the text is no JSON mapping; the root, which repeats the manifest, is left out. */
function entriesOf(text: string): readonly Entry[] | undefined {
  const lock = mappingOf(text);
  if (lock === undefined) return undefined;
  const packages = Object.entries(asMapping(lock.packages) ?? {}).filter(([place]) => place !== '');
  return [
    ...packages.map(([place, said]) => ({
      place,
      name: /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1] ?? '',
      said: asMapping(said) ?? { version: 'a:' },
    })),
    ...nested(asMapping(lock.dependencies) ?? {}, ''),
  ];
}

/** The older form: packages within packages. */
function nested(dependencies: Json, within: string): readonly Entry[] {
  return Object.entries(dependencies).flatMap(([name, value]) => {
    const { dependencies: inner, requires: _requires, ...said } = asMapping(value) ?? { version: 'a:' };
    const place = `${within}${name}`;
    return [{ place, name, said }, ...nested(asMapping(inner) ?? {}, `${place} > `)];
  });
}

function mappingOf(text: string): Json | undefined {
  try {
    return parseMapping(text);
  } catch {
    return undefined;
  }
}

/** The patterns of a manifest's workspaces; none where it has none. */
export function workspacesOf(manifest: string): readonly string[] {
  const given = mappingOf(manifest)?.workspaces;
  const list = Array.isArray(given) ? given : asMapping(given)?.packages;
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
}
