import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type PoolClient, types } from 'pg';
import { StoreError } from '../store.ts';
import { isLost, isPassing, storeError } from './failure.ts';
import { type Location, withoutPassword } from './location.ts';

/** A statement in the text of this house: `{}` stands for the schema. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** One connection, within a piece of work. */
export interface Session {
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Sends all at once and waits for all; throws the first error. Answers the rows of each. */
  all(statements: readonly Statement[]): Promise<readonly (readonly object[])[]>;
}

/** One schema of a database, over connections that are made anew when they are lost. */
export interface Database {
  readonly schema: string;
  /** For people: the place without a password. */
  readonly place: string;
  /** Reads; asked again while the server cannot be reached, until patience ends. */
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** One connection for work that knows what to do when the connection is lost in the middle. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Does it again while the server cannot be reached; `retried` says that an earlier attempt may have been kept. */
  insisting<T>(work: (retried: boolean) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How long a call waits for a server that is away, in milliseconds. */
  readonly patience: number;
  readonly connections: number;
}

const INT8 = 20;
const SETTINGS = `SELECT set_config('lock_timeout', '10s', false),
  set_config('idle_in_transaction_session_timeout', '5s', false), set_config('client_min_messages', 'error', false),
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END`;

/**
 * What we ask for is found by keys. Of tables that grew since anybody counted their rows a server believes that reading the whole
 * is as fast, and keeps to that for as long as the connection lives. And it makes a plan for each question anew where it thinks
 * that the values might change it, which takes longer than the question. Not every engine has these settings.
 */
const BY_KEYS = `SELECT set_config(name, CASE name WHEN 'plan_cache_mode' THEN 'force_generic_plan' ELSE 'off' END, false)
  FROM pg_settings WHERE name IN ('enable_seqscan', 'jit', 'plan_cache_mode')`;

/** Connects at the first question. A connection waits for a lock for ten seconds, and answers when a commit is durable. */
export function connect(location: Location, { patience, connections }: DatabaseOptions): Database {
  const { connection, schema } = location;
  const place = `schema ${schema} of ${withoutPassword(connection)}`;
  const pool = new Pool({
    connectionString: connection,
    max: connections,
    pipeline: true,
    keepAlive: true,
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.max(1_000, patience),
    application_name: 'countersign',
    types: { getTypeParser },
    onConnect: async (client) => void (await client.query(`${SETTINGS}; ${BY_KEYS}`)),
  });
  // A connection that dies while nobody uses it is replaced at the next question; one in use fails its questions too.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = preparedFor(schema);
  let closed = false;
  let reached = false;

  const session = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    if (closed) throw new StoreError('UNAVAILABLE', `${place} was closed`);
    const client = await pool.connect();
    reached = true;
    let failure: unknown;
    try {
      return await work(sessionOver(client, prepared));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isLost(failure));
    }
  };
  const insisting = async <T>(work: (retried: boolean) => Promise<T>): Promise<T> => {
    const began = Date.now();
    for (let round = 0; ; round += 1) {
      try {
        return await work(round > 0);
      } catch (error) {
        // Where nobody has ever answered, the place is more likely wrong than the server away.
        reached ||= isPassing(error);
        const until = began + (reached ? patience : patience / 5);
        if (!isLost(error) || closed || Date.now() >= until) throw storeError(place, error);
        await delay(Math.min(250, 10 * 2 ** round));
      }
    }
  };
  return {
    schema,
    place,
    session,
    insisting,
    rows: (text, values) => insisting(() => session((one) => one.rows(text, values))),
    async close() {
      if (closed) return;
      closed = true;
      await pool.end();
    },
  };
}

function sessionOver(client: PoolClient, prepared: ReturnType<typeof preparedFor>): Session {
  const send = async (text: string, values: readonly unknown[] = []) => {
    const { rows } = await client.query({ ...prepared(text), values: [...values] });
    return rows as object[];
  };
  return {
    rows: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await send(text, values)) as Row[],
    async all(statements) {
      const sent = together(client, () => statements.map(({ text, values }) => send(text, values)));
      const settled = await Promise.allSettled(sent);
      const failed = settled.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return settled.map((one) => (one.status === 'fulfilled' ? one.value : []));
    },
  };
}

/**
 * Hands all that is asked to the system in one piece. Otherwise the server could begin, take the turn, and wait for the
 * rest while this process is not running. Without the socket in reach it is as right, and slower.
 */
function together<T>(client: PoolClient, ask: () => T): T {
  const { stream } =
    (client as { connection?: { stream?: Partial<Pick<Socket, 'cork' | 'uncork'>> } }).connection ?? {};
  stream?.cork?.();
  try {
    return ask();
  } finally {
    stream?.uncork?.();
  }
}

/** The statement for a text, prepared once on each connection. */
function preparedFor(schema: string) {
  const known = new Map<string, { readonly name: string; readonly text: string }>();
  return (text: string) => {
    let statement = known.get(text);
    if (statement === undefined) {
      statement = { name: `s${known.size}`, text: text.replaceAll('{}', `"${schema}"`) };
      known.set(text, statement);
    }
    return statement;
  };
}

/** Whole numbers of eight bytes are numbers here; none comes near 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid);
