import type { CheckSpec } from './checks/index.ts';
import type { Criteria } from './criteria.ts';
import { weakPoints } from './weak-points.ts';

/** The weak points of criteria, by what their checks are. */
export function weakPointsOf({ checks, tier }: Criteria): readonly string[] {
  const found: string[] = [];
  const isTold = checks.some(runsTests);
  if (!isTold)
    for (const check of checks)
      if (check.kind === 'command') found.push(weakPoints.exitOnly(JSON.stringify(check.id)));
  const first = checks.findIndex(runsTests);
  for (const check of first < 0 ? [] : checks.slice(first + 1))
    if (check.kind === 'command' && check.format === 'exit' && !check.apart)
      found.push(weakPoints.behindTests(JSON.stringify(check.id), JSON.stringify(checks[first]?.id)));
  const artifacts = checks.filter((check) => check.kind === 'artifact');
  if (artifacts.some(({ examples }) => examples === '')) found.push(weakPoints.noExamples);
  if (tier === 'strict' && isTold && artifacts.length === 0) found.push(weakPoints.noArtifact);
  return found;
}

const runsTests = (check: CheckSpec): boolean =>
  check.kind === 'tests' || (check.kind === 'command' && check.format !== 'exit');
