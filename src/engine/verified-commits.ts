import type { Facts, ItemEvent } from '../kernel/event.ts';
import { latestEvidence } from '../kernel/freshness.ts';
import type { StateDefinition } from '../kernel/protocol.ts';
import type { Link } from '../store/store.ts';
import { claimStep, isClaim, isPass } from './gates.ts';
import type { Handle } from './handle.ts';
import { loadById, loadItem } from './handle.ts';
import { originOf } from './migration.ts';
import type { ClaimedWork, Ports } from './ports.ts';

type Outside = Pick<Ports, 'git' | 'store'>;
type Work = Pick<ClaimedWork, 'commit' | 'parents'>;

/** A commit that passed for an item, and what it was compared with there. */
export interface VerifiedCommit {
  readonly display: string;
  readonly base: string;
}

const KIND = 'verified';
const TREE = 'verified-tree';

/** What finds a commit again by the item that it passed for. A claim of no change took nothing of its commit. */
export function verifiedLinks({ id, item, protocol }: Handle, events: readonly ItemEvent[]): readonly Link[] {
  if (!events.some((e) => e.type === 'moved' && isPass(protocol, e))) return [];
  const facts = claimStep(item)?.facts ?? {};
  return facts.no_change === true ? [] : linksOfPass(id, facts);
}

/** The links of a pass: to its commit, and to its tree, since a commit can be made anew with nothing new in it. */
export function linksOfPass(id: string, { commit, tree }: Facts): readonly Link[] {
  const to = (kind: string, digest: unknown) =>
    typeof digest === 'string' && digest !== '' ? [{ from: id, kind, to: digest }] : [];
  return [...to(KIND, commit), ...to(TREE, tree)];
}

/** Whose claim it is that is looked at, with the parts whose work is its own. */
export type Claimant = Pick<Handle, 'id' | 'item' | 'protocol'> & { readonly parts?: readonly Handle[] };

/** A task with its parts: a part is the work of the task (decision 0045), so what they showed is its own to show. */
export async function withItsParts(ports: Pick<Ports, 'store'>, claimant: Claimant): Promise<Claimant> {
  const names = Object.keys(claimant.item.members.parts ?? {});
  return { ...withoutParts(claimant), parts: await Promise.all(names.map((name) => loadItem(ports, name))) };
}

/** The same, told from its parts. */
export const withoutParts = ({ id, item, protocol }: Claimant): Claimant => ({ id, item, protocol });

/** The passes of a commit for other items. The link only finds them: their logs are what is believed. */
export async function verifiedForOthers(
  ports: Pick<Ports, 'store'>,
  claimant: Claimant,
  commit: string,
): Promise<readonly VerifiedCommit[]> {
  const passes = await passesElsewhere(ports, claimant, KIND, commit);
  return passes.flatMap(({ display, claimed }) =>
    claimed.commit === commit && typeof claimed.base === 'string' ? [{ display, base: claimed.base }] : [],
  );
}

/** What was claimed where a commit or a tree passed for others, and whose it was. */
async function passesElsewhere(
  { store }: Pick<Ports, 'store'>,
  claimant: Claimant,
  kind: string,
  digest: string,
): Promise<readonly { readonly display: string; readonly claimed: Facts }[]> {
  const own = await ownIds({ store }, claimant);
  const passes: { readonly display: string; readonly claimed: Facts }[] = [];
  for (const link of digest === '' ? [] : await store.linksTo(digest)) {
    if (link.kind !== kind || link.from === claimant.id) continue;
    const other = await loadById({ store }, link.from);
    const counted = own.has(link.from) ? takenBack(other) : passesOf(other);
    passes.push(...counted.map((claimed) => ({ display: other.display, claimed })));
  }
  return passes;
}

/**
 * The parts of the item, and those whose place it or they took: no verdict on these counts any more (decision 0028), so
 * what they showed is there to be shown again. What quality rejected, or somebody reopened, stays what it was: nobody
 * hands in the same again.
 */
