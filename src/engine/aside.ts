import { latestEvidence } from '../kernel/freshness.ts';
import type { Option } from '../kernel/guidance.ts';
import { gateOf } from './gates.ts';
import type { Handle } from './handle.ts';
import { isStranded } from './stranded.ts';

type Way = Pick<Option, 'command' | 'to' | 'sole'>;

/** Ways out and ways back, not steps on: they are there for whoever needs them, and never proposed. */
export const isAside = ({ command, to }: Way): boolean =>
  // What leaves an item where it is, as a new approach does, leads nowhere by itself.
  ASIDE.has(command) || (command === 'propose' && to === '@same');

const ASIDE: ReadonlySet<string> = new Set([
  ...['block', 'release', 'fail', 'reject', 'reject-verification', 'reject-goal', 'reopen'],
  ...['abandon', 'cancel', 'link', 'unlink', 'escalate', 'rollback', 'skip', 'reassign', 'kill', 'give-up'],
]);

/** The same of an item as it stands: a way back is the way on where nothing else is. */
export function isAsideOf(handle: Handle, way: Way): boolean {
  const { command, to, sole } = way;
  if (sole === true) return false;
  if (command === 'propose' && to === '@same') return !isRejected(handle);
  if (command === 'fail' && isStranded(handle)) return false;
  if (command === 'abort' && isAboutToBeRead(handle)) return true;
  return isAside(way) || gateOf(handle)?.fail === command;
}

/** Ways that are aside as long as the item does not wait for them: another approach, another task. */
export const MAY_BE_AWAITED: ReadonlySet<string> = new Set(['propose', 'link']);

/** The approach was turned down, and nobody has proposed another one. */
const isRejected = ({ item }: Handle): boolean => latestEvidence(item, 'approach')?.outcome === 'rejected';

/** Reviewers wait for a process, which comes by itself, or from a machine that has what it takes. */
const isAboutToBeRead = ({ protocol, item }: Handle): boolean =>
  protocol.name === 'review' &&
  Object.values(item.members.reviewers ?? {}).some(({ state }) => ['idle', 'spawning'].includes(state));
