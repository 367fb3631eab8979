import { unsatisfied, type Verdict } from '../../kernel/verdict.ts';
import type { Handle } from '../handle.ts';
import { crashedReview } from './abort-way.ts';

/** What a step of a phase or a review lacks of its agents and reviewers, in words; by protocol and command. */
const LACKS: { readonly [step: string]: (handle: Handle) => readonly Verdict[] } = {
  'phase submit': (handle) => [...atWork(handle), ...notBuilt(handle)],
  'phase deploy': () => [],
  'phase escalate': atWork,
  'phase trigger': notGivenUp,
  'review abort': stillRead,
};

/**
 * The closed guards of a step as people say it: what counts agents and reviewers becomes one sentence, whatever the number of
 * rows that ask for it. All others, and those of other protocols, stay as they are.
 */
export function phaseVerdicts(
  handle: Handle,
  command: string,
  closed: readonly Verdict[],
): readonly Verdict[] {
  const lacks = LACKS[`${handle.protocol.name} ${command}`];
  const others = closed.filter(({ guard, status }) => status === 'error' || !isOfMembers(guard));
  if (lacks === undefined || others.length === closed.length) return closed;
  const told = [...lacks(handle), ...others];
  return told.length === 0 ? closed : told;
}

const isOfMembers = (guard: string): boolean => guard.split(/ or |not /).includes('members');

function atWork(handle: Handle): readonly Verdict[] {
  const busy = inStates(handle, 'agents', ['starting', 'running']);
  if (busy.length === 0) return [];
  const all = busy.join(', ');
  return [lacking(`${all} ${isOrAre(busy)} still at work`, `look at ${all}`)];
}

function notBuilt(handle: Handle): readonly Verdict[] {
  const agents = Object.keys(handle.item.members.agents ?? {});
  if (inStates(handle, 'agents', ['completed', 'starting', 'running']).length > 0) return [];
  const what =
    agents.length === 0 ? 'no agent was deployed' : `none of its agents has completed: ${agents.join(', ')}`;
  return [lacking(what, '')];
}

function notGivenUp(handle: Handle): readonly Verdict[] {
  const dead = crashedReview(handle);
  return dead === '' ? [] : [lacking(`${dead} came to nothing and is not given up yet`, '')];
}

function stillRead(handle: Handle): readonly Verdict[] {
  const reading = inStates(handle, 'reviewers', ['running']);
  if (reading.length === 0) return [];
  const all = reading.join(', ');
  return [
    lacking(
      `${all} ${isOrAre(reading)} still to be heard; a review is given up where those who are missing do not answer`,
      `look at ${all}`,
    ),
  ];
}

const inStates = ({ item }: Handle, group: string, states: readonly string[]): readonly string[] =>
  Object.entries(item.members[group] ?? {})
    .filter(([, { state }]) => states.includes(state))
    .map(([name]) => name);

const isOrAre = (names: readonly string[]) => (names.length === 1 ? 'is' : 'are');

const lacking = (because: string, fix: string): Verdict => unsatisfied('members', because, fix);
