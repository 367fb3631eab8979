import { claimFacts } from './claim-facts.ts';
import type { Config } from './config.ts';
import { criteriaFor, type FrozenCriteria, wasConfirmed } from './criteria.ts';
import { shortOf } from './criteria-hint.ts';
import { isClaim } from './gates.ts';
import type { Handle } from './handle.ts';
import { originOf } from './migration.ts';
import type { ClaimedWork, Ports } from './ports.ts';
import {
  type Claimant,
  isRejectedByQuality,
  newestVerified,
  type SameChange,
  sameForOthers,
  standing,
  verifiedForOthers,
  wasTakenBack,
  withItsParts,
  withoutParts,
} from './verified-commits.ts';

type Work = Pick<ClaimedWork, 'base' | 'commit'>;

/** The default branch that counts for an item: as it was when the item was opened. */
export function defaultBranchOf({ item }: Handle, config: Pick<Config, 'defaultBranch'>): string {
  return String(item.facts.default_branch ?? '') || config.defaultBranch;
}

/** Where work begins. */
export interface Base {
  /** On the side of the default branch: where criteria come from. */
  readonly branch: string;
  /** What the work is compared with: the same, or a later commit that passed for another item. */
  readonly compared: string;
}

/** The base of a claim: as recorded when the work was last started, else as it is now. */
export function baseFor(ports: Pick<Ports, 'git'>, handle: Handle, work: Work, noChange: boolean): Base {
  const started = sinceRelease(handle).findLast(
    (s) => s.command === 'start' && typeof s.facts.base === 'string',
  );
  if (started === undefined) {
    const branch = baseNow(ports, handle, work);
    const since = branch === work.commit && !noChange ? baseAtOpening(ports, handle, work) : branch;
    return { branch: since, compared: since };
  }
  const branch = String(started.facts.base);
  return { branch, compared: String(started.facts.verified_base ?? branch) };
}

/**
 * What was recorded of an item's hands since it was last given back: with that, what they began with is forgotten. What
 * is reopened begins anew where it was reopened.
 */
function sinceRelease({ item: { steps } }: Handle) {
  const released = steps.findLastIndex(({ command }) => command === 'release') + 1;
  const reopened = steps.findLastIndex(({ command }) => command === 'reopen');
  return steps.slice(Math.max(released, reopened));
}

/** Commands that put an item into somebody's hands. */
const GIVES: ReadonlySet<string> = new Set(['dispatch', 'assign', 'reassign-builder', 'reopen']);

/**
 * Where HEAD stood when the item was opened, for work on the default branch that lies before its dispatch: whoever gives
 * work to themselves after it is done has it counted all the same. What others give out begins where they gave it.
 */
function baseAtOpening(ports: Pick<Ports, 'git'>, handle: Handle, { commit, base }: Work): string {
  const { item } = handle;
  const given = sinceRelease(handle).findLast(({ command }) => GIVES.has(command));
  if (given !== undefined && given.by !== item.marks.assignee?.at(-1)) return base;
  const opened = String(item.facts.head ?? '');
  return opened !== '' && opened !== commit && ports.git.isAncestor(opened, commit) ? opened : base;
}

/**
 * What a claim is compared with: the newest commit on the way to it that passed for another item, else where the work
 * began. A task all of whose work was done by its parts hands in that, from where it began itself.
 */
export async function comparedWith(
  ports: Pick<Ports, 'git' | 'store'>,
  claimant: Claimant,
  { branch, compared }: Base,
  work: Work & Pick<ClaimedWork, 'parents'>,
  noChange: boolean,
): Promise<string> {
  if (!noChange && (await isOfParts(ports, claimant, work.commit)))
    return (await newestVerified(ports, claimant, branch, work)) || branch;
  return (await newestVerified(ports, withoutParts(claimant), compared, work)) || compared;
}

/** Whether a commit passed for parts of the task, and for nobody else. */
async function isOfParts(ports: Pick<Ports, 'store'>, whole: Claimant, commit: string): Promise<boolean> {
  if ((whole.parts ?? []).length === 0) return false;
  const passes = (claimant: Claimant) => verifiedForOthers(ports, claimant, commit);
  return (await passes(withoutParts(whole))).length > 0 && (await passes(whole)).length === 0;
}

/** The base that a start records: once for each attempt, so that starting again does not move it. */
export async function baseAtStart(
  ports: Pick<Ports, 'git' | 'store'>,
  handle: Handle,
  work: Work & Pick<ClaimedWork, 'parents'>,
): Promise<Base> {
  const { attempt, steps } = handle.item;
  const first = steps.find((s) => s.command === 'start' && s.attempt === attempt)?.facts;
  if (typeof first?.base === 'string')
    return { branch: first.base, compared: String(first.verified_base ?? first.base) };
  const branch = baseNow(ports, handle, work);
  return { branch, compared: (await newestVerified(ports, handle, branch, work)) || branch };
}

/**
 * Where the work began that an item leaves to whoever takes its place: where what passed for it began, else what it claimed
 * last, else where it was last started, else where it took up the work of another itself. '' for none, and for what
 * quality rejected; what somebody reopened left nothing before that.
 */
