import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { runCli } from '../src/cli/cli.ts';
import { compose } from '../src/compose.ts';
import { addActor, addToken, setRoles } from '../src/engine/actors.ts';
import type { Composition, Opened } from '../src/engine/composition.ts';
import { callerOf } from '../src/engine/credential.ts';
import { findRow, itemStream } from '../src/engine/handle.ts';
import type { Ports } from '../src/engine/ports.ts';
import { type RefusalEvent, refusalStream } from '../src/engine/refuse.ts';
import { eventOf } from '../src/engine/stored.ts';
import type { Todo } from '../src/engine/todo.ts';
import type { ItemEvent } from '../src/kernel/event.ts';
import { freshFolder, type Scratch, scratch, scratchAt } from './fixtures/scratch-repo.ts';
import { modelFor, type Stand } from './session-model.ts';

/** The real CLI on a real repository, in this process: only clock, randomness and the state folder are ours. */
export interface Session {
  readonly repo: Scratch;
  readonly env: NodeJS.ProcessEnv;
  readonly composition: Composition;
  /** Runs a command as an actor ('' = the person of the machine) and reads its JSON document. */
  say(actor: string, ...words: readonly string[]): Promise<Said>;
  /** The same, as people see it. */
  text(actor: string, ...words: readonly string[]): Promise<Told>;
  /** Sets the clock; every command then takes one second. */
  at(iso: string): void;
  now(): string;
  /** Registers an agent and keeps a token for it, as a person would. */
  register(
    id: string,
    roles: readonly string[],
    parent?: string,
    token?: Partial<TokenLimits>,
  ): Promise<string>;
  with<T>(work: (opened: Opened) => Promise<T>): Promise<T>;
  events(ref: string): Promise<readonly ItemEvent[]>;
  refusals(ref: string): Promise<readonly RefusalEvent[]>;
  /** Everything stored about an item, byte for byte. */
  snapshot(ref: string): Promise<string>;
  /** The same repository, people and clock, asked from another folder. */
  from(folder: string): Session;
  /** Where its clock and its random bytes stand. */
  stand(): Stand;
  close(): void;
}

export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Said extends Told {
  readonly data: Todo & { readonly [more: string]: unknown };
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly state: string;
    readonly missing: readonly { readonly guard: string; readonly because: string; readonly fix: string }[];
    readonly next: readonly string[];
    readonly todo: Todo;
  };
}

interface TokenLimits {
  readonly roles: readonly string[];
  readonly items: readonly string[];
  readonly expiresAt: string;
}

export interface Setting {
  /** Files of the first commit on the default branch, beside the criteria. */
  readonly files: Readonly<Record<string, string>>;
  /** `.countersign/config.yaml`, '' for none. */
  readonly config: string;
  /** Text of the default criteria, '' for none. */
  readonly criteria: string;
  /** Agents by name with their roles. */
  readonly agents: Readonly<Record<string, readonly string[]>>;
  /** Roles that the person keeps beside the agents. */
  readonly ownerRoles: readonly string[];
  readonly wrap: (ports: Ports) => Ports;
}

export const OWNER = 'ada';

export const TEAM = {
  orchestrator: ['workflow-orchestrator'],
  'swiftui-developer': ['specialist'],
  'react-18-specialist': ['specialist'],
  'verification-agent': ['verification-agent'],
  'quality-validator': ['quality-validator'],
} as const;

/** Nobody is asked at a terminal: the orchestrator acknowledges. */
export const BY_ORCHESTRATOR = 'settings: {acknowledge: orchestrator}\n';

