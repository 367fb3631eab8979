import type { Opened } from '../kernel/event.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { UNOPENED } from '../kernel/work-item.ts';
import { accountability } from './accountability.ts';
import type { Caller } from './caller.ts';
import { type Config, readConfig } from './config.ts';
import { displayId } from './display.ts';
import { type Draft, touch } from './draft.ts';
import { isGivenUp } from './ended.ts';
import { EngineError } from './engine-error.ts';
import { type Handle, loadItem } from './handle.ts';
import { assertSound, type NewItem } from './new-item.ts';
import { noteOf } from './note-of.ts';
import type { Ports } from './ports.ts';
import { protocolNamed } from './project-protocols.ts';
import { adoption, refOf } from './protocols.ts';
import { assertNotWeaker, pinnedTables, type Settings, settingsFor } from './settings.ts';

/** Items that are fit to be opened, with what the repository says of the moment; good for every round of a write. */
export interface OpeningPlan {
  readonly items: readonly NewItem[];
  readonly ids: readonly string[];
  readonly config: Config;
  readonly pinned: Opened['facts'];
}

/** Throws BAD_INPUT for what cannot be opened, before anything is written. */
export async function planOf(ports: Ports, items: readonly NewItem[]): Promise<OpeningPlan> {
  for (const item of items) assertSound(item);
  const config = await readConfig(ports);
  const from = items[0]?.from;
  const { head: here, defaultHead } = ports.git.heads(config.defaultBranch);
  const head = from?.head || here;
  // Neither a moved pointer nor an older branch point can later choose other criteria than these.
  const branch = from?.branch || ports.git.defaultBranchRef(config.defaultBranch);
  const pinned = { head, default_head: defaultHead || head, default_branch: branch };
  return { items, ids: items.map(() => ports.newId()), config, pinned };
}

/** Opens the planned items inside a write, under the next numbers. Throws like `openItems`. */
export async function openInto(
  ports: Ports,
  caller: Caller,
  write: Draft,
  { items, ids, config, pinned }: OpeningPlan,
): Promise<readonly Handle[]> {
  const before = [...write.touched.values()].filter(({ expected }) => expected === 0).length;
  const last = (await ports.store.lastNumber()) + before;
  const opened: Handle[] = [];
  for (const [i, item] of items.entries()) {
    assertNotWeaker(config.settings, item.settings);
    const protocol = await protocolNamed(ports, item.protocol || config.protocol);
    assertMayOpen(protocol, caller);
    const settings = settingsFor(protocol, config.settings, item.settings, pinnedTables(protocol, config));
    const own = { criteria: item.criteria || 'default', imported: item.imported, ...pinned };
    const facts = { ...item.facts, ...own };
    const number = last + 1 + i;
    opened.push(
      await openOne(ports, write, { id: ids[i] ?? '', number, item, protocol, settings, caller, facts }),
    );
  }
  for (const protocol of new Set(opened.map((one) => one.protocol)))
    for (const append of await adoption(ports, protocol, caller.actor.id, write.commandId))
      if (!write.documents.some(({ stream }) => stream === append.stream)) write.documents.push(append);
  return opened;
}

interface Opening {
  readonly id: string;
  readonly number: number;
  readonly item: NewItem;
  readonly protocol: Protocol;
  readonly settings: Settings;
  readonly caller: Caller;
  readonly facts: Opened['facts'];
}

async function openOne(ports: Ports, write: Draft, opening: Opening): Promise<Handle> {
  const { id, number, item, protocol, settings, caller, facts } = opening;
  const legacy = item.imported === 'completed';
  const dependencies: Handle[] = [];
  for (const ref of item.dependsOn) dependencies.push(await dependable(ports, ref, protocol));
  const event: Opened = {
    type: 'opened',
    at: write.at,
    by: caller.actor.id,
    protocol: refOf(protocol),
    state: importedState(protocol, item.imported),
    number,
    list: item.list,
    kind: item.kind,
    title: item.title.trim(),
    settings,
    legacy,
    // By their ids, so that audit can derive the links from the log.
    facts: { ...facts, depends_on: dependencies.map((d) => d.id) },
  };
  const unopened: Handle = { id, display: displayId(number, protocol.name), protocol, item: UNOPENED };
  const handle = touch(write, unopened, [event]);
  const policy = notesOfOthers(protocol);
  let current = handle;
  for (const dependency of dependencies) {
    write.links.push({ from: id, kind: 'depends-on', to: dependency.id });
    write.readSet.push({ stream: `item/${dependency.id}`, version: dependency.item.version });
    if (waitsForOthers(protocol)) current = touch(write, current, [noteOf(dependency, policy, write.at)]);
  }
  return current;
}

