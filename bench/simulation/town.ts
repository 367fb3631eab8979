import { generateKeyPair, signerFrom } from '../../src/attestation/key.ts';
import { addActor, addToken, setRoles } from '../../src/engine/actors.ts';
import type { Caller } from '../../src/engine/caller.ts';
import type { Opened } from '../../src/engine/composition.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { EngineError } from '../../src/engine/engine-error.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { found } from '../../src/engine/setup.ts';
import { uuidv7 } from '../../src/ids.ts';
import { type Agents, agentsInMemory } from './agents-in-memory.ts';
import { CAST, PERSON } from './cast.ts';
import { type Dice, diceOf } from './dice.ts';
import { evidenceInMemory, filesInMemory } from './files-in-memory.ts';
import { gitInMemory } from './git-in-memory.ts';
import { Repository } from './repository.ts';
import { runnerInMemory } from './runner-in-memory.ts';
import { type Content, nothingOf, storeInMemory } from './store-in-memory.ts';
import { type Papers, workspaceInMemory } from './workspace-in-memory.ts';

/** The process that looks on, and never works. */
export const TOWN = 'the town';
export const MAIN = '/town/repo';
const BEGIN = Date.parse('2025-10-24T21:00:00Z');
const REPOSITORY = '0199f000-0000-7000-8000-000000000000';

const TASK_LIST = (tasks: readonly string[]) =>
  `# Todo\n\n${tasks.map((task) => `## ${task}\n\n- **Purpose**: it works\n- **Scope**: src/\n- **Components**: one\n`).join('\n')}`;

export const STAGED_TASKS = ['parse-dates', 'other-task'] as const;

const FILES = {
  'README.md': '# Town\n',
  'todo.md': TASK_LIST(STAGED_TASKS),
  '.countersign/config.yaml': `settings: {acknowledge: orchestrator}
agents:
  builder: {adapter: command, command: [none]}
  reviewer: {adapter: command, command: [none]}
phases: {reviewers: 2}
`,
  '.countersign/criteria/default.yaml': `schema: countersign/criteria/1
name: default
checks:
  - {id: sound, kind: file, path: README.md, contains: Town}
`,
};

/** Everything around the engine, for one run: all of it is in memory, and the engine and its store are the real ones. */
export interface Town {
  readonly repository: Repository;
  readonly papers: Papers;
  readonly agents: Agents;
  readonly ports: Ports;
  /** The same as one process has them: its own clock, and a place where it stands. */
  portsOf(process: string, at?: { readonly skew?: number; readonly here?: string }): Ports;
  open(ports: Ports): Opened;
  /** Who calls, by the credential that is kept for them. Throws NO_CREDENTIAL. */
  caller(ports: Ports, name: string): Promise<Caller>;
  /** Moves the clock, back as well. */
  pass(milliseconds: number): void;
  now(): string;
  readonly dead: Set<string>;
  /** Runs that cannot be carried out from now on, so many. */
  breakRuns(count: number): void;
  readonly tokens: Map<string, { readonly token: string; readonly id: string }>;
  save(): Saved;
  close(): Promise<void>;
}

const KEYS = {
  runner: signerFrom(generateKeyPair().privatePem),
  checkpoint: signerFrom(generateKeyPair().privatePem),
};

/** A town as it stands, to begin others with. */
export interface Saved {
  readonly content: Content;
  readonly tokens: ReadonlyMap<string, { readonly token: string; readonly id: string }>;
  readonly repository: Repository;
  readonly papers: Papers;
  readonly agents: Agents['states'];
  readonly evidence: ReadonlyMap<string, Buffer>;
  readonly files: ReadonlyMap<string, string>;
  readonly dead: ReadonlySet<string>;
  readonly now: number;
}

const nothing = (): Saved => ({
  ...{ content: nothingOf(REPOSITORY), tokens: new Map(), repository: new Repository(MAIN, FILES) },
  ...{
    papers: new Map(),
    agents: new Map(),
    evidence: new Map(),
    files: new Map(),
    dead: new Set(),
    now: BEGIN,
  },
});

let founded: Promise<Saved> | undefined;

/** A town of its own, as it was saved or (undefined) founded. `dice`: of all ids and waits in it. */
export async function openTown(
  dice: Dice,
  wrap: (ports: Ports) => Ports,
  saved: Saved | undefined,
): Promise<Town> {
  founded ??= foundTown();
  return townOver(saved ?? (await founded), dice, wrap);
}

