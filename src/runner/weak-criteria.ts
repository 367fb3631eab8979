import type { Criteria } from './criteria.ts';
import { weakPoints } from './weak-points.ts';

/** The weak points of criteria, by what their checks are. */
export function weakPointsOf({ checks, tier }: Criteria): readonly string[] {
  const found: string[] = [];
  const isTold = checks.some(
    (check) => check.kind === 'tests' || (check.kind === 'command' && check.format !== 'exit'),
  );
  if (!isTold)
    for (const check of checks)
      if (check.kind === 'command') found.push(weakPoints.exitOnly(JSON.stringify(check.id)));
  const artifacts = checks.filter((check) => check.kind === 'artifact');
  if (artifacts.some(({ examples }) => examples === '')) found.push(weakPoints.noExamples);
  if (tier === 'strict' && isTold && artifacts.length === 0) found.push(weakPoints.noArtifact);
  return found;
}
