import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/**
 * The paths that do not hold the same in two commits, in the order asked. A commit that is not there holds nothing.
 * One git process, whatever the number of paths. Throws GIT_FAILED.
 */
export function differing(
  repo: Repository,
  one: string,
  other: string,
  paths: readonly string[],
): readonly string[] {
  // A line break would ask about something else than the path.
  const asked = paths.filter((path) => !path.includes('\n'));
  if (asked.length === 0) return paths;
  const input = asked.map((path) => `${one}:${path}\n${other}:${path}\n`).join('');
  const lines = runGit(repo, ['cat-file', '--batch-check=%(objectname)'], { input })
    .toString('utf8')
    .split('\n');
  // Git answers "NAME missing" for what is not there: both sides then have to be missing.
  const oid = (line: string) => (/^[0-9a-f]{40,64}$/.test(line) ? line : '');
  const places = new Map(asked.map((path, at) => [path, at]));
  return paths.filter((path) => {
    const at = places.get(path) ?? -1;
    return at < 0 || oid(lines[2 * at] ?? '') !== oid(lines[2 * at + 1] ?? '');
  });
}
