import { type Condition, ok, warn } from './condition.ts';

/** What is known of how much a store is kept from whoever calls. */
export interface Protection {
  /** As the machine of the store shows it. */
  readonly level: string;
  /** Whether a server stands between. */
  readonly served: boolean;
  /** What the caller's own process could reach of it when it tried; undefined where it did not try. */
  readonly reached: readonly string[] | undefined;
}

/** The level that holds: what a caller can reach is not separated from it, whatever else seems so. */
export const levelInForce = ({ level, reached }: Protection): string =>
  (reached ?? []).length > 0 ? 'cooperative' : level;

/** Nothing here claims more than was probed. */
export function protection(found: Protection): Condition {
  const { served, reached } = found;
  if (levelInForce(found) === 'separated') return ok('protection', [SEPARATED, tried(reached)].join(' '));
  if (!served) return { ...COOPERATIVE };
  if (reached !== undefined && reached.length > 0) {
    const says = `cooperative, although a server stands between: this user can reach ${reached.join(', ')}. ${NOT_PROMISED}`;
    return warn('protection', says, 'run agents as a user that reaches none of it (docs/levels.md)');
  }
  const says = `cooperative: the server and whoever calls it are of one user, or the machine does not tell. ${NOT_PROMISED}`;
  return warn('protection', says, 'run the server as a user of its own, with --port (docs/levels.md)');
}

const tried = (reached: readonly string[] | undefined): string =>
  reached === undefined
    ? 'Whether this process reaches any of it was not tried.'
    : 'This process tried to reach store, keys and tokens, and could not.';

const SEPARATED =
  'separated: the store and its keys are of another user or machine. Promised: nobody who calls can read or change them, act as somebody else, or confirm as a person. Not promised: that agents which the server itself starts are kept from them.';

const NOT_PROMISED =
  'Not promised: a process of this user could read keys and tokens, act as the person, or delete the store.';

const COOPERATIVE = warn(
  'protection',
  [
    'cooperative: agents and the store share one user of this machine.',
    'Promised: nothing is taken as done without a run of the checks, and edits of the log are found by audit.',
    NOT_PROMISED,
  ].join(' '),
  'run agents as another user or in a container; keep a checkpoint elsewhere and run: countersign audit verify',
);
