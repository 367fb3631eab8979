import { isDeepStrictEqual } from 'node:util';
import { asMapping, type Json, parseMapping } from '../parsers/json.ts';
import type { ChangedText } from './changed-text.ts';

/** What a change of a manifest amounts to. */
export interface ManifestChange {
  /** What in it is protected, '' when nothing is. */
  readonly guarded: string;
  /** Whether it asks for other packages. */
  readonly dependencies: boolean;
  /** Whether something is new that whoever installs the package gets. */
  readonly product: boolean;
}

const asking = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'optionalDependencies',
  'bundleDependencies',
  'bundledDependencies',
  'overrides',
  'resolutions',
];
// biome-ignore format: one line for each kind of key
const product = [
  'type', 'main', 'module', 'types', 'typings', 'typesVersions', 'browser', 'exports', 'imports', 'bin', 'man', 'files', 'directories',
  'sideEffects', 'engines', 'os', 'cpu', 'unpkg', 'jsdelivr', 'style', 'sass', 'svelte', 'react-native',
];
// biome-ignore format: one line for each kind of key
const words = [
  'name', 'version', 'description', 'keywords', 'homepage', 'bugs', 'license', 'licenses', 'author', 'contributors', 'maintainers', 'funding',
  'repository', 'private', 'publishConfig',
];

/**
 * Looks into the keys of package.json: words, versions and what consumers get are the builder's; scripts, tools'
 * settings and every key that is not known are not. Packages from elsewhere than the registry are not either: a test
 * runner can be replaced that way.
 */
export function packageChange(
  { before, after, status }: ChangedText,
  dependenciesAreFree: boolean,
): ManifestChange {
  const [old, now] = [status === 'added' ? {} : mappingOf(before), mappingOf(after)];
  if (old === undefined || now === undefined)
    return { guarded: 'it is removed or no JSON', dependencies: false, product: false };
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (key) => !isDeepStrictEqual(old[key], now[key]),
  );
  const asks = changed.filter((key) => asking.includes(key));
  const guarded = changed.filter(
    (key) => !asking.includes(key) && !product.includes(key) && !words.includes(key),
  );
  if (!dependenciesAreFree) guarded.push(...asks);
  const foreign = asks.flatMap((key) => foreignIn(old[key], now[key]).map((name) => `${key}: ${name}`));
  return {
    guarded: [...guarded, ...foreign].slice(0, 6).join(', '),
    dependencies: asks.length > 0,
    product: asks.length > 0 || changed.some((key) => product.includes(key)),
  };
}

/** Names that are new or changed and do not come from the registry under their own name. */
function foreignIn(old: unknown, now: unknown): readonly string[] {
  const [before, after] = [asMapping(old) ?? {}, asMapping(now) ?? {}];
  return Object.entries(after).flatMap(([name, spec]) => {
    if (isDeepStrictEqual(before[name], spec)) return [];
    if (typeof spec === 'string') return isForeign(spec) ? [name] : [];
    return foreignIn(before[name], spec).map((inner) => `${name} > ${inner}`);
  });
}

const isForeign = (spec: string) => /[:/]/.test(spec) && !/^(workspace|catalog):[^/]*$/.test(spec);

/** The lockfile of a package is free when only what it repeats of package.json changed. */
export function lockRepeats(before: string, after: string): boolean {
  const [old, now] = [mappingOf(before), mappingOf(after)];
  return old !== undefined && now !== undefined && isDeepStrictEqual(withoutRoot(old), withoutRoot(now));
}

function withoutRoot(lock: Json): Json {
  const { name: _name, version: _version, packages, ...rest } = lock;
  const { '': root, ...others } = asMapping(packages) ?? {};
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = asMapping(root) ?? {};
  return { ...rest, others, root: { dependencies, devDependencies, optionalDependencies, peerDependencies } };
}

function mappingOf(text: string): Json | undefined {
  try {
    return parseMapping(text);
  } catch {
    return undefined;
  }
}
