import type { Append } from '../../store/store.ts';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';
import { assertTaskName } from './layout.ts';

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
  /** Where the main branch stood, of the main worktree alone: what moved it between two holders was nobody's to do. */
  readonly head?: string;
}

export interface Beaten {
  readonly type: 'lease-beaten';
  readonly at: string;
  readonly by: string;
  readonly session: string;
}

export interface Released {
  readonly type: 'lease-released';
  readonly at: string;
  readonly by: string;
  readonly session: string;
  readonly reason: string;
  /** Taken away by a person. */
  readonly forced: boolean;
  readonly proof: string;
  /** As above. */
  readonly head?: string;
}

type LeaseEvent = Taken | Beaten | Released;

export const MAIN_LEASE = 'lease/main';
export const taskLease = (task: string) => `lease/task/${task}`;

/** The stream behind what a user calls it: `main`, or the name of a task. Throws BAD_INPUT for what is neither. */
export function leaseOf(what: string): string {
  if (what === 'main') return MAIN_LEASE;
  assertTaskName(what);
  return taskLease(what);
}

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

/** What a task became each time that it was begun, the oldest first. */
export async function itemsOf(ports: Pick<Ports, 'store'>, stream: string): Promise<readonly string[]> {
  const events = (await ports.store.read(stream)).map((stored) => eventOf<LeaseEvent>(stored));
  return [...new Set(events.flatMap((event) => (event.type === 'lease-taken' ? [event.item] : [])))];
}

/** A taking or an ending of a lease, with its place in the whole log. */
export interface Handing {
  readonly position: number;
  readonly at: string;
  readonly session: string;
  readonly isHeld: boolean;
  /** Where the main branch stood then, '' where that was not put on record. */
  readonly head: string;
}

/** Whose a lease was and when, the oldest first. */
export async function handingsOf(ports: Pick<Ports, 'store'>, stream: string): Promise<readonly Handing[]> {
  return (await ports.store.read(stream)).flatMap((stored) => {
    const event = eventOf<LeaseEvent>(stored);
    if (event.type === 'lease-beaten') return [];
    const { at, session, head = '', type } = event;
    return [{ position: stored.position, at, session, head, isHeld: type === 'lease-taken' }];
  });
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
    readonly head?: string;
  },
  commandId: string,
): Append {
  const event: Taken = { type: 'lease-taken', ...given };
  return { stream: read.stream, expected: read.version, bodies: [bodyOf(event, commandId)] };
}

/** A session is named by whoever works in it; no name is none, and equals nothing. Throws BAD_INPUT. */
export function assertSession(session: string): void {
  if (/^[\w.:-]{1,128}$/.test(session)) return;
  throw new EngineError(
    'BAD_INPUT',
    session === '' ? 'no session is named' : 'this cannot be the name of a session',
    'name it with --session ID, or in COUNTERSIGN_SESSION',
  );
}

export const shortOf = (stream: string) =>
  stream === MAIN_LEASE ? 'main' : stream.slice('lease/task/'.length);

export const shown = (stream: string) =>
  stream === MAIN_LEASE ? 'the main worktree' : `the task ${shortOf(stream)}`;

/** What whoever does not hold it is told (PROTO-75, PROTO-97). */
export const foreign = (stream: string, holder: Holder) =>
  new EngineError(
    'NO_CREDENTIAL',
    `${shown(stream)} is held by session ${holder.session} (${holder.actor}, since ${holder.since})`,
    `wait for it, or take other work; only a person may take it away: countersign lease force ${shortOf(stream)} --reason WHY`,
  );