/** Passes as soon as the work says that it is done. */
export const DONE_CHECK = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
`;

const TEAM_SETTING: Setting = {
  files: { 'README.md': '# Scratch\n' },
  config: BY_ORCHESTRATOR,
  criteria: DONE_CHECK,
  agents: TEAM,
  ownerRoles: [],
  wrap: (ports) => ports,
};

/** A repository with a store, a team, criteria and configuration; the work goes on on a branch. */
export async function openSession(asked: Partial<Setting> = {}, root = freshFolder()): Promise<Session> {
  const { wrap, ...setting } = { ...TEAM_SETTING, ...asked };
  // What is projected belongs to the folder that it was projected into, and who wraps the ports looks on from the first.
  const model =
    asked.wrap === undefined && !setting.config.includes('projections') ? modelFor(setting) : undefined;
  const stand = model?.layInto(root);
  if (stand !== undefined) return sessionAgain(root, stand);
  const session = await founded(root, setting, wrap);
  model?.keep(session.repo.root, session.stand());
  return session;
}

/** A session that was kept, over its repository in `root`, where it lay before. */
export function sessionAgain(root: string, stand: Stand): Session {
  const session = sessionIn(scratchAt(root, join(root, 'repo')), stand, (ports) => ports);
  session.repo.git('update-index', '-q', '--refresh');
  return session;
}

const BEGIN = { now: Date.parse('2025-10-24T21:00:00Z'), drawn: 0 };

/** The set-up itself, by the commands of the product. */
async function founded(root: string, setting: Omit<Setting, 'wrap'>, wrap: Setting['wrap']) {
  const repo = scratch({ name: 'repo', root });
  const session = sessionIn(repo, BEGIN, wrap);
  repo.commit({
    ...setting.files,
    ...(setting.criteria === '' ? {} : { '.countersign/criteria/default.yaml': setting.criteria }),
    ...(setting.config === '' ? {} : { '.countersign/config.yaml': setting.config }),
  });
  await session.say('', 'init', '--owner', OWNER);
  for (const [id, roles] of Object.entries(setting.agents)) await session.register(id, roles);
  await session.with(async (opened) =>
    setRoles(opened.ports, { ...(await callerOf(opened, '')), token: undefined }, OWNER, setting.ownerRoles),
  );
  repo.git('checkout', '-q', '-b', 'work');
  return session;
}

/** A session over a repository, from where its clock and its random bytes stand. */
function sessionIn(repo: Scratch, stand: Stand, wrap: Setting['wrap']): Session {
  const env = {
    PATH: process.env.PATH,
    HOME: repo.root,
    XDG_STATE_HOME: join(repo.root, 'state'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const clock = { now: stand.now };
  const random = seeded(stand.drawn);
  const seams = { clock: () => new Date(clock.now), random: random.bytes, env, wrap };
  const around = { clock, stand: () => ({ now: clock.now, drawn: random.drawn() }) };
  return sessionOf(repo, env, (folder) => compose(folder, seams), around, repo.top);
}

function sessionOf(
  repo: Scratch,
  env: NodeJS.ProcessEnv,
  composed: (folder: string) => Composition,
  around: { readonly clock: { now: number }; readonly stand: () => Stand },
  folder: string,
): Session {
  const { clock, stand } = around;
  const composition = composed(folder);
  const text = async (actor: string, ...words: readonly string[]): Promise<Told> => {
    const written = { out: '', err: '' };
    const surroundings = {
      env,
      out: (piece: string) => {
        written.out += piece;
      },
      err: (piece: string) => {
        written.err += piece;
      },
      interactive: false,
      color: false,
      signal: new AbortController().signal,
    };
    clock.now += 1_000;
    const code = await runCli(
      [...(actor === '' ? [] : ['--actor', actor]), ...words],
      composition,
      surroundings,
    );
    return { code, ...written };
  };
  const withOpened = async <T>(work: (opened: Opened) => Promise<T>): Promise<T> => {
    const opened = await composition.open();
    try {
      return await work(opened);
    } finally {
      await opened.ports.store.close();
    }
  };
  const stored = (ref: string, stream: (id: string) => string) =>
    withOpened(async ({ ports }) => ports.store.read(stream((await findRow(ports, ref)).id)));
  return {
    repo,
    env,
    composition,
    text,
    with: withOpened,
    async say(actor, ...words) {
      const told = await text(actor, '--json', ...words);
      return { ...told, ...(JSON.parse(told.out) as Pick<Said, 'data' | 'error'>) };
    },
    at(iso) {
      // The next command takes its second first.
      clock.now = Date.parse(iso) - 1_000;
    },
    now: () => new Date(clock.now).toISOString(),
    register: (id, roles, parent = '', token = {}) =>
      withOpened((opened) => registered(opened, id, roles, parent, token)),
    events: async (ref) => (await stored(ref, itemStream)).map((e) => eventOf<ItemEvent>(e)),
    refusals: async (ref) => (await stored(ref, refusalStream)).map((e) => eventOf<RefusalEvent>(e)),
    snapshot: (ref) =>
      withOpened(async ({ ports }) => {
        const row = await findRow(ports, ref);
        return JSON.stringify([row, await ports.store.read(itemStream(row.id))]);
      }),
    from: (other) => sessionOf(repo, env, composed, around, other),
    stand,
    close: () => repo.remove(),
  };
}

async function registered(
  opened: Opened,
  id: string,
  roles: readonly string[],
  parent: string,
  token: Partial<TokenLimits>,
): Promise<string> {
  const authority = { ...(await callerOf(opened, '')), token: undefined };
  const added = await addActor(opened.ports, authority, { id, kind: 'agent', roles, parent });
  if (!added.ok) throw new Error(added.because);
  const limits = { roles: [], items: [], expiresAt: '', ...token };
  const issued = await addToken(opened.ports, authority, { actor: id, ...limits });
  if (!issued.ok) throw new Error(issued.because);
  opened.credentials.write(id, issued.token);
  return issued.id;
}

/** The same bytes in every run. */
function seeded(drawn: number) {
  let n = drawn;
  return {
    drawn: () => n,
    bytes: (bytes: number): Buffer => {
      const parts: Buffer[] = [];
      for (let length = 0; length < bytes; length += 32) {
        n += 1;
        parts.push(createHash('sha256').update(`seed ${n}`).digest());
      }
      return Buffer.concat(parts).subarray(0, bytes);
    },
  };
}
