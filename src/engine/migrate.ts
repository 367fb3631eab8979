import type { Protocol } from '../kernel/protocol.ts';
import { shellWord } from '../kernel/single-quoted.ts';
import { leftBase } from './base.ts';
import type { Caller } from './caller.ts';
import { isStuckWithoutPack } from './complete-item.ts';
import { readConfig } from './config.ts';
import { touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { categoryOf } from './escalation.ts';
import { goalOf } from './goal-of.ts';
import { type Handle, loadItem } from './handle.ts';
import { movedTo, originFact } from './migration.ts';
import { NEW_ITEM, type NewItem } from './new-item.ts';
import { openItems } from './open.ts';
import { tellsDependants, waitsForOthers } from './opening.ts';
import { partsOf, replaceInWhole } from './part-of.ts';
import type { Ports } from './ports.ts';
import { protocolNamed } from './project-protocols.ts';
import { refOf } from './protocols.ts';
import { noWeaker, type Settings } from './settings.ts';
import { handOver, replaceIn, waitingFor, waitsFor } from './supersede.ts';

/** An item that took the place of one under an older table. */
export interface Migrated {
  readonly from: Handle;
  readonly to: Handle;
}

/** What is asked for: which item, to which protocol ('' for the present version of its own), and why. */
export interface Migration {
  readonly ref: string;
  readonly to: string;
  readonly reason: string;
}

/**
 * Moves an item to the present version of its protocol, or to another one. The table of an item never changes under it:
 * a new item takes its place, with its title, list, kind and dependencies, and begins anew, because no verdict of one
 * table counts under another. Under the same table only what is verified and lost its proof pack begins anew. Both say
 * so in the log: from which table to which, and why. Throws BAD_INPUT where no reason is given, there is nothing to move
 * to, the item has ended or others count on it who would not hear of the new one, NO_CREDENTIAL for who may not open items, or is no person where failures, an escalation or a
 * verdict would be left behind.
 */
export async function migrate(
  ports: Ports,
  caller: Caller,
  { ref, to: name, reason }: Migration,
): Promise<Migrated> {
  if (reason.trim() === '')
    throw new EngineError('BAD_INPUT', 'a move to another table takes a reason', `add --reason "WHY"`);
  const old = await loadItem(ports, ref);
  const config = await readConfig(ports);
  const target = await protocolNamed(ports, name || old.protocol.name || config.protocol);
  assertMovable(ports, old, target);
  await assertFits(ports, old, target);
  assertMayMove(old, target, caller, reason);
  const wanted = await successorOf(ports, old, target, config.settings, reason);
  const [to] = await openItems(ports, caller, [wanted], async (write, [created]) => {
    if (created === undefined) return;
    const now = await loadItem(ports, old.id);
    assertMovable(ports, now, target);
    await assertFits(ports, now, target);
    touch(write, now, [movedTo(now, created, write.at, reason)]);
    write.links.push({ from: created.id, kind: 'supersedes', to: now.id });
    await handOver(ports, write, now, created);
    await replaceIn(ports, write, now, created);
    await replaceInWhole(ports, write, now, created);
  });
  if (to === undefined) throw new EngineError('BAD_INPUT', `${old.display} was not moved`);
  return { from: await loadItem(ports, old.id), to };
}

function assertMovable(ports: Ports, old: Handle, target: Protocol): void {
  const { display, item, protocol } = old;
  const later = item.links.find(({ kind }) => kind === 'superseded-by')?.to;
  if (later !== undefined)
    throw new EngineError('BAD_INPUT', `${display} was replaced by ${later}`, `countersign show ${later}`);
  if (protocol.states[item.state]?.final === true)
    throw new EngineError('BAD_INPUT', `${display} is ${item.state}: it has ended`, 'open a new item');
  // No verdict can be given again: without its proof pack it begins anew, or stays where it is for ever.
  if (isSame(old, target) && !isStuckWithoutPack(ports, old))
    throw new EngineError(
      'BAD_INPUT',
      `${display} follows ${target.name} ${target.version} already`,
      'countersign protocol list',
    );
}

const isSame = ({ item }: Handle, target: Protocol) => item.protocol.digest === refOf(target).digest;

/** What begins anew has no failures and waits for nobody, nor has it a verdict: whoever is not a person may not wipe that away (CL-08, LIFE-24). */
function assertMayMove(old: Handle, target: Protocol, { actor }: Caller, reason: string): void {
  if (actor.kind === 'human') return;
  const isOther = target.name !== old.protocol.name;
  const isStuck =
    isSame(old, target) ||
    ['ESCALATED', 'REWORK', 'FAILED'].includes(categoryOf(old)) ||
    Object.values(old.item.counters).some((n) => n > 0);
  if (!isOther && !isStuck) return;
  const because = isOther ? `from ${old.protocol.name} to ${target.name}` : 'with what went wrong with it';
  throw new EngineError(
    'NO_CREDENTIAL',
    `${old.display} is moved ${because} by a person alone`,
    `a person says: countersign protocol migrate ${old.display} --to ${target.name} --reason ${shellWord(reason)}`,
  );
}

/** What counts on others is not taken from under them. */
async function assertFits(ports: Ports, { id, display, item }: Handle, target: Protocol): Promise<void> {
  const tasks = Object.keys(item.members.tasks ?? {});
  if (tasks.length > 0)
    throw new EngineError(
      'BAD_INPUT',
      `${display} has ${tasks.length} tasks, which would be left without it`,
      'verify it as it is, or open a new goal and link them there',
    );
  if (Object.keys(item.members.phases ?? {}).length > 0)
    throw new EngineError(
      'BAD_INPUT',
      `the phases of ${display} would be left without it`,
      `go on with it as it is, or a person gives it up: countersign phase cancel ${display} --reason "WHY"`,
    );
  const parts = await partsOf(ports, { item });
  if (parts.length > 0)
    throw new EngineError(
      'BAD_INPUT',
      `${display} has parts (${parts.join(', ')}), which would be left without it`,
      `go on with it as it is: countersign show ${display}`,
    );
  if (goalOf({ item }) !== '' && !target.policies.some(({ tell }) => tell === 'goal'))
    throw new EngineError(
      'BAD_INPUT',
      `${display} is a task of a goal, and ${target.name} tells no goal what becomes of it`,
      `countersign move GOAL unlink --arg task=${display}`,
    );
  const [waiting] = tellsDependants(target) ? [] : await waitingFor(ports, id);
  if (waiting !== undefined)
    throw new EngineError(
      'BAD_INPUT',
      `${waiting} waits for ${display}, and ${target.name} does not tell others what becomes of it`,
      `move ${waiting} when ${display} is done, or choose a table that tells them: countersign protocol list`,
    );
}

async function successorOf(
  ports: Ports,
  old: Handle,
  table: Protocol,
  project: Settings,
  reason: string,
): Promise<NewItem> {
  const { item } = old;
  const known = Object.entries(item.settings).filter(
    ([name, value]) => table.settings[name]?.includes(value) === true,
  );
  const { title, list, kind, facts } = item;
  return {
    ...NEW_ITEM,
    ...{ title, list, kind, protocol: table.name },
    criteria: String(facts.criteria ?? ''),
    // Between two tables that wait for nothing, nothing is left behind.
    dependsOn: [old.protocol, table].some(waitsForOthers) ? await waitsFor(ports, old) : [],
    settings: noWeaker(table, project, Object.fromEntries(known)),
    facts: {
      ...originFact(old, reason, leftBase(old)),
      ...(facts.acceptance === undefined ? {} : { acceptance: facts.acceptance }),
    },
  };
}
