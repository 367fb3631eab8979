import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import { mayTake } from '../kernel/decide.ts';
import type { Facts } from '../kernel/event.ts';
import type { Evidence } from '../kernel/evidence.ts';
import { freshEvidence } from '../kernel/freshness.ts';
import { judge } from '../kernel/guards/index.ts';
import { contextOf, type Option } from '../kernel/guidance.ts';
import { leavesOf } from '../kernel/leaves.ts';
import { expand } from '../kernel/protocol.ts';
import { opens } from '../kernel/verdict.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { FrozenCriteria } from './criteria.ts';
import { claimStep, isAtGate } from './gates.ts';
import { isOutside } from './given.ts';
import type { Handle } from './handle.ts';

/** Reasons of a check that a word of somebody answers, with the command by which it is given. */
const ANSWERS: { readonly [reason: string]: { readonly kind: string; readonly command: string } } = {
  'protected-path': { kind: 'sign-off', command: 'sign-off' },
  'review-missing': { kind: 'review', command: 'review' },
  'approval-missing': { kind: 'approval', command: 'approve' },
};

/**
 * The words that a claim waits for, as far as the log tells: the last run of its checks lacked them and nobody has
 * given them since; and `words`, kinds that somebody who read the criteria knows of. None are read for it, so that
 * asking what is next stays quick.
 */
export function askedFor(
  { protocol, item }: Handle,
  actor: Actor,
  world: World,
  words: readonly string[] = [],
): readonly Option[] {
  if (!isAtGate({ protocol, item })) return [];
  const known = Object.values(ANSWERS).filter(({ kind }) => words.includes(kind));
  const asked = new Map([...known, ...lacked(item)].map((answer) => [answer.kind, answer.command]));
  return [...asked].flatMap(([kind, command]) => {
    if (freshEvidence(item, kind).some((e) => e.outcome === 'approve')) return [];
    return wordOn({ protocol, item }, actor, world, { kind, command });
  });
}

/** The voices that a row out of here still lacks, for those who have not given theirs. */
export function votesAsked(
  { protocol, item }: Pick<Handle, 'protocol' | 'item'>,
  actor: Actor,
  world: World,
) {
  const context = contextOf(protocol, item, actor, world);
  const lacking = leavesOf(
    protocol.rows.filter((row) => expand(protocol, row.from).includes(item.state)).flatMap((r) => r.requires),
  ).filter((leaf) => leaf.guard === 'votes' && !opens(judge(leaf, context)));
  const kinds = [...new Set(lacking.flatMap((leaf) => (leaf.guard === 'votes' ? [leaf.kind] : [])))];
  return Object.values(ANSWERS)
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((answer) => {
      const given = new Set(freshEvidence(item, answer.kind).map(({ by }) => by));
      return wordOn({ protocol, item }, actor, world, answer, ({ id }) => !given.has(id));
    });
}

/** A word as a way on, for those who may give it here: they stand outside the work. */
function wordOn(
  { protocol, item }: Pick<Handle, 'protocol' | 'item'>,
  actor: Actor,
  world: World,
  { kind, command }: { readonly kind: string; readonly command: string },
  still: (who: Actor) => boolean = () => true,
): readonly Option[] {
  const rows = protocol.evidence.filter(
    (e) => e.kind === kind && expand(protocol, e.in).includes(item.state),
  );
  if (rows.length === 0) return [];
  const roles = [...new Set(rows.flatMap((row) => row.by))];
  // A person can prove to be one when it comes to that.
  const holds = (who: Actor) =>
    who.kind === 'human'
      ? roles.includes('human')
      : mayTake(protocol, roles, item.state, { actor: who, proof: undefined }) && isOutside(who, item, world);
  const may = (who: Actor) => still(who) && holds(who);
  const who = world.roster.filter(may).map((a) => a.id);
  return [{ command, to: item.state, roles, takes: [], mine: may(actor), who, missing: [] }];
}

function lacked(item: WorkItem) {
  const run = item.evidence.findLast((e) => e.kind === 'inconclusive' || e.kind === 'proof-pack');
  return isByPresent(item, run) ? reasonsOf(run).flatMap((reason) => ANSWERS[reason] ?? []) : [];
}

/** What other criteria lacked, before they were amended or moved on with base, may never be asked of this claim. */
function isByPresent(item: WorkItem, run: Evidence | undefined): boolean {
  if (run === undefined || freshEvidence(item, run.kind).includes(run)) return true;
  const claim = claimStep(item);
  return digestIn(claim?.facts) === digestIn(run.facts);
}

const digestIn = (facts: Facts | undefined): string =>
  String((facts?.criteria as Partial<FrozenCriteria> | null | undefined)?.digest ?? '');

function reasonsOf(run: Evidence | undefined): readonly string[] {
  const checks = run?.facts.checks;
  if (!Array.isArray(checks)) return [];
  return checks.flatMap((check) => (check?.outcome === 'pass' ? [] : [String(check?.reason ?? '')]));
}
