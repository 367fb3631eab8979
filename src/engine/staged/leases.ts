import type { Append } from '../../store/store.ts';
import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { nowOf, type Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';

/** Who holds a lease. It never ends by itself: the holder gives it back, or a person takes it away (CP-44). */
export interface Holder {
  readonly session: string;
  readonly actor: string;
  /** Grows with every taking: a writer with an older one is too late. */
  readonly token: number;
  /** What the main worktree is held for, '' for a task. */
  readonly operation: string;
  /** The item that the task became, '' for the main worktree. */
  readonly item: string;
  readonly since: string;
  /** When the holder last showed that it is there. */
  readonly beat: string;
}

export interface LeaseRead {
  readonly stream: string;
  readonly version: number;
  readonly holder: Holder | undefined;
  /** The item that the task became last, also when nobody holds it any more. */
  readonly item: string;
}

interface Taken {
  readonly type: 'lease-taken';
  readonly at: string;
  readonly by: string;
  readonly session: string;
  readonly operation: string;
  readonly item: string;
}

interface Beaten {
  readonly type: 'lease-beaten';
  readonly at: string;
  readonly by: string;
  readonly session: string;
}

interface Released {
  readonly type: 'lease-released';
  readonly at: string;
  readonly by: string;
  readonly session: string;
  readonly reason: string;
  /** Taken away by a person. */
  readonly forced: boolean;
  readonly proof: string;
}

type LeaseEvent = Taken | Beaten | Released;

export const MAIN_LEASE = 'lease/main';
export const taskLease = (task: string) => `lease/task/${task}`;

/** The operations that the main worktree can be held for (PROTO-71). */
export const OPERATIONS = ['git-operation', 'file-modification', 'configuration-update'] as const;

/** Reads a lease; what cannot be read is damage, and never nobody's (CP-45). */
export async function readLease(ports: Pick<Ports, 'store'>, stream: string): Promise<LeaseRead> {
  const events = (await ports.store.read(stream)).map((stored) => eventOf<LeaseEvent>(stored));
  let holder: Holder | undefined;
  let token = 0;
  let item = '';
  for (const event of events) {
    if (event.type === 'lease-taken') {
      token += 1;
      item = event.item;
      const { session, operation, at, by } = event;
      holder = { session, operation, item, token, actor: by, since: at, beat: at };
    } else if (event.type === 'lease-released') holder = undefined;
    else if (holder !== undefined) holder = { ...holder, beat: event.at };
  }
  return { stream, version: events.length, holder, item };
}

/** The event that takes a lease which was read as free; for a write that does more than this. */
export function taking(
  read: LeaseRead,
  given: {
    readonly at: string;
    readonly by: string;
    readonly session: string;
    readonly operation: string;
    readonly item: string;
  },
  commandId: string,
): Append {
  const event: Taken = { type: 'lease-taken', ...given };
  return { stream: read.stream, expected: read.version, bodies: [bodyOf(event, commandId)] };
}

export type Taking = { readonly kind: 'taken' | 'own' | 'held'; readonly holder: Holder };

/** A session is named by whoever works in it; no name is none, and equals nothing. Throws BAD_INPUT. */
export function assertSession(session: string): void {
  if (/^[\w.:-]{1,128}$/.test(session)) return;
  throw new EngineError(
    'BAD_INPUT',
    session === '' ? 'no session is named' : 'this cannot be the name of a session',
    'name it with --session ID, or in COUNTERSIGN_SESSION',
  );
}

const ROUNDS = 20;

/** Takes a lease where nobody holds it. One of many who race for it gets it. */
export async function takeLease(
  ports: Ports,
  { actor }: Caller,
  asked: { readonly stream: string; readonly session: string; readonly operation: string },
): Promise<Taking> {
  assertSession(asked.session);
  for (let round = 0; round < ROUNDS; round++) {
    const read = await readLease(ports, asked.stream);
    if (read.holder !== undefined)
      return { kind: read.holder.session === asked.session ? 'own' : 'held', holder: read.holder };
    const given = { ...asked, at: nowOf(ports), by: actor.id, item: '' };
    const { stream: _, ...event } = given;
    const commandId = ports.newId();
    if (await written(ports, commandId, taking(read, event, commandId))) {
      const { holder } = await readLease(ports, asked.stream);
      if (holder !== undefined && holder.session === asked.session) return { kind: 'taken', holder };
    }
  }
  throw busy();
}

/** Gives a lease back, or shows that its holder is there. Throws NO_CREDENTIAL for whoever does not hold it, NOT_FOUND. */
export async function tellLease(
  ports: Ports,
  { actor, proof }: Caller,
  asked: {
    readonly stream: string;
    readonly session: string;
    readonly what: 'beat' | 'release' | 'force';
    readonly reason: string;
  },
): Promise<Holder> {
  for (let round = 0; round < ROUNDS; round++) {
    const read = await readLease(ports, asked.stream);
    const { holder } = read;
    if (holder === undefined) throw new EngineError('NOT_FOUND', `nobody holds ${shown(asked.stream)}`);
    if (asked.what !== 'force' && holder.session !== asked.session) throw foreign(asked.stream, holder);
    if (asked.what === 'force' && proof === undefined)
      throw new EngineError(
        'NO_CREDENTIAL',
        'only a person at a terminal takes a lease away',
        'ask a person',
      );
    const commandId = ports.newId();
    const by = { at: nowOf(ports), by: actor.id, session: holder.session };
    const event: Beaten | Released =
      asked.what === 'beat'
        ? { type: 'lease-beaten', ...by }
        : {
            type: 'lease-released',
            ...by,
            reason: asked.reason,
            forced: asked.what === 'force',
            proof: proof?.id ?? '',
          };
    const append = { stream: asked.stream, expected: read.version, bodies: [bodyOf(event, commandId)] };
    if (await written(ports, commandId, append)) return holder;
  }
  throw busy();
}

async function written(ports: Ports, commandId: string, append: Append): Promise<boolean> {
  const result = await ports.store.commit(appending(commandId, append));
  return result.kind !== 'conflict' && result.kind !== 'fenced';
}

export const shown = (stream: string) =>
  stream === MAIN_LEASE ? 'the main worktree' : `the task ${stream.slice('lease/task/'.length)}`;

/** What whoever does not hold it is told (PROTO-75, PROTO-97). */
export const foreign = (stream: string, holder: Holder) =>
  new EngineError(
    'NO_CREDENTIAL',
    `${shown(stream)} is held by session ${holder.session} (${holder.actor}, since ${holder.since})`,
    'wait for it, or take other work; only a person may take a lease away: countersign lease force',
  );

const busy = () =>
  new EngineError('BUSY', 'other writers kept changing the lease; nothing was written', 'try again');
