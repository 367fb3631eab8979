import { oidsOf, same } from './covered.ts';
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
  const oids = oidsOf(
    repo,
    paths.flatMap((path) => [`${one}:${path}`, `${other}:${path}`]),
  );
  return paths.filter((path) => !same(oids, `${one}:${path}`, `${other}:${path}`));
}