function townOver(saved: Saved, dice: Dice, wrap: (ports: Ports) => Ports): Town {
  const { store, content } = storeInMemory(saved.content);
  const clock = { now: saved.now };
  const broken = { left: 0 };
  const tokens: Town['tokens'] = new Map(saved.tokens);
  const dead = new Set(saved.dead);
  const now = () => new Date(clock.now).toISOString();
  const repository = saved.repository.copy();
  const papers: Papers = new Map(saved.papers);
  const agents = agentsInMemory(now, saved.agents);
  const evidence = new Map(saved.evidence);
  const files = new Map(saved.files);
  const breaks = () => {
    broken.left -= 1;
    return broken.left >= 0;
  };
  const random = (count: number) => (count === 1 ? Buffer.alloc(1) : dice.bytes(count));
  const git = gitInMemory(repository);
  const common = {
    ...{ store, git, agents, random, protectionLevel: 'cooperative' },
    evidence: evidenceInMemory(evidence),
    files: filesInMemory(files, (path) =>
      path === 'note.txt' ? `looked at, ${dice.below(1_000)}\n` : undefined,
    ),
    runner: runnerInMemory(repository, now, breaks),
    signer: (purpose: 'runner' | 'checkpoint') => KEYS[purpose],
  };
  const portsOf: Town['portsOf'] = (process, { skew = 0, here = MAIN } = {}) =>
    wrap({
      ...common,
      clock: () => new Date(clock.now + skew),
      newId: () => uuidv7(clock.now + skew, random),
      workspace: workspaceInMemory(repository, papers, here),
      process: { owner: process, isAlive: (other) => !dead.has(other) },
    });
  const credentials = credentialsOver(tokens);
  const open = (ports: Ports): Opened => ({
    ...{
      ports,
      credentials,
      driver: 'in memory',
      storePlace: ':memory:',
      places: { top: MAIN, state: '/town/state' },
    },
    stageKey: () => {
      throw new RangeError('nobody renews a key here');
    },
  });
  return {
    ...{ repository, papers, agents, portsOf, open, now, dead, tokens },
    ports: portsOf(TOWN),
    caller: (ports, name) => callerOf(open(ports), name === PERSON ? '' : name),
    pass(milliseconds) {
      clock.now += milliseconds;
    },
    breakRuns(count) {
      broken.left = count;
    },
    save: () => ({
      ...{ content: content(), tokens: new Map(tokens), repository: repository.copy(), now: clock.now },
      ...{ papers: new Map(papers), agents: new Map(agents.states), dead: new Set(dead) },
      ...{ evidence: new Map(evidence), files: new Map(files) },
    }),
    close: () => store.close(),
  };
}

const credentialsOver = (tokens: Town['tokens']): Opened['credentials'] => ({
  folder: '/town/credentials',
  here: true,
  vouch: () => {},
  isPassphrase: async () => false,
  keepPassphrase: async () => {},
  read(actor) {
    const found = tokens.get(actor);
    if (found === undefined) throw new EngineError('NO_CREDENTIAL', `there is no token for ${actor} here`);
    return found.token;
  },
  write(actor, token) {
    tokens.set(actor, { token, id: '' });
    return actor;
  },
  hand(actor, token) {
    tokens.set(actor, { token, id: '' });
    return actor;
  },
});

async function foundTown(): Promise<Saved> {
  const town = townOver(nothing(), diceOf(1), (ports) => ports);
  const { ports } = town;
  const keys = (['runner', 'checkpoint'] as const).map((purpose) => {
    const { keyid, publicPem } = KEYS[purpose];
    return { keyid, publicPem, purpose };
  });
  await found(ports, { repository: REPOSITORY, owner: PERSON, roles: [], keys });
  const authority = { ...(await town.caller(ports, PERSON)), token: undefined };
  for (const [id, { roles, of }] of Object.entries(CAST)) {
    const added = await addActor(ports, authority, { id, kind: 'agent', roles, parent: of });
    if (!added.ok) throw new Error(added.because);
    await giveToken(town, id);
  }
  await setRoles(ports, authority, PERSON, []);
  const saved = town.save();
  await town.close();
  return saved;
}

/** The person gives an agent a token, in the place of the one it had. */
export async function giveToken(town: Town, actor: string): Promise<void> {
  const authority = { ...(await town.caller(town.ports, PERSON)), token: undefined };
  const issued = await addToken(town.ports, authority, { actor, expiresAt: '', items: [], roles: [] });
  if (!issued.ok) throw new Error(issued.because);
  town.tokens.set(actor, { token: issued.token, id: issued.id });
}
