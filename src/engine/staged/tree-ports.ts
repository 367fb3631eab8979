import { appending } from '../appending.ts';
import { EngineError } from '../engine-error.ts';
import { nowOf, type Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';
import { layoutOf, type TaskLayout } from './layout.ts';
import { liveTrees } from './live-trees.ts';
import type { StagedSettings } from './settings.ts';

/** What a working tree has for itself: a block of ports, and a name for databases, containers and the like. */
export interface TreePorts {
  /** The agent whose tree it is, '' for the task's own. */
  readonly agent: string;
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly scratch: string;
}

interface Given {
  readonly type: 'ports-given';
  readonly at: string;
  readonly by: string;
  readonly task: string;
  readonly agent: string;
  /** Number of the block, from 0. */
  readonly n: number;
}

/** The one stream in which ports are given. */
export const PORTS_STREAM = 'ports';
const ROUNDS = 20;
const LAST_PORT = 65_535;

type Live = ReadonlySet<string>;
type Around = Pick<Ports, 'store' | 'workspace'>;
interface Where {
  readonly layout: TaskLayout;
  readonly settings: StagedSettings;
  /** Paths of all working trees that git knows. */
  readonly worktrees: Live;
}

/**
 * The ports of a task's trees, the task's own first. A block belongs to the tree that was given it last, for as long as
 * git knows the tree: it comes back with the tree's end, whoever ends it.
 */
export async function portsOf(ports: Around, where: Where): Promise<readonly TreePorts[]> {
  const { owners } = await readGiven(ports, where);
  const own = [...owners].filter(([, { task }]) => task === where.layout.task);
  return own.map(([n, { agent }]) => treePorts(where, agent, n)).toSorted((a, b) => a.first - b.first);
}

/**
 * Gives the task's tree ('') and the trees of agents what they lack: the lowest numbers that no living tree of the
 * project has. Two who give at once do not give the same. Throws BAD_CONFIG where there are none left.
 */
export async function givePorts(
  ports: Ports,
  where: Omit<Where, 'worktrees'>,
  agents: readonly string[],
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const worktrees = liveTrees(ports);
    const now = { ...where, worktrees };
    const { owners, version } = await readGiven(ports, now);
    const { task } = where.layout;
    const has = new Set([...owners.values()].flatMap((one) => (one.task === task ? [one.agent] : [])));
    const lacking = agents.filter((agent) => !has.has(agent) && worktrees.has(pathOf(where.layout, agent)));
    if (lacking.length === 0) return;
    const free = freeNumbers(new Set(owners.keys()), lacking.length);
    const commandId = ports.newId();
    const bodies = lacking.map((agent, at) => {
      const n = free[at] ?? 0;
      assertInRange(where.settings, n);
      const event: Given = { type: 'ports-given', at: nowOf(ports), by: 'engine', task, agent, n };
      return bodyOf(event, commandId);
    });
    const write = appending(commandId, { stream: PORTS_STREAM, expected: version, bodies });
    if ((await ports.store.commit(write)).kind === 'committed') return;
  }
  throw new EngineError('BUSY', 'other writers kept giving ports; nothing was given', 'try again');
}

/** What a program is told of them: in the file beside a tree, and in the environment of a task's checks. */
export const portVariables = ({ first, last, scratch }: TreePorts): Readonly<Record<string, string>> => ({
  COUNTERSIGN_PORT: `${first}`,
  COUNTERSIGN_PORT_LAST: `${last}`,
  COUNTERSIGN_SCRATCH: scratch,
});

/** Lines that a shell can read, and most readers of such files too. */
export const portsFile = (given: TreePorts): string =>
  `${Object.entries(portVariables(given))
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;

/** Which living tree has which number. */
async function readGiven({ store }: Pick<Ports, 'store'>, { layout, settings, worktrees }: Where) {
  const events = (await store.read(PORTS_STREAM)).map((stored) => eventOf<Given>(stored));
  const latest = new Map(events.map((event) => [`${event.task}/${event.agent}`, event]));
  const owners = new Map<number, Given>();
  for (const event of latest.values()) {
    const of = event.task === layout.task ? layout : layoutOf(layout.main, settings, event.task);
    const before = owners.get(event.n);
    // Whose tree was gone when another got its number gets a new one: the later event counts.
    if (worktrees.has(pathOf(of, event.agent)) && (before === undefined || isLater(events, event, before)))
      owners.set(event.n, event);
  }
  return { owners, version: events.length };
}

const isLater = (events: readonly Given[], one: Given, other: Given) =>
  events.indexOf(one) > events.indexOf(other);

const pathOf = (layout: TaskLayout, agent: string): string =>
  agent === '' ? layout.code : layout.agentCode(agent);

function freeNumbers(taken: ReadonlySet<number>, count: number): readonly number[] {
  const free: number[] = [];
  for (let n = 0; free.length < count; n++) if (!taken.has(n)) free.push(n);
  return free;
}

const firstOf = ({ ports }: StagedSettings, n: number) => ports.first + n * ports.each;

function assertInRange(settings: StagedSettings, n: number): void {
  if (firstOf(settings, n + 1) - 1 <= LAST_PORT) return;
  throw new EngineError(
    'BAD_CONFIG',
    `.countersign/config.yaml: staged: ports: there are none left for one more working tree`,
    'begin with a lower port, or give fewer to each',
  );
}

function treePorts({ layout, settings }: Where, agent: string, n: number): TreePorts {
  const named = settings.scratch.replaceAll('{task}', layout.task).replaceAll('{agent}', agent);
  // Plain enough for any database, and short enough with its number, which alone makes it one tree's own.
  const plain = named
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  return {
    agent,
    path: pathOf(layout, agent),
    first: firstOf(settings, n),
    last: firstOf(settings, n + 1) - 1,
    scratch: `${plain.slice(0, 48)}_${n}`,
  };
}
