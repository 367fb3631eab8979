import type { ArtifactCheck } from './checks/artifact.ts';
import type { CheckSpec } from './checks/index.ts';
import { type Criteria, ITEM_ACCEPTANCE } from './criteria.ts';

/** What a run will do, in order. `because` says why there is nothing to do, '' otherwise. */
export interface Plan {
  readonly checks: readonly CheckSpec[];
  readonly because: string;
}

/**
 * The checks in the order of the file: a later one may look at what an earlier one wrote. Examples that came with the
 * item are judged whether the criteria ask for it or not.
 */
export function planChecks(criteria: Criteria, kind: string, hasExamples: boolean): Plan {
  const { name, checks, appliesTo } = criteria;
  if (!appliesTo.includes(kind))
    return { checks: [], because: `the criteria ${name} do not apply to items of kind ${kind}` };
  if (checks.length === 0) return { checks: [], because: `the criteria ${name} have no checks` };
  const judged = !hasExamples || checks.some((check) => check.kind === 'artifact');
  return { checks: judged ? checks : [...checks, ofItem], because: '' };
}

const ofItem: ArtifactCheck = {
  id: ITEM_ACCEPTANCE,
  kind: 'artifact',
  pack: 'npm',
  examples: '',
  directory: '',
  timeoutMs: 20_000,
  maxOutput: 10_000_000,
};
