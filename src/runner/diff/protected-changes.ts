import type { ChangedText } from './changed-text.ts';
import type { Finding } from './finding.ts';
import { lockRepeats, type ManifestChange, newSources, packageChange } from './manifest.ts';
import { isProtectedPath, protectedPatterns } from './protected.ts';
import { cargo, pyproject, sectionChange } from './sections.ts';

/** Of each lockfile the manifests that it follows. */
const locks: readonly [lock: RegExp, manifest: RegExp][] = [
  [/^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/, /^package\.json$/],
  [/^(poetry\.lock|uv\.lock|Pipfile\.lock)$/, /^(pyproject\.toml|Pipfile)$/],
  [/^Cargo\.lock$/, /^Cargo\.toml$/],
  [/^go\.sum$/, /^go\.mod$/],
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

/** The protected paths that changed. Default patterns leave manifests and the lockfiles that follow them some freedom. */
export function protectedFindings(
  texts: readonly ChangedText[],
  kind: string,
  patterns: readonly string[] = protectedPatterns,
): readonly Finding[] {
  const isDefault = patterns === protectedPatterns;
  return texts.flatMap((text): readonly Finding[] => {
    if (!isProtectedPath(text.path, patterns)) return [];
    const because = isDefault ? guardedIn(text, texts, kind) : 'the criteria protect it';
    if (because === '') return [];
    const message = `${JSON.stringify(text.path)} is protected: ${because}`;
    return [{ reason: 'protected-path', path: text.path, message, signable: true }];
  });
}

function guardedIn(text: ChangedText, texts: readonly ChangedText[], kind: string): string {
  if (text.status === 'type-changed') return 'it became another kind of file';
  const manifest = manifestChange(text, kind);
  if (manifest !== undefined) return manifest.guarded;
  const lock = locks.find(([name]) => name.test(nameOf(text.path)));
  if (lock === undefined) return `it was ${text.status}`;
  const sources = newSources(text.before, text.after);
  if (sources.length > 0) return `it fetches from ${sources.slice(0, 3).join(', ')}`;
  const followed = texts.some(
    (other) => lock[1].test(nameOf(other.path)) && (manifestChange(other, kind)?.dependencies ?? true),
  );
  if (followed && text.status !== 'deleted') return '';
  return lockRepeats(text.before, text.after) ? '' : 'it changed, and no dependency did';
}