/** What an old list said was done was never verified, so nothing can wait for it (2PC-05); nor for what was replaced or given up. */
async function dependable(ports: Ports, ref: string, waiting: Protocol): Promise<Handle> {
  const handle = await loadItem(ports, ref);
  const { superseded_by: later } = accountability(handle);
  if (later !== '')
    throw new EngineError(
      'BAD_INPUT',
      `${handle.display} was superseded by ${later}: nothing can depend on it`,
      `depend on ${later}`,
    );
  if (isGivenUp(handle))
    throw new EngineError(
      'BAD_INPUT',
      `${handle.display} is ${handle.item.state}: nothing can wait for what was given up`,
      `countersign follow-up ${handle.display} "TITLE", and depend on that`,
    );
  assertWaits(waiting, handle);
  if (!handle.item.legacy) return toldOf(handle);
  const message = `${handle.display} was imported as done and never verified: nothing can depend on it`;
  throw new EngineError(
    'BAD_INPUT',
    message,
    `countersign follow-up ${handle.display} "TITLE", and depend on that`,
  );
}

/** Whoever waits for what tells nobody would wait for ever, unless it has succeeded already. */
function toldOf(handle: Handle): Handle {
  const { display, protocol, item } = handle;
  if (tellsDependants(protocol) || protocol.states[item.state]?.success === true) return handle;
  throw new EngineError(
    'BAD_INPUT',
    `${display} follows the protocol ${protocol.name}, which does not tell others what becomes of it: nothing can depend on it`,
    'add the new item when it is done; a table of your own tells by a policy: {enters: ["*"], tell: dependants, note: dependencies}',
  );
}

/** How what an item waits for is noted on it. */
const notesOfOthers = ({ policies }: Protocol) =>
  policies.find(({ tell }) => tell === 'dependants') ?? {
    note: 'dependencies',
    carry: [],
    moves: [],
    asks: '',
  };

/** Whether an item of this table is told of what it waits for. */
export const waitsForOthers = (protocol: Protocol): boolean =>
  protocol.groups.includes(notesOfOthers(protocol).note);

/** Whoever is not told of others does not wait for them: that is said, unless there is nothing to wait for any more. */
function assertWaits(waiting: Protocol, { display, protocol, item }: Handle): void {
  const category = protocol.states[item.state]?.category ?? '';
  if (waitsForOthers(waiting) || ['CONFIRMED', 'CLOSED'].includes(category)) return;
  throw new EngineError(
    'BAD_INPUT',
    `what follows the protocol ${waiting.name} waits for nothing: it cannot depend on ${display}`,
    `do it when ${display} is done, or choose a table that waits: countersign protocol list`,
  );
}

/** Whether whoever waits for an item of this table ever learns what becomes of it. */
export const tellsDependants = ({ policies }: Protocol): boolean =>
  policies.some(({ tell, enters, commands }) => tell === 'dependants' && enters.length + commands.length > 0);

/** Only what an old list cannot lie about is taken over: work not begun, begun, or closed without proof (C2-03). */
function importedState(protocol: Protocol, imported: string): string {
  return ['in_progress', 'completed'].includes(imported) && imported in protocol.states
    ? imported
    : protocol.initial;
}

function assertMayOpen(protocol: Protocol, { actor, token }: Caller): void {
  if ((token?.items ?? []).length > 0) {
    throw new EngineError('NO_CREDENTIAL', `the token of ${actor.id} is good for its items only`);
  }
  if (actor.kind === 'human' || protocol.openers.some((role) => actor.roles.includes(role))) return;
  const who = protocol.openers.join(' or ');
  throw new EngineError(
    'NO_CREDENTIAL',
    `Only ${who} or a person may add items, ${actor.id} may not`,
    `ask the ${who}`,
  );
}
