import type { ItemEvent } from '../kernel/event.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { Link } from '../store/store.ts';
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

/** What finds a commit again by the item that it passed for. A claim of no change took nothing of its commit. */
export function verifiedLinks(id: string, item: WorkItem, events: readonly ItemEvent[]): readonly Link[] {
  if (!events.some((e) => e.type === 'moved' && e.command === 'verify')) return [];
  const facts = item.steps.findLast((s) => s.command === 'claim')?.facts ?? {};
  return facts.no_change === true || typeof facts.commit !== 'string'
    ? []
    : [{ from: id, kind: KIND, to: facts.commit }];
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
    const { display, item } = await loadById({ store }, link.from);
    const base = baseOfPass(item, commit);
    if (base !== undefined) passes.push({ display, base });
  }
  return passes;
}

function baseOfPass({ steps }: WorkItem, commit: string): string | undefined {
  let claimed: WorkItem['steps'][number]['facts'] = {};
  for (const { command, facts } of steps) {
    if (command === 'claim') claimed = facts;
    if (command !== 'verify' || claimed.no_change === true) continue;
    if (claimed.commit === commit && typeof claimed.base === 'string') return claimed.base;
  }
  return undefined;
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
