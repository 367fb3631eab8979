import {
  contains,
  type PushedCommit,
  pushedCommit,
  type TreeChange,
  touchedSince,
  treeChanges,
} from '../../workspace/pushed.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import type { Gate } from './gate.ts';
import type { Paper } from './papers.ts';
import { type Demand, type SoundPack, soundPack } from './sound-pack.ts';

/** A change that is about to land on a branch. */
export interface Landing extends Demand {
  readonly old: PushedCommit;
  readonly next: PushedCommit;
  readonly changes: readonly TreeChange[];
}

/** Whether somebody else confirmed a change; `moved` says that only the base stands in the way. */
export type Confirmed =
  | { readonly ok: true; readonly says: string }
  | { readonly ok: false; readonly lacks: readonly string[]; readonly moved: boolean };

type Sound = Extract<SoundPack, { ok: true }>;

/** Packs of work that stand on each other are followed so far. */
const MOST_STACKED = 20;
/** Packs that are looked at when any with the same change may count. */
const MOST_RECENT = 200;

/** Looks for a pack that confirms exactly this change on the branch as it stands. Throws BAD_KEY, GIT_FAILED. */
export function confirmedChange(gate: Gate, landing: Landing): Confirmed {
  const { next, policy } = landing;
  const judged = gate.papers.packs(next.tree).map((paper) => aboutTree(gate, landing, paper));
  const lacks: string[] = [];
  let moved = false;
  for (const pack of judged) {
    if (!pack.ok) {
      lacks.push(`${pack.where}: ${pack.lacks.join('; ')}`);
      continue;
    }
    const stands = standing(gate, landing, pack, MOST_STACKED);
    if (stands === '') return { ok: true, says: `${toldOf(pack)} on this tree` };
    lacks.push(`${pack.where}: ${stands}`);
    moved = true;
  }
  if (policy.judge === 'patch') {
    const same = samePatch(gate, landing);
    if (same !== undefined) return { ok: true, says: `${toldOf(same)} on the same change of another base` };
  }
  if (judged.length === 0)
    lacks.push(`there is no proof pack for the tree ${short(next.tree)} of ${short(next.id)}`);
  return { ok: false, lacks, moved };
}

/** Where a pack was found says what it is about; only its signed subject is believed. */
function aboutTree(gate: Gate, { next, ...demand }: Landing, paper: Paper): SoundPack {
  const pack = soundPack(gate, demand, paper);
  if (!pack.ok || pack.tree === next.tree) return pack;
  return { ok: false, where: pack.where, lacks: [`it is about the tree ${short(pack.tree)}`] };
}

/**
 * Why a verdict does not hold on the branch as it stands, '' when it does. It was given for what changed since its base.
 * That base is the tip; or it is an older step of the branch, and nothing that landed since lies where this change does,
 * so that neither undoes the other; or it is work that passed itself and stands there.
 */
function standing(gate: Gate, landing: Landing, { verdict: { baseCommit } }: Sound, depth: number): string {
  const { old, changes } = landing;
  if (baseCommit === old.id) return '';
  const touched = touchedSince(gate.ask, baseCommit, old.id);
  if (touched !== undefined) return clash(changes, touched, baseCommit);
  const base = depth > 0 ? pushedCommit(gate.ask, baseCommit) : undefined;
  const below = base === undefined ? [] : gate.papers.packs(base.tree);
  for (const paper of base === undefined ? [] : below) {
    const pack = soundPack(gate, landing, paper);
    if (pack.ok && pack.tree === base?.tree && standing(gate, landing, pack, depth - 1) === '') return '';
  }
  return `it was judged against ${short(baseCommit)}, which is no step of the branch`;
}

function clash(changes: readonly TreeChange[], touched: ReadonlySet<string>, base: string): string {
  const both = changes.filter(({ path }) => touched.has(path)).map(({ path }) => path);
  if (both.length === 0) return '';
  const named = both
    .slice(0, 3)
    .map((path) => JSON.stringify(path))
    .join(', ');
  return `it was judged against ${short(base)}, and ${named} changed on the branch since`;
}

/**
 * A pack about the very same change (the same paths with the same content and modes before and after) of another base.
 * That base must have passed itself, or the tests that the work met there may have been weaker than those here.
 */
function samePatch(gate: Gate, landing: Landing): Sound | undefined {
  for (const paper of gate.papers.recent(MOST_RECENT)) {
    const pack = soundPack(gate, landing, paper);
    if (pack.ok && isSamePatch(gate, landing, pack)) return pack;
  }
  return undefined;
}

function isSamePatch(gate: Gate, landing: Landing, { verdict, tree }: Sound): boolean {
  const base = pushedCommit(gate.ask, verdict.baseCommit);
  if (base === undefined || !contains(gate.ask, landing.old.id, base.id)) return false;
  const touched = touchedSince(gate.ask, base.id, landing.old.id);
  if (touched === undefined || clash(landing.changes, touched, base.id) !== '') return false;
  const passed = gate.papers.packs(base.tree).some((paper) => {
    const pack = soundPack(gate, landing, paper);
    return pack.ok && pack.tree === base.tree;
  });
  return passed && isSame(landing.changes, changesOf(gate, base.tree, tree));
}

/** Undefined where the tree that was judged is not here. */
function changesOf({ ask }: Gate, base: string, tree: string): readonly TreeChange[] | undefined {
  try {
    return treeChanges(ask, base, tree);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

function isSame(one: readonly TreeChange[], other: readonly TreeChange[] | undefined): boolean {
  if (other === undefined || one.length !== other.length) return false;
  return one.every(({ path, from, to }, at) => {
    const there = other[at];
    return there?.path === path && there.from === from && there.to === to;
  });
}

const toldOf = ({ verdict: { item, independence, strength = 'none' } }: Sound) =>
  `verified for ${item.display} (${independence}, ${strength})`;

export const short = (id: string): string => id.slice(0, 12);