async function ownIds(
  ports: Pick<Ports, 'store'>,
  { item, parts = [] }: Claimant,
): Promise<{ has(id: string): boolean }> {
  const standingParts = parts.filter((part) => !isRejected(part));
  const own = new Set(standingParts.map(({ id }) => id));
  for (const taker of [item, ...standingParts.map((part) => part.item)])
    for (let from = originOf(taker); from !== undefined; ) {
      const before = await loadById(ports, from.uuid);
      if (isRejected(before)) break;
      own.add(before.id);
      from = originOf(before.item);
    }
  return own;
}

/** What tells how an item came to where it is. */
type Lived = Pick<Handle, 'protocol' | 'item'>;

const isRejected = (handle: Handle) =>
  isRejectedByQuality(handle) || (takenBack(handle).length > 0 && standing(handle).length === 0);

/** Whether the latest word of quality on what passed is that it is rejected. */
export const isRejectedByQuality = ({ item }: Pick<Handle, 'item'>): boolean =>
  latestEvidence(item, 'quality')?.outcome === 'REJECTED';

/** What a table of a project's own calls so before anything is confirmed or done takes nothing back. */
const afterReopening = ({ protocol, item: { steps } }: Lived) =>
  steps.findLastIndex(({ command, from }) => command === 'reopen' && isWon(protocol.states[from])) + 1;
const isWon = (state: StateDefinition | undefined) =>
  state?.category === 'CONFIRMED' || state?.success === true;

/** The passes that a reopening took back, and those that stand since. */
const takenBack = (handle: Lived) => passesOf(handle, handle.item.steps.slice(0, afterReopening(handle)));
export const standing = (handle: Lived): readonly Facts[] =>
  passesOf(handle, handle.item.steps.slice(afterReopening(handle)));

/** What is looked for: a change, by what it started from and what it made of that. */
export interface SameChange {
  readonly base: string;
  readonly tree: string;
}

/**
 * Another item for which the very same change passed, under whatever commit: the same tree, made of the same
 * base. A tree that stands on another base is another change, such as one that takes something back.
 */
export async function sameForOthers(
  ports: Pick<Ports, 'store'>,
  claimant: Claimant,
  { base, tree }: SameChange,
): Promise<string> {
  const passes = await passesElsewhere(ports, claimant, TREE, tree);
  return passes.find(({ claimed }) => claimed.tree === tree && claimed.base === base)?.display ?? '';
}

/** Whether the item passed with the same commit or change itself, until somebody took that back. Work on top of it is new. */
export const wasTakenBack = (
  claimant: Claimant,
  { commit, base, tree }: SameChange & Pick<ClaimedWork, 'commit'>,
): boolean =>
  takenBack(claimant).some(
    (claimed) => claimed.commit === commit || (claimed.tree === tree && claimed.base === base),
  );

/** What was claimed whenever the item passed with a change of its own, in some of its steps or in all. */
function passesOf({ protocol, item }: Lived, steps = item.steps): readonly Facts[] {
  let claimed: Facts = {};
  return steps.flatMap((step) => {
    if (isClaim(step)) claimed = step.facts;
    return isPass(protocol, step) && claimed.no_change !== true ? [claimed] : [];
  });
}

/**
 * The newest commit on the way from `base` to the work that passed for another item and stands on `base`, '' for none.
 * All that lies between the two must have been judged there: a pass that was itself compared with something later
 * counts only where that passed for others in turn. One commit on top of the base is looked up without git.
 */
export async function newestVerified(
  ports: Outside,
  claimant: Claimant,
  base: string,
  work: Work,
): Promise<string> {
  const { commit, parents } = work;
  if (commit === base) return '';
  const alone = parents.length === 1 && parents[0] === base;
  for (const one of alone ? [commit] : ports.git.commitsBetween(base, commit))
    if (await isJudgedFrom(ports, claimant, base, one)) return one;
  return '';
}

async function isJudgedFrom(
  ports: Outside,
  claimant: Claimant,
  base: string,
  commit: string,
): Promise<boolean> {
  for (const pass of await verifiedForOthers(ports, claimant, commit)) {
    if (pass.base === base || ports.git.isAncestor(pass.base, base)) return true;
    // What lies below was judged as well where it was for a part.
    if (await isJudgedFrom(ports, withoutParts(claimant), base, pass.base)) return true;
  }
  return false;
}
