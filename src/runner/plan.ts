import type { ArtifactCheck } from './checks/artifact.ts';
import type { CheckSpec } from './checks/index.ts';
import type { ReviewCheck } from './checks/review.ts';
import { ITEM_ACCEPTANCE } from './criteria.ts';
import { isMereWord, NO_CHANGE } from './no-change.ts';
import type { RunRequest } from './request.ts';

/** What a run will do, in order. `because` says why there is nothing to do, '' otherwise. */
export interface Plan {
  readonly checks: readonly CheckSpec[];
  readonly because: string;
}

/** What a run is asked about, as far as it decides what is done. */
export type Asked = Pick<RunRequest, 'criteria' | 'item' | 'acceptance' | 'acceptanceIndependent'>;

/**
 * The checks in the order of the file: a later one may look at what an earlier one wrote. Examples that came with the
 * item are judged whether the criteria ask for it or not. That nothing had to be done takes more than the builder's word.
 */
export function planChecks(asked: Asked): Plan {
  const { criteria, item, acceptance, acceptanceIndependent } = asked;
  const { name, checks, appliesTo } = criteria;
  if (!appliesTo.includes(item.kind))
    return { checks: [], because: `the criteria ${name} do not apply to items of kind ${item.kind}` };
  if (checks.length === 0) return { checks: [], because: `the criteria ${name} have no checks` };
  const judged = acceptance === undefined || checks.some((check) => check.kind === 'artifact');
  const examples = acceptance !== undefined && acceptanceIndependent;
  const added = [
    ...(judged ? [] : [ofItem]),
    ...(isMereWord({ ...item, examples, checks }) ? [nothingToDo] : []),
  ];
  return { checks: [...checks, ...added], because: '' };
}

const nothingToDo: ReviewCheck = {
  id: NO_CHANGE,
  kind: 'review',
  by: [],
  count: 1,
  lacking: 'indeterminate',
};

const ofItem: ArtifactCheck = {
  id: ITEM_ACCEPTANCE,
  kind: 'artifact',
  pack: 'npm',
  examples: '',
  directory: '',
  timeoutMs: 20_000,
  maxOutput: 10_000_000,
};
