import type { CheckSpec } from './checks/index.ts';
import type { Criteria } from './criteria.ts';

/** What a run will do, in order. `because` says why there is nothing to do, '' otherwise. */
export interface Plan {
  readonly checks: readonly CheckSpec[];
  readonly because: string;
}

/** The checks in the order of the file: a later one may look at what an earlier one wrote. */
export function planChecks(criteria: Criteria, kind: string): Plan {
  if (!criteria.appliesTo.includes(kind)) {
    return { checks: [], because: `the criteria ${criteria.name} do not apply to items of kind ${kind}` };
  }
  if (criteria.checks.length === 0)
    return { checks: [], because: `the criteria ${criteria.name} have no checks` };
  return { checks: criteria.checks, because: '' };
}
