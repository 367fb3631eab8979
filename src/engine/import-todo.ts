import { NOTHING_GATHERED } from '../kernel/command.ts';
import { decide, type Refused } from '../kernel/decide.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Caller } from './caller.ts';
import { gatherAssignee } from './dispatch.ts';
import { type Draft, draft, touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { pause } from './execute.ts';
import { type Handle, loadById } from './handle.ts';
import { inWords } from './in-words.ts';
import { NEW_ITEM } from './new-item.ts';
import { openItems } from './open.ts';
import { openInto, planOf } from './opening.ts';
import { nowOf, type Ports } from './ports.ts';
import { recordRefusal } from './refuse.ts';
import { readRoster } from './roster.ts';
import { type ImportedTodo, readTodoFile } from './todo-file.ts';
import { readWorld } from './world.ts';

/** What became of one todo of the list. `item` is '' where nothing was opened yet. */
export interface ImportedLine {
  readonly content: string;
  readonly status: string;
  readonly action: 'opened' | 'skipped' | 'refused';
  readonly item: string;
  readonly state: string;
  /** What the reader should know: nothing is dropped or changed silently. */
  readonly remark: string;
}

export type Import =
  | { readonly kind: 'malformed'; readonly problems: readonly string[] }
  /** Nothing was imported: some todo would move an item that is managed here. */
  | { readonly kind: 'refused'; readonly lines: readonly ImportedLine[] }
  | { readonly kind: 'done'; readonly lines: readonly ImportedLine[] };

export interface ImportRequest {
  readonly bytes: Uint8Array;
  readonly list: string;
  readonly dryRun: boolean;
}

/**
 * Takes over a todo list: all of it in one write, or none. Nothing that it says counts as verified: `completed`
 * becomes legacy, what claims to be claimed, verified or blocked starts as pending (C2-03). Todos are matched by
 * their content with items of the list, once (C2-09); one that would move a managed item is refused and recorded
 * with that item (2PC-94).
 */
export async function importTodos(ports: Ports, caller: Caller, request: ImportRequest): Promise<Import> {
  const file = readTodoFile(request.bytes, request.list);
  if (!file.ok) return { kind: 'malformed', problems: file.problems };
  for (let round = 0; round < ROUNDS; round++) {
    const taken = await takeOver(ports, caller, request, file.todos);
    if (taken !== undefined) return taken;
    await pause(ports, Math.min(round, 5));
  }
  throw new EngineError('BUSY', 'others kept adding items meanwhile; nothing was imported', 'try again');
}

const ROUNDS = 60;

/** Undefined where somebody added items after the list was matched: what is new is then to be told anew. */
async function takeOver(
  ports: Ports,
  caller: Caller,
  request: ImportRequest,
  todos: readonly ImportedTodo[],
): Promise<Import | undefined> {
  const last = await ports.store.lastNumber();
  const matched = await match(ports, request.list, todos);
  const refused = matched.filter(({ todo, handle }) => handle !== undefined && !isKnown(handle, todo));
  if (refused.length > 0) {
    const lines: ImportedLine[] = [];
    for (const { todo, handle } of refused) {
      if (handle !== undefined) lines.push(await refuse(ports, caller, todo, handle, request.dryRun));
    }
    return { kind: 'refused', lines };
  }
  const fresh = matched.filter((m) => m.handle === undefined).map((m) => m.todo);
  const opened = await open(ports, caller, request, fresh, last);
  if (opened === undefined) return undefined;
  let next = 0;
  const lines = matched.map(({ todo, handle }) =>
    handle === undefined ? openedLine(todo, opened[next++]) : skippedLine(todo, handle),
  );
  return { kind: 'done', lines };
}

interface Match {
  readonly todo: ImportedTodo;
  readonly handle: Handle | undefined;
}

/** Each item answers for one todo; where several bear the same content, one that already says the same is taken. */
async function match(ports: Ports, list: string, todos: readonly ImportedTodo[]): Promise<readonly Match[]> {
  const wanted = new Set(todos.map((todo) => todo.content));
  const known = new Map<string, Handle[]>();
  const query = { list, states: [], categories: [], assignee: undefined, limit: 500 };
  for (let after = 0; ; ) {
    const rows = await ports.store.items({ ...query, after });
    for (const row of rows.filter((r) => wanted.has(r.title))) {
      known.set(row.title, [...(known.get(row.title) ?? []), await loadById(ports, row.id)]);
    }
    after = rows.at(-1)?.number ?? 0;
    if (rows.length < query.limit) break;
  }
  return todos.map((todo) => {
    const candidates = known.get(todo.content) ?? [];
    const handle = candidates.find((h) => isKnown(h, todo)) ?? candidates[0];
    known.set(
      todo.content,
      candidates.filter((h) => h !== handle),
    );
    return { todo, handle };
  });
}

/** True when the todo says nothing that the item does not say itself, or did say when it was imported. */
function isKnown({ item }: Handle, { status }: ImportedTodo): boolean {
  return status === item.state || status === item.facts.imported;
}

async function refuse(
  ports: Ports,
  caller: Caller,
  todo: ImportedTodo,
  handle: Handle,
  dryRun: boolean,
): Promise<ImportedLine> {
  const { state } = handle.item;
  const because = `a list cannot move ${handle.display} from ${state} to ${todo.status}${forbidden(handle, todo)}`;
  const verdicts: readonly Verdict[] = [];
  const command = { name: `import ${todo.status}`, actor: caller.actor, at: nowOf(ports) };
  if (!dryRun) await recordRefusal(ports, handle, command, { code: 'no-transition', because, verdicts });
  const { content, status } = todo;
  return { content, status, action: 'refused', item: handle.display, state, remark: because };
}

/** The table's own reason why an item may not be closed from here. */
function forbidden({ protocol, item }: Handle, { status }: ImportedTodo): string {
  const rule = protocol.forbidden.find((f) => f.command === 'complete' && f.from.includes(item.state));
  return status === 'completed' && rule !== undefined ? `: ${rule.because}` : '';
}

/** An opened item, '' on a dry run; and why nobody has it, '' where somebody goes on with it. */
interface OpenedTodo {
  readonly display: string;
  readonly unassigned: string;
}

/** Opens them right after the items that were matched; undefined where others came in between. */
async function open(
  ports: Ports,
  caller: Caller,
  { list, dryRun }: ImportRequest,
  todos: readonly ImportedTodo[],
  last: number,
): Promise<readonly OpenedTodo[] | undefined> {
  const items = todos.map((todo) => ({
    ...NEW_ITEM,
    title: todo.content,
    list,
    imported: todo.status,
    facts: { imported_item: todo.whole },
  }));
  let unassigned: readonly string[] = [];
  const extend = async (write: Draft, opened: readonly Handle[]) => {
    if (opened.length > 0 && opened[0]?.item.number !== last + 1) throw new Overtaken();
    unassigned = await assign(ports, caller, write, opened, todos);
  };
  const told = (opened: readonly Handle[], shown: (handle: Handle) => string) =>
    opened.map((handle, i) => ({ display: shown(handle), unassigned: unassigned[i] ?? '' }));
  try {
    if (!dryRun) return told(await openItems(ports, caller, items, extend), ({ display }) => display);
    const write = draft(ports.newId(), nowOf(ports));
    const opened = await openInto(ports, caller, write, await planOf(ports, items));
    await extend(write, opened);
    return told(opened, () => '');
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}

class Overtaken extends Error {}

/**
 * Work that was under way goes on with its specialist, by the table's own rows; else it waits to be released. Answers
 * for each why nobody has it.
 */
async function assign(
  ports: Ports,
  caller: Caller,
  write: Draft,
  opened: readonly Handle[],
  todos: readonly ImportedTodo[],
): Promise<readonly string[]> {
  const known = await specialists(ports);
  const unassigned: string[] = [];
  for (const [i, handle] of opened.entries()) {
    const to = todos[i]?.assignedTo ?? '';
    if (handle.item.state !== 'in_progress') unassigned.push('');
    else if (!known.has(to)) unassigned.push(to === '' ? NOBODY : `${to} is no specialist here`);
    else unassigned.push(await goOn(ports, caller, write, handle, to));
  }
  return unassigned;
}

const NOBODY = 'nobody';

/** Gives it to its specialist; answers why it could not, '' where it has it. */
async function goOn(ports: Ports, caller: Caller, write: Draft, handle: Handle, to: string): Promise<string> {
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const base = { id: write.commandId, actor: caller.actor, at: write.at, proof: undefined };
  const reason = 'imported as in progress';
  const release = { ...base, name: 'release', reason, arguments: {} };
  const released = decide(handle.protocol, handle.item, release, world, NOTHING_GATHERED);
  if (released.kind === 'refused') return whyNot(handle, released);
  const scratch = { ...write, touched: new Map(write.touched) };
  const pending = touch(scratch, handle, released.events);
  const dispatch = { ...base, name: 'dispatch', reason, arguments: { to } };
  const dispatched = decide(handle.protocol, pending.item, dispatch, world, gatherAssignee(world, to));
  if (dispatched.kind === 'refused') return whyNot(handle, dispatched);
  touch(write, handle, [...released.events, ...dispatched.events]);
  return '';
}

const whyNot = (handle: Handle, { because, verdicts }: Refused): string =>
  inWords(handle, verdicts.map((v) => v.because).join('; ') || because);

async function specialists(ports: Ports): Promise<ReadonlySet<string>> {
  const { roster } = await readRoster(ports);
  const members = [...roster.members.values()];
  return new Set(members.filter((m) => !m.retired && m.roles.includes('specialist')).map((m) => m.id));
}

function openedLine({ content, status, assignedTo }: ImportedTodo, opened?: OpenedTodo): ImportedLine {
  const state = ['in_progress', 'completed'].includes(status) ? status : 'pending';
  const remark = remarkOn(status, opened?.unassigned ?? '', assignedTo);
  return { content, status, action: 'opened', item: opened?.display ?? '', state, remark };
}

function remarkOn(status: string, unassigned: string, assignee: string): string {
  switch (status) {
    case 'completed':
      return 'legacy: said to be done, never counted as verified';
    case 'in_progress':
      if (unassigned === '') return `goes on with ${assignee}`;
      return `nobody has it${unassigned === NOBODY ? '' : ` (${unassigned})`}: release it, then dispatch it`;
    case 'pending':
      return '';
    default:
      return `the list said ${status}; it starts as pending, because nothing of that was seen here`;
  }
}

function skippedLine({ content, status }: ImportedTodo, { display, item }: Handle): ImportedLine {
  return { content, status, action: 'skipped', item: display, state: item.state, remark: 'is here already' };
}
