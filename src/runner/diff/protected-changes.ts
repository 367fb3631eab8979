import type { BaseFiles } from '../change.ts';
import type { ChangedText } from './changed-text.ts';
import type { Finding } from './finding.ts';
import { foreignEntries, workspacesOf } from './lock-entries.ts';
import { foreignLines } from './lock-lines.ts';
import { foreignTexts } from './lock-texts.ts';
import { lockRepeats, type ManifestChange, packageChange } from './manifest.ts';
import { besideFixtures } from './only-fixtures.ts';
import { onlyGrows } from './only-grows.ts';
import { isProtectedPath, protectedPatterns } from './protected.ts';
import { redirected } from './redirected.ts';
import { cargo, pyproject, sectionChange } from './sections.ts';
import type { Started } from './started/started-files.ts';
import { namesPlugins, takenModule, takenSource } from './taken-modules.ts';
import { newPackages, onlyTakesUp, takenPrograms, withoutOwnScripts } from './workspaces.ts';

/** Of each lockfile the manifests that it follows. */
const locks: readonly [lock: RegExp, manifest: RegExp][] = [
  [/^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/, /^package\.json$/],
  [/^(poetry\.lock|uv\.lock|Pipfile\.lock)$/, /^(pyproject\.toml|Pipfile)$/],
  [/^Cargo\.lock$/, /^Cargo\.toml$/],
  [/^go\.(?:work\.)?sum$/, /^go\.mod$/],
];

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const nothing: ManifestChange = { guarded: '', dependencies: false, product: false };

/** What a change of a manifest amounts to; undefined for a path that is none. Asking for packages is work on code or upkeep. */
export function manifestChange(text: ChangedText, kind: string): ManifestChange | undefined {
  const free = kind === 'code' || kind === 'chore';
  switch (nameOf(text.path)) {
    case 'package.json':
      return packageChange(text, free);
    case 'pyproject.toml':
      return toml(text, free, pyproject);
    case 'Cargo.toml':
      return toml(text, free, cargo);
    case 'go.mod':
      return goChange(text, free);
    default:
      return undefined;
  }
}

function toml(text: ChangedText, free: boolean, rules: typeof cargo): ManifestChange {
  if (text.status === 'deleted') return { ...nothing, guarded: 'it is removed' };
  const { guarded, dependencies } = sectionChange(text.before, text.after, rules);
  const asked = dependencies && !free && guarded === '' ? 'its dependencies' : guarded;
  return { guarded: asked, dependencies, product: dependencies };
}

function goChange({ before, after, status }: ChangedText, free: boolean): ManifestChange {
  if (status === 'deleted') return { ...nothing, guarded: 'it is removed' };
  // A replacement decides where the code of a package comes from.
  const replaced = (text: string) =>
    text.split('\n').filter((line) => /\breplace\b|=>|\bexclude\b/.test(line));
  const same = replaced(before).join('\n') === replaced(after).join('\n');
  const guarded = same ? (free ? '' : 'its requirements') : 'a replacement or an exclusion';
  return { guarded, dependencies: true, product: true };
}

/** What besides the patterns decides about protected paths: what base holds, and what its checks start. */
export interface Surroundings {
  readonly base: BaseFiles;
  readonly started: ReadonlyMap<string, Started>;
  /** Where checks start programs, relative to the checkout. */
  readonly folders?: readonly string[];
}

/**
 * The protected paths that changed, and the files that checks start. Default patterns leave manifests and the lockfiles
 * that follow them some freedom, and tests that are started by name may grow.
 */
export async function protectedFindings(
  texts: readonly ChangedText[],
  kind: string,
  { base, started, folders = [''] }: Surroundings,
  patterns: readonly string[] = protectedPatterns,
): Promise<readonly Finding[]> {
  const isDefault = patterns === protectedPatterns;
  const findings: Finding[] = [];
  const paths = isDefault ? await pathsOfWork(texts, base) : new Set<string>();
  for (const text of texts) {
    const isProtected = isProtectedPath(text.path, patterns);
    let because = startedBecause(text, started.get(text.path));
    if (isDefault) because = takenBecause(text, folders, paths) || because;
    if (isProtected)
      because = isDefault ? await guardedByDefault(text, texts, kind, base) : 'the criteria protect it';
    if (because === '') continue;
    const message = `${JSON.stringify(text.path)} is protected: ${because}`;
    findings.push({ reason: 'protected-path', path: text.path, message, signable: true });
  }
  return findings;
}

