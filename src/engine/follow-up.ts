import { sha256Hex } from '../attestation/digest.ts';
import { decide } from '../kernel/decide.ts';
import type { Facts, Linked } from '../kernel/event.ts';
import { latestEvidence } from '../kernel/freshness.ts';
import { acceptanceBytes, acceptanceOf } from './acceptance.ts';
import { accountability } from './accountability.ts';
import type { Caller } from './caller.ts';
import { readConfig } from './config.ts';
import { type Draft, touch } from './draft.ts';
import { isEnded, isGivenUp } from './ended.ts';
import { EngineError } from './engine-error.ts';
import { type Outcome, plain, walk } from './execute.ts';
import { type Handle, loadItem } from './handle.ts';
import { assertSound, NEW_ITEM, type NewItem } from './new-item.ts';
import { openItems } from './open.ts';
import { openInto, planOf, waitsForOthers } from './opening.ts';
import { replaceInWhole } from './part-of.ts';
import type { Ports } from './ports.ts';
import { useProof } from './proof.ts';
import { noWeaker, type Settings } from './settings.ts';
import { handOver, replaceInGoal, waitsFor } from './supersede.ts';

export interface FollowedUp {
  readonly outcome: Outcome | undefined;
  readonly opened: Handle | undefined;
}

/**
 * New work for what cannot be undone (CX-02): a completed item gets a follow-up linked as its regression, a
 * verified one that quality validation rejected is superseded and counts as closed, as does one that was given up; a
 * goal that takes tasks counts the new work in its place, as does the task of which it is part. Both items change in one
 * commit, or neither does. Acceptance examples are kept unless `facts` bring others. `shown`: digest of what a person was shown and confirmed, '' where they
 * confirmed examples or nothing. Throws BAD_INPUT for what cannot be followed up, NO_CREDENTIAL for who may not.
 */
export async function followUp(
  ports: Ports,
  caller: Caller,
  ref: string,
  title: string,
  facts: Facts = {},
  shown = '',
): Promise<FollowedUp> {
  const old = await loadItem(ports, ref);
  const { settings } = await readConfig(ports);
  // What was given up may not have had what it waits for yet; what passed had.
  const dependsOn = isGivenUp(old) && waitsForOthers(old.protocol) ? await waitsFor(ports, old) : [];
  const kept = { ...keptOf(ports, old), ...facts };
  const item = { ...successorOf(old, title, settings), dependsOn, facts: kept };
  assertSound(item);
  assertEnded(old);
  if (isRejected(old)) return supersede(ports, caller, old, item, shown);
  const [opened] = await openItems(ports, caller, [item], async (write, [created]) => {
    useProof(write, caller.proof);
    const now = await loadItem(ports, old.id);
    assertEnded(now);
    if (!isGivenUp(now) || created === undefined) return link(write, now, created, 'regression');
    await replace(ports, write, now, created);
  });
  return { outcome: undefined, opened };
}

/** What a person reads before new work takes the place of an item, and what their word is bound to. */
export function followUpShown(
  { id, display, item }: Handle,
  title: string,
): { readonly shown: string; readonly digest: string } {
  const shown = `${display} ${item.title}\nnew work after it: ${title}`;
  return { shown, digest: sha256Hex(`follow-up ${id}\n${shown}`) };
}

const isRejected = ({ item }: Handle) =>
  item.state === 'verified' && latestEvidence(item, 'quality')?.outcome === 'REJECTED';

function assertEnded(handle: Handle): void {
  const { display, item } = handle;
  const later = accountability({ display, item }).superseded_by;
  if (later !== '') {
    const message = `${display} has a follow-up already`;
    throw new EngineError('BAD_INPUT', message, `see: countersign show ${later}`);
  }
  if (isEnded(item) || isGivenUp(handle)) return;
  const message = `${display} is ${item.state}: it can still be worked on itself`;
  throw new EngineError('BAD_INPUT', message, `what it needs: countersign show ${display}`);
}

/** The new item is judged by the same criteria and settings as the old one, or by what the project demands since. */
function successorOf(
  { protocol, item: { list, kind, facts, settings } }: Handle,
  title: string,
  project: Settings,
): NewItem {
  const kept = Object.entries(settings).filter(([name]) => name in protocol.settings);
  return {
    ...NEW_ITEM,
    ...{ title, list, kind },
    protocol: protocol.name,
    criteria: String(facts.criteria ?? ''),
    settings: noWeaker(protocol, project, Object.fromEntries(kept)),
  };
}

/** Examples of the old item judge the new one as well, under the name of whoever wrote them. */
function keptOf(ports: Ports, old: Handle): Facts {
  // Lost or changed ones are told of now, not at the verification.
  acceptanceBytes(ports, old);
  const { acceptance } = old.item.facts;
  return acceptance === undefined ? {} : { acceptance };
}

/** The row of the table, and in the same write the item that takes the place. */
async function supersede(
  ports: Ports,
  caller: Caller,
  old: Handle,
  item: NewItem,
  shown: string,
): Promise<FollowedUp> {
  const plan = await planOf(ports, [item]);
  let opened: Handle | undefined;
  const outcome = await walk(ports, caller, {
    ...plain,
    ref: old.id,
    name: 'supersede',
    reason: item.title,
    confirms: () => shown || (acceptanceOf(item)?.sha256 ?? ''),
    decide: (now, world, command) => decide(now.protocol, now.item, command, world),
    extend: async (write, now) => {
      [opened] = await openInto(ports, caller, write, plan);
      if (opened !== undefined) await replace(ports, write, now, opened);
    },
  });
  return outcome.kind === 'refused' ? { outcome, opened: undefined } : { outcome: undefined, opened };
}

/** Whoever waited for the old item waits for the new one, and its goal or the task that it is part of counts that. */
async function replace(ports: Ports, write: Draft, old: Handle, created: Handle): Promise<void> {
  link(write, old, created, 'superseded-by');
  await handOver(ports, write, old, created);
  await replaceInGoal(ports, write, old, created);
  await replaceInWhole(ports, write, old, created);
}

function link(write: Draft, old: Handle, created: Handle | undefined, kind: Linked['kind']): void {
  if (created === undefined) return;
  const { openedBy: by } = created.item;
  const event: Linked = { type: 'linked', at: write.at, by, kind, to: created.display };
  touch(write, old, [event]);
  write.links.push({
    from: created.id,
    kind: kind === 'regression' ? 'regression-of' : 'supersedes',
    to: old.id,
  });
}