export function leftBase(old: Handle): string {
  if (isRejectedByQuality(old)) return '';
  const since = sinceRelease(old);
  const claimed = since.findLast((step) => isClaim(step) && step.facts.no_change !== true);
  const started = since.findLast(({ command }) => command === 'start');
  const began = standing(old).at(-1) ?? claimed?.facts ?? started?.facts;
  return String(began?.branch_base ?? began?.base ?? leftTo(old) ?? '');
}

/** Where the work began of the item whose place this one took. What is reopened has shown that work already. */
const leftTo = ({ item }: Handle): string | undefined =>
  item.steps.some(({ command }) => command === 'reopen') ? undefined : originOf(item)?.base;

/**
 * The merge base with the default branch. Somebody who works on the default branch itself has no merge base but HEAD.
 * There the work begins where an earlier attempt began or that of the item whose place this one took, else where that branch
 * stood when the item was first given to somebody, else where HEAD stood when it was opened: what others brought in
 * before is not theirs, and what an attempt left behind is. Each only as long as it is an ancestor.
 */
function baseNow(ports: Pick<Ports, 'git'>, handle: Handle, work: Work): string {
  if (work.base !== work.commit) return work.base;
  const { item } = handle;
  const steps = sinceRelease(handle);
  const started = steps.find((s) => s.command === 'start' && typeof s.facts.base === 'string');
  const given = steps.find((s) => GIVES.has(s.command) && typeof s.facts.default_head === 'string');
  const began = String(
    started?.facts.base ?? leftTo(handle) ?? given?.facts.default_head ?? item.facts.head ?? '',
  );
  if (began === '' || began === work.commit) return work.base;
  return ports.git.isAncestor(began, work.commit) ? began : work.base;
}

/**
 * The commit whose criteria judge the work: the base, unless the item was opened on a later state of the default
 * branch. Whoever branches off before stricter criteria is judged by the stricter ones all the same.
 */
export function criteriaCommit(ports: Pick<Ports, 'git'>, { item }: Handle, base: string): string {
  const opened = String(item.facts.default_head ?? '');
  if (opened === '' || opened === base) return base;
  return ports.git.isAncestor(opened, base) ? base : opened;
}

/** Why a claim shows nothing of its item: its work passed for another one. '' where it did not. */
export async function countedBefore(ports: Pick<Ports, 'store'>, handle: Handle): Promise<string> {
  const { commit = '', base = '', tree = '', no_change } = claimFacts(handle);
  if (no_change === true) return '';
  const claimant = await withItsParts(ports, handle);
  return countedFor(ports, claimant, { commit: String(commit), base: String(base), tree: String(tree) });
}

/** The same for work that is about to be claimed: its commit, or the same change under another commit. */
export async function countedFor(
  ports: Pick<Ports, 'store'>,
  claimant: Claimant,
  { commit, base, tree }: SameChange & Pick<ClaimedWork, 'commit'>,
): Promise<string> {
  const nothing = 'nothing is left that this item could show';
  const [pass] = await verifiedForOthers(ports, claimant, commit);
  if (pass !== undefined)
    return `${commit.slice(0, 12)} was verified for ${pass.display} already: ${nothing}`;
  const other = await sameForOthers(ports, claimant, { base, tree });
  if (other !== '') return `the same change was verified for ${other} already: ${nothing}`;
  return wasTakenBack(claimant, { commit, base, tree })
    ? `${commit.slice(0, 12)} is what was verified before the item was reopened: nothing was done since`
    : '';
}

/**
 * Why a claim's base or criteria cannot be relied on, '' when they can: both must be part of the default branch as it
 * stands when somebody else has the work judged. Whoever moved that branch while the work was started or claimed, to
 * choose what it is compared with or judged by, has to leave it moved for everybody to see; one that is gone shows nothing. Criteria that a person
 * confirmed at a terminal need no branch, nor does a commit to compare with that passed for another item.
 */
export async function doubtOf(
  ports: Ports,
  handle: Handle,
  config: Pick<Config, 'defaultBranch'>,
  compared: string,
  criteria: FrozenCriteria,
): Promise<string> {
  const pinned = defaultBranchOf(handle, config);
  const branch = ports.git.defaultBranchRef(pinned);
  if (pinned.startsWith('refs/') && branch !== pinned && !ports.git.isAncestor(pinned, pinned))
    return `the branch ${shortOf(pinned)}, against which the item was opened, is not here any more`;
  const isThere = (commit: string) => ports.git.isAncestor(commit, branch);
  const name = shortOf(branch);
  const base = String(claimFacts(handle).branch_base ?? compared);
  if (base !== compared && (await verifiedForOthers(ports, handle, compared)).length === 0)
    return `the base ${compared.slice(0, 12)} was not verified for another item`;
  if (!isThere(base)) return `the base ${base.slice(0, 12)} is not in the history of ${name} as it stands`;
  if (criteria.commit === base || isThere(criteria.commit) || (await wasConfirmed(ports, criteria)))
    return '';
  const own = await criteriaFor(ports, String(handle.item.facts.criteria ?? 'default'), base);
  if (own?.digest === criteria.digest) return '';
  return `the criteria are of ${criteria.commit.slice(0, 12)}, which is not in the history of ${name} as it stands`;
}