/** Where any script is new: what the work holds. */
async function pathsOfWork(texts: readonly ChangedText[], base: BaseFiles): Promise<ReadonlySet<string>> {
  if (!texts.some(({ path, status }) => status === 'added' && /\.[cm]?jsx?$/.test(path))) return new Set();
  const paths = new Set(await base.paths());
  for (const { path, status } of texts)
    if (status === 'deleted') paths.delete(path);
    else paths.add(path);
  return paths;
}

/** What Python and pytest load for their own, and test programs in the place of another source. */
function takenBecause(text: ChangedText, folders: readonly string[], paths: ReadonlySet<string>): string {
  if (namesPlugins(text)) return 'it names plugins for pytest, which decide how every test ends';
  if (text.status !== 'added') return '';
  const taken = takenModule(text.path, folders);
  if (taken !== '') return `whatever Python starts there would load it for its own ${taken}`;
  const source = takenSource(text.path, paths);
  return source === '' ? '' : `tests would load it in the place of ${JSON.stringify(source)}`;
}

function startedBecause(text: ChangedText, started: Started | undefined): string {
  if (started === undefined || text.status === 'added') return '';
  if (!started.mayGrow || text.status !== 'modified') return started.because;
  return onlyGrows(text) ? '' : `${started.because}, and it did not only grow`;
}

const guardedBy = (text: ChangedText, kind: string) => manifestChange(text, kind)?.guarded ?? '';

/** A new conftest.py may bring fixtures. */
const guardedByDefault = (
  text: ChangedText,
  texts: readonly ChangedText[],
  kind: string,
  base: BaseFiles,
): Promise<string> =>
  nameOf(text.path) === 'conftest.py' && text.status === 'added'
    ? besideFixtures(text.after, base)
    : guardedIn(text, texts, kind, base);

async function guardedIn(
  text: ChangedText,
  texts: readonly ChangedText[],
  kind: string,
  base: BaseFiles,
): Promise<string> {
  if (text.status === 'type-changed') return 'it became another kind of file';
  const fresh = await newPackages(texts, base);
  if (nameOf(text.path) === 'package.json') {
    const isFresh = fresh.some(({ folder }) => text.path === `${folder}/package.json`);
    const own = isFresh ? { ...text, after: withoutOwnScripts(text.after) } : text;
    const taken = await takenPrograms(text, base);
    if (taken.length > 0) return `it brings programs of other packages: ${taken.join(', ')}`;
    return redirected(text, texts) || guardedBy(own, kind);
  }
  const manifest = manifestChange(text, kind);
  if (manifest !== undefined) return manifest.guarded;
  const lock = locks.find(([name]) => name.test(nameOf(text.path)));
  if (lock === undefined) return `it was ${text.status}`;
  const sources = text.status === 'deleted' ? [] : await foreignIn(text, base);
  if (sources.length > 0)
    return `it takes packages from elsewhere than a registry: ${sources.slice(0, 3).join(', ')}`;
  const followed = texts.some(
    (other) => lock[1].test(nameOf(other.path)) && (manifestChange(other, kind)?.dependencies ?? true),
  );
  if ((followed && text.status !== 'deleted') || onlyTakesUp(text, fresh)) return '';
  return lockRepeats(text.before, text.after) ? '' : 'it changed, and no dependency did';
}

/** What in a lockfile is new and does not come from a registry. */
async function foreignIn({ path, before, after }: ChangedText, base: BaseFiles): Promise<readonly string[]> {
  switch (nameOf(path)) {
    case 'package-lock.json':
    case 'npm-shrinkwrap.json': {
      const manifest = `${path.slice(0, path.lastIndexOf('/') + 1)}package.json`;
      const bytes = (await base.read([manifest])).get(manifest);
      return foreignEntries(before, after, workspacesOf(bytes?.toString('utf8') ?? ''));
    }
    case 'pnpm-lock.yaml':
    case 'yarn.lock':
    case 'bun.lock':
      return foreignTexts(before, after);
    case 'bun.lockb':
      return ['nobody can read it'];
    default:
      return foreignLines(before, after);
  }
}
