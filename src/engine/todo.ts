import type { Json } from '../kernel/event.ts';
import { accountability, failuresOf, verdictOf } from './accountability.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';
import { isWeak } from './weak.ts';

/** An attempt that is over, whole (2PC-48): it ended in a block, or its checks could not be run. */
export interface PastAttempt {
  readonly claimed_by: string;
  readonly claimed_at: string;
  /** With `proofpack`, only where there was a verdict. */
  readonly verified_at?: string;
  readonly proofpack?: string;
  readonly failures: readonly string[];
  /** Pack of the last run that came to nothing, where there was no verdict. */
  readonly inconclusive?: string;
}

/** The stored todo item under the seed's names (2PC-36 to 2PC-52). What has not happened has no key. */
export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: string;
  readonly activeForm: string;
  readonly phase: 'implementation' | 'verification' | 'completion';
  readonly assigned_to?: string;
  readonly claimed_by?: string;
  readonly claimed_at?: string;
  readonly verified_by?: string;
  readonly verified_at?: string;
  readonly proofpack?: string;
  readonly failures?: readonly string[];
  readonly completed_at?: string;
  readonly previous_attempt?: PastAttempt;
  readonly attempts?: readonly PastAttempt[];
  readonly legacy?: true;
  /** Verified by the rule for a small team. */
  readonly weak?: true;
  readonly independence?: string;
  /** How much the checks of the verdict say. */
  readonly strength?: string;
  /** Failed checks that their owner let go. */
  readonly waived?: readonly string[];
  readonly superseded_by?: string;
  /** What an old list said of it, whole and unbelieved (2PC-37). */
  readonly imported?: Json;
}

/** The projection of an item as a todo. It is written for others to read; the engine never reads it back. */
export function todoOf({ display, item }: Handle): Todo {
  const told = accountability({ display, item });
  const attempts = pastAttempts(item);
  const previous = attempts.at(-1);
  const assignee = item.marks.assignee?.at(-1) ?? '';
  const optional = {
    assigned_to: assignee,
    claimed_by: told.claimed_by,
    claimed_at: told.claimed_at,
    verified_by: told.verified_by,
    verified_at: told.verified_at,
    proofpack: told.evidence,
    completed_at: told.completed_at,
    independence: told.independence,
    strength: told.strength,
    superseded_by: told.superseded_by,
  };
  return {
    id: display,
    content: item.title,
    status: item.state,
    activeForm: activeForm(
      item.title,
      item.state,
      attempts.some((a) => a.failures.length > 0),
    ),
    phase: phaseOf(item.state),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
    ...(told.waived.length > 0 ? { waived: told.waived } : {}),
    ...(item.state === 'blocked' ? { failures: told.failures } : {}),
    ...(previous === undefined ? {} : { previous_attempt: previous, attempts }),
    ...(item.legacy ? { legacy: true as const } : {}),
    ...(isWeak(item) ? { weak: true as const } : {}),
    ...saidByList(item),
  };
}

const OF_LIST = [
  ...['activeForm', 'assigned_to', 'claimed_by', 'claimed_at', 'verified_by', 'verified_at'],
  ...['proofpack', 'failures', 'completed_at', 'previous_attempt'],
];

/**
 * An imported item says what its list said for as long as nothing has happened to it here. Who claimed and who
 * verified is repeated for closed, legacy work alone: on open work it would pass for a verdict.
 */
function saidByList(item: Handle['item']): Partial<Todo> {
  const said = item.facts.imported_item;
  if (typeof said !== 'object' || said === null) return {};
  const untouched = item.steps.length === 0 && item.facts.imported === item.state;
  const repeated = item.legacy ? OF_LIST : ['activeForm'];
  const fields = Object.entries(said).filter(([name]) => untouched && repeated.includes(name));
  return { ...Object.fromEntries(fields), imported: said };
}

/** Phase is a function of the status (2PC-50). */
export function phaseOf(status: string): Todo['phase'] {
  if (status === 'claimed' || status === 'blocked') return 'verification';
  return status === 'verified' || status === 'completed' ? 'completion' : 'implementation';
}

function pastAttempts(item: Handle['item']): readonly PastAttempt[] {
  const numbers = Array.from({ length: item.attempt - 1 }, (_, i) => i + 1);
  return numbers.map((n) => {
    const claim = claimStep(item, n);
    const claimed = { claimed_by: claim?.by ?? '', claimed_at: claim?.at ?? '' };
    const verdict = verdictOf(item, n);
    if (verdict === undefined) {
      const run = item.evidence.findLast((e) => e.kind === 'inconclusive' && e.attempt === n);
      return { ...claimed, failures: [], inconclusive: String(run?.facts.proofpack ?? '') };
    }
    return {
      ...claimed,
      verified_at: String(verdict.facts.ended_at ?? ''),
      proofpack: String(verdict.facts.proofpack ?? ''),
      failures: failuresOf(verdict),
    };
  });
}

// A map, since a title may begin with any word: `constructor` as well.
const VERBS: ReadonlyMap<string, string> = new Map([
  ['implement', 'Implementing'],
  ['add', 'Adding'],
  ['fix', 'Fixing'],
  ['create', 'Creating'],
  ['write', 'Writing'],
  ['build', 'Building'],
  ['update', 'Updating'],
  ['refactor', 'Refactoring'],
  ['remove', 'Removing'],
]);

/** The wording of a todo in progress, per status (2PC-49). */
export function activeForm(title: string, status: string, failedBefore: boolean): string {
  const [verb = '', ...rest] = title.split(' ');
  const doing = VERBS.get(verb.toLowerCase());
  const thing = doing === undefined || rest.length === 0 ? title : rest.join(' ');
  const named = thing.charAt(0).toUpperCase() + thing.slice(1);
  switch (status) {
    case 'claimed':
      return `Verifying ${thing} implementation`;
    case 'verified':
      return `Completing ${thing}`;
    case 'completed':
      return `${named} complete`;
    case 'blocked':
      return `${named} verification failed`;
    default:
      return `${doing ?? 'Implementing'} ${thing}${failedBefore ? ' (retry after failures)' : ''}`;
  }
}
