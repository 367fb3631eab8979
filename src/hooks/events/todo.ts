import { displayId, numberOf } from '../../engine/display.ts';
import { type Answer, block, deny, SILENT } from '../answer.ts';
import { isAtWork } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Lookup, Row, Surroundings } from '../surroundings.ts';

/** An agent marks something of its own list as completed: refused where it is an item that is not verified (2PC-94). */
export async function todoUse({ tool, input, session }: Moment, around: Surroundings): Promise<Answer> {
  const texts = tool === 'TodoWrite' ? completedTodos(input.todos) : completedTask(input);
  const open = await unproved(texts, session, around);
  return open === undefined ? SILENT : deny(await reasonFor(open, around));
}

/** The same for the event that tells of it afterwards. */
export async function taskCompleted({ task, session }: Moment, around: Surroundings): Promise<Answer> {
  const open = await unproved([task], session, around);
  return open === undefined ? SILENT : block(await reasonFor(open, around));
}

function completedTodos(todos: unknown): readonly string[] {
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((todo: { status?: unknown; content?: unknown } | null) =>
    todo?.status === 'completed' && typeof todo.content === 'string' ? [todo.content] : [],
  );
}

function completedTask({
  status,
  subject,
  description,
  metadata,
  taskId,
}: Moment['input']): readonly string[] {
  if (status !== 'completed') return [];
  const said = Object.values(typeof metadata === 'object' && metadata !== null ? metadata : {});
  return [subject, description, taskId, ...said].filter((text) => typeof text === 'string');
}

/** Items as they are written for people: a word with a number is none. */
const REF = /(?<![\w-])(?:T|TASK|GOAL)-\d{1,15}(?![\w-])/gi;

/**
 * The first item that one of the texts names, and that nobody has confirmed: by its id in every session, by its very title
 * in one that works on items. Whoever works on none may well have an entry that is called alike.
 */
async function unproved(
  texts: readonly string[],
  session: string,
  { look, state }: Surroundings,
): Promise<Row | undefined> {
  const refs = texts.flatMap((text) => text.match(REF) ?? []);
  const titles = new Set(
    texts
      .flatMap((text) => text.split('\n'))
      .map(plain)
      .filter((title) => title !== ''),
  );
  const byTitles = titles.size > 0 && isAtWork(state, session);
  if (refs.length === 0 && !byTitles) return undefined;
  return look(async (store) => {
    for (const ref of refs) {
      const row = await store.itemByNumber(numberOf(ref) ?? 0);
      if (row !== undefined && isOpen(row)) return row;
    }
    return byTitles ? byTitle(store, titles) : undefined;
  });
}

async function byTitle(store: Lookup, titles: ReadonlySet<string>): Promise<Row | undefined> {
  const query = { list: undefined, states: [], categories: OPEN, assignee: undefined, limit: PAGE };
  for (let after = 0; ; ) {
    const rows = await store.items({ ...query, after });
    const found = rows.find((row) => titles.has(plain(row.title)));
    if (found !== undefined || rows.length < PAGE) return found;
    after = rows.at(-1)?.number ?? 0;
  }
}

const PAGE = 500;
const OPEN = ['QUEUED', 'WORKING', 'SUBMITTED', 'CHECKING', 'ACCEPTED', 'REWORK', 'ESCALATED'];
const isOpen = ({ category }: Row) => OPEN.includes(category);
const plain = (text: string) => text.trim().toLowerCase();

async function reasonFor(row: Row, { look }: Surroundings): Promise<string> {
  const { number, protocol, title, state, category } = row;
  const item = displayId(number, protocol);
  // What passed its checks and is not at its end yet is verified, and not done.
  const lacks = category === 'ACCEPTED' ? 'completed' : 'verified';
  const head = `${item} (${title}) is ${state.toUpperCase()}, not ${lacks}: it cannot be marked as completed.`;
  if (protocol !== 'two-phase') {
    const { toldOf } = await import('../calls.ts');
    const { atGate, call } = await look((store) => toldOf(store, row));
    if (atGate) return `${head} Have it verified by somebody else: ${call}.`;
    return `${head} ${call === '' ? 'next names the step that leads on.' : `The step that leads on: ${call}.`}`;
  }
  return state === 'claimed'
    ? `${head} Have it verified by somebody else: item_verify {"item":"${item}"}.`
    : `${head} Claim it when the work is committed, then have it verified: next names the call.`;
}
