import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import { rolesOf } from '../kernel/decide.ts';
import { latestEvidence } from '../kernel/freshness.ts';
import type { Option } from '../kernel/guidance.ts';
import { expand, type Protocol, type Row } from '../kernel/protocol.ts';
import { builtIn } from '../protocols/index.ts';
import type { ItemRow, Tally } from '../store/store.ts';
import { adoptedProtocols } from './adopted-protocols.ts';
import { isAside, isAsideOf, MAY_BE_AWAITED } from './aside.ts';
import { givenUpFor } from './given-up.ts';
import { type Handle, peekById } from './handle.ts';
import { inWords } from './in-words.ts';
import { isGiven } from './own-word.ts';
import { toldElsewhere } from './phases/told-elsewhere.ts';
import type { Ports } from './ports.ts';
import { type Progress, progress } from './query.ts';
import { readRoster } from './roster.ts';
import { isBegun, isLonger } from './steps.ts';
import { waysOn } from './ways.ts';
import { waysNow } from './ways-now.ts';
import { wordsFirst } from './words-first.ts';
import { worldsOnce } from './world.ts';

export interface Suggestion {
  readonly handle: Handle;
  readonly option: Option;
  /** Every way on from there, open or not. */
  readonly ways: readonly Option[];
}

/** What an open item waits for, in one line. */
export const waitsLine = ({ handle, option }: Suggestion): string =>
  `${handle.display} ${handle.item.title} [${handle.item.state}] waits: ${option.missing
    .map((v) => inWords(handle, v.because))
    .join('; ')}${instead(handle)}`;

/** States that hold more than was looked at; whether they hold something to do is not known. */
export const unseenLine = (state: string): string =>
  `Not all was looked at: countersign list --state ${state}`;

const instead = (handle: Handle): string =>
  givenUpFor(handle)
    .map((name) => {
      const who = [...(handle.openers?.[name] ?? []), 'human'].join(' or ');
      return `; ${name} was given up: countersign follow-up ${name} "TITLE"  [${who}]`;
    })
    .join('');

/** What one actor may do now (2PC-68, 2PC-69). A block stops its list: nothing else of it is suggested. */
export interface Next {
  readonly blocked: readonly Handle[];
  readonly suggestions: readonly Suggestion[];
  /** Open items that wait for others, with what is missing. */
  readonly waiting: readonly Suggestion[];
  /** What goes on by nothing on this machine, with what leads on. */
  readonly elsewhere: readonly string[];
  /** States that hold more than was looked at, where nothing was found to do. */
  readonly unseen: readonly string[];
  readonly progress: Progress;
}

/** Work already begun comes before new work, and what waits for a word before what waits for work. */
const ORDER: readonly string[] = [
  ...['ESCALATED', 'REWORK', 'CONFIRMED', 'ACCEPTED', 'CHECKING', 'SUBMITTED', 'WORKING', 'QUEUED'],
];
const ENOUGH = 5;
const PAGE = 2 * ENOUGH;
/** Rows read at once where few of them, if any, are wanted, and beyond the first page. */
const SCAN = 100;
/** Most items that are looked at in one state before the answer is given as it is. */
const MOST = 120;
/** Where nothing is found to do: most items that are looked at in all, a millisecond each, and most rows of one state. */
const FARTHEST = 600;
const ROWS = 5_000;

export async function next(ports: Ports, actor: Actor, listName: string | undefined): Promise<Next> {
  const tallies = await ports.store.tally(listName);
  const summary = await progress(ports, tallies);
  const worldOf = worldsOnce(ports);
  const blocked: Handle[] = [];
  const suggestions: Suggestion[] = [];
  const waiting: Suggestion[] = [];
  const unseen: string[] = [];
  const protocols = await protocolsIn(ports, tallies);
  let looked = 0;
  for (const { state, category } of squaresIn(tallies)) {
    if (suggestions.length >= ENOUGH) break;
    const first = looked;
    const isFar = (rows: number) =>
      suggestions.length > 0 ? rows >= MOST : rows >= ROWS || (looked >= FARTHEST && looked - first >= MOST);
    const cut = () => unseen.push(state);
    const search = mayAct(actor, state, protocols) ? EVERY : { page: SCAN, wanted: await leftBehind(ports) };
    for await (const handle of itemsIn(ports, listName, { state, category }, { ...search, isFar, cut })) {
      looked += 1;
      if (state === 'blocked') blocked.push(handle);
      const world = await worldOf(handle);
      sort(handle, world, await waysNow(ports, handle, actor, world), suggestions, waiting);
      if (suggestions.length >= ENOUGH) break;
    }
  }
  const shown = waiting.slice(0, ENOUGH);
  return {
    blocked,
    suggestions: await withWords(ports, actor, suggestions, worldOf),
    waiting: shown,
    elsewhere: (await toldElsewhere(ports, actor)).map(({ text }) => text),
    unseen: suggestions.length > 0 ? [] : [...new Set(unseen)],
    progress: summary,
  };
}

/** The protocols that items here may follow; the log is asked only where one is none of the engine's. */
async function protocolsIn(ports: Ports, tallies: readonly Tally[]): Promise<readonly Protocol[]> {
  const names = [...new Set(tallies.map(({ protocol }) => protocol))];
  const known = names.flatMap((name) => builtIn(name) ?? []);
  return known.length === names.length ? known : [...known, ...(await adoptedProtocols(ports)).values()];
}

