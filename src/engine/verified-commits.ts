import type { Facts, ItemEvent } from '../kernel/event.ts';
import type { Link } from '../store/store.ts';
import { claimStep, isClaim, isPass } from './gates.ts';
import type { Handle } from './handle.ts';
import { loadById } from './handle.ts';
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

/** The passes of a commit for items other than `id`. The link only finds them: their logs are what is believed. */
export async function verifiedForOthers(
  { store }: Pick<Ports, 'store'>,
  id: string,
  commit: string,
): Promise<readonly VerifiedCommit[]> {
  const passes: VerifiedCommit[] = [];
  for (const link of await store.linksTo(commit)) {
    if (link.kind !== KIND || link.from === id) continue;
    const other = await loadById({ store }, link.from);
    const { display } = other;
    const base = baseOfPass(other, commit);
    if (base !== undefined) passes.push({ display, base });
  }
  return passes;
}

/** What is looked for: a change, by what it started from and what it made of that. */
export interface SameChange {
  readonly base: string;
  readonly tree: string;
}

/**
 * An item other than `id` for which the very same change passed, under whatever commit: the same tree, made of the same
 * base. A tree that stands on another base is another change, such as one that takes something back.
 */
export async function sameForOthers(
  { store }: Pick<Ports, 'store'>,
  id: string,
  { base, tree }: SameChange,
): Promise<string> {
  for (const link of tree === '' ? [] : await store.linksTo(tree)) {
    if (link.kind !== TREE || link.from === id) continue;
    const other = await loadById({ store }, link.from);
    if (passesOf(other).some((claimed) => claimed.tree === tree && claimed.base === base))
      return other.display;
  }
  return '';
}

function baseOfPass(handle: Handle, commit: string): string | undefined {
  const pass = passesOf(handle).find(({ commit: of, base }) => of === commit && typeof base === 'string');
  return pass === undefined ? undefined : String(pass.base);
}

/** What was claimed whenever the item passed with a change of its own. */
function passesOf({ protocol, item: { steps } }: Handle): readonly Facts[] {
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
export async function newestVerified(ports: Outside, id: string, base: string, work: Work): Promise<string> {
  const { commit, parents } = work;
  if (commit === base) return '';
  const alone = parents.length === 1 && parents[0] === base;
  for (const one of alone ? [commit] : ports.git.commitsBetween(base, commit))
    if (await isJudgedFrom(ports, id, base, one)) return one;
  return '';
}

async function isJudgedFrom(ports: Outside, id: string, base: string, commit: string): Promise<boolean> {
  for (const pass of await verifiedForOthers(ports, id, commit)) {
    if (pass.base === base || ports.git.isAncestor(pass.base, base)) return true;
    if (await isJudgedFrom(ports, id, base, pass.base)) return true;
  }
  return false;
}
