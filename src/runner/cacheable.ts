import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that can change what an installer writes in ways that no lockfile tells. */
const programmable = [
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  'pnpmfile.js',
  'pnpm-workspace.yaml',
  '.yarn',
  '.yarnrc',
  '.yarnrc.yml',
];

const local = /\b(file|link|patch|portal|workspace|exec|directory):|patchedDependencies|"workspaces"/i;

/** Settings of .npmrc that do not choose what is installed, or choose only where a lockfile's digest is fetched from. */
const harmless =
  /^(@[^:/]+:registry|registry|\/\/.*|fetch-[a-z-]+|save-exact|save-prefix|fund|audit|engine-strict|legacy-peer-deps|loglevel|package-lock)$/;

/**
 * Whether the lockfile and the manifests decide alone what an installer writes, so that the modules of another commit
 * with the same ones are the same. False in doubt: a fresh installation is never wrong.
 */
export async function isCacheable(checkout: string, lockfile: string): Promise<boolean> {
  if (programmable.some((name) => existsSync(join(checkout, name)))) return false;
  try {
    const [manifest, lock, npmrc] = await Promise.all([
      readFile(join(checkout, 'package.json'), 'utf8'),
      readFile(join(checkout, lockfile), 'utf8'),
      existsSync(join(checkout, '.npmrc')) ? readFile(join(checkout, '.npmrc'), 'utf8') : '',
    ]);
    return fetchesByManifest(JSON.parse(manifest)) && fetchesByLock(lock, lockfile) && isHarmless(npmrc);
  } catch {
    return false;
  }
}

function fetchesByManifest(manifest: unknown): boolean {
  // Written anew, so that an escaped letter hides nothing.
  if (typeof manifest !== 'object' || manifest === null || local.test(JSON.stringify(manifest))) return false;
  return Object.entries(manifest)
    .filter(([key]) => /dependencies$|^resolutions$/i.test(key))
    .flatMap(([, found]) => Object.values(found ?? {}))
    .every((version) => typeof version !== 'string' || !/^([./~\\]|[a-z]:[/\\])/i.test(version.trim()));
}

function fetchesByLock(lock: string, lockfile: string): boolean {
  // Other formats are searched as text, in which a backslash could hide a word.
  if (!lockfile.endsWith('.json')) return !local.test(lock) && !lock.includes('\\');
  const { packages } = JSON.parse(lock) as { packages?: Readonly<Record<string, unknown>> };
  return (
    typeof packages === 'object' &&
    Object.entries(packages).every(([path, entry]) => path === '' || isFetched(path, entry))
  );
}

function isFetched(path: string, entry: unknown): boolean {
  if (!path.startsWith('node_modules/') || typeof entry !== 'object' || entry === null) return false;
  const { resolved, integrity, link, inBundle } = entry as Readonly<Record<string, unknown>>;
  if (link !== undefined) return false;
  if (resolved === undefined) return inBundle === true;
  return typeof resolved === 'string' && /^https?:/.test(resolved) && typeof integrity === 'string';
}

const isHarmless = (npmrc: string) =>
  npmrc
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line))
    .every((line) => harmless.test(line.split('=')[0]?.trim() ?? ''));