interface Square {
  readonly state: string;
  readonly category: string;
}

/** The states that hold anything, of whatever protocol, in the order in which they are looked at. */
function squaresIn(tallies: readonly Tally[]): readonly Square[] {
  const squares = new Map(
    tallies.map(({ state, category }) => [`${category} ${state}`, { state, category }]),
  );
  const place = ({ category }: Square) => ORDER.indexOf(category);
  return [...squares.values()].filter((s) => place(s) >= 0).toSorted((a, b) => place(a) - place(b));
}

/** What a claim waits to be said comes before its verification, which would only fail without. */
async function withWords(
  ports: Ports,
  actor: Actor,
  suggestions: readonly Suggestion[],
  worldOf: (handle: Handle) => Promise<World>,
): Promise<readonly Suggestion[]> {
  const told: Suggestion[] = [];
  for (const suggestion of suggestions) {
    const world = await worldOf(suggestion.handle);
    const words = await wordsFirst(ports, suggestion.handle, world);
    const ways = words.length === 0 ? suggestion.ways : waysOn(suggestion.handle, actor, world, words);
    const first = ways.find(({ mine, missing }) => mine && missing.length === 0);
    told.push(words.length === 0 ? suggestion : { ...suggestion, ways, option: first ?? suggestion.option });
  }
  return told;
}

/** Whether some row that leads on from a state is the actor's to take, whatever the item. */
function mayAct({ kind, roles }: Actor, state: string, protocols: readonly Protocol[]): boolean {
  if (kind === 'human' || ASKS.has(state)) return true;
  const mine = (protocol: Protocol, by: readonly string[], from: readonly string[]) =>
    rolesOf(protocol, by, state).some((role) => roles.includes(role)) &&
    expand(protocol, from).includes(state);
  return protocols.some(
    (protocol) =>
      protocol.rows.some((row) => leadsOn(row) && mine(protocol, row.by, row.from)) ||
      protocol.evidence.some((row) => isGiven({ protocol }, row.kind) && mine(protocol, row.by, row.in)),
  );
}

/** Whether a row may be a step on, whatever the item. */
const leadsOn = (row: Row): boolean => !isAside(row) || MAY_BE_AWAITED.has(row.command);

/** States in which more than the rows may ask for somebody: a block, a word on a claim, a verdict on quality. */
const ASKS = new Set(['blocked', 'claimed', 'verified', 'quality_review', 'completed', 'pending_verify']);

/** What is in the hands of somebody who has left, or of nobody: the only thing there that others may have to do with. */
async function leftBehind(ports: Ports): Promise<(row: ItemRow) => boolean> {
  const { roster } = await readRoster(ports);
  const isHere = (id: string) => roster.members.get(id)?.retired === false;
  return ({ assignee, state }) => (assignee === '' ? state === 'in_progress' : !isHere(assignee));
}

interface Search {
  readonly page: number;
  readonly wanted: (row: ItemRow) => boolean;
}

const EVERY: Search = { page: PAGE, wanted: () => true };

interface Reach extends Search {
  /** Whether the answer is given as it is after so many rows; `cut` is told when there are more. */
  readonly isFar: (rows: number) => boolean;
  readonly cut: () => void;
}

async function* itemsIn(
  ports: Ports,
  list: string | undefined,
  { state, category }: Square,
  { page, wanted, isFar, cut }: Reach,
): AsyncGenerator<Handle> {
  const place = { list, states: [state], categories: [category], assignee: undefined };
  let seen = 0;
  let after = 0;
  for (let limit = page; ; limit = SCAN) {
    const rows: readonly ItemRow[] = await ports.store.items({ ...place, after, limit });
    for (const row of rows) {
      if (isFar(seen)) return cut();
      seen += 1;
      if (wanted(row)) yield await peekById(ports, row.id);
    }
    after = rows.at(-1)?.number ?? 0;
    if (rows.length < limit) return;
  }
}

function sort(
  handle: Handle,
  world: World,
  ways: readonly Option[],
  suggestions: Suggestion[],
  waiting: Suggestion[],
): void {
  // Out of a claim that could not be checked, the way back is a next step.
  const stuck = latestEvidence(handle.item, 'inconclusive') !== undefined;
  const useful = (way: Option) =>
    !isAsideOf(handle, way) || ((stuck || hasLeft(handle, world)) && way.command === 'release');
  // Work that somebody has can be given to somebody else, which is nobody's next step.
  const anew = ({ command, to }: Option) => command === 'assign' && to === '@same';
  const mine = ways.filter((o) => o.mine && useful(o) && !anew(o) && !isLonger(ways, o));
  const open = mine.filter((o) => o.missing.length === 0);
  // What was begun already may be begun again, and leads nowhere.
  const onward = open.filter((o) => !isBegun(handle, o));
  for (const option of [...onward, ...open].slice(0, 1)) suggestions.push({ handle, option, ways });
  if (open.length === 0) for (const option of mine.slice(0, 1)) waiting.push({ handle, option, ways });
}

/** Whoever has the item is not here any more, or an old list said of it that somebody did: it has to be taken back. */
function hasLeft({ item }: Handle, { roster }: World): boolean {
  const assignee = item.marks.assignee?.at(-1);
  if (assignee === undefined) return item.facts.imported === 'in_progress' && item.state === 'in_progress';
  return !roster.some(({ id, roles }) => id === assignee && roles.length > 0);
}
