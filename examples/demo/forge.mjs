// What a cheat does behind the back of the command line: raw writes into the database, and forged proof packs.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const STORE = '.git/countersign/store.db';

/** The store of a repository, opened for raw writes by whichever SQLite driver is here. */
async function database(path) {
  const builtIn = await import('node:sqlite').catch(() => undefined);
  if (builtIn !== undefined) return new builtIn.DatabaseSync(path);
  const Driver = createRequire(import.meta.url)('better-sqlite3');
  return new Driver(path);
}

async function withStore({ repo }, work) {
  const db = await database(join(repo, STORE));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Keeps a copy of the store; answers how to put it back. Nothing has it open between two commands. */
export function keepStore({ repo, root }) {
  const store = join(repo, STORE);
  const copy = join(root, 'store.copy');
  copyFileSync(store, copy);
  return () => {
    for (const file of [`${store}-wal`, `${store}-shm`]) rmSync(file, { force: true });
    copyFileSync(copy, store);
  };
}

const setRow = (db) =>
  db.prepare(`UPDATE items SET state = 'completed', category = 'CLOSED' WHERE number = 1`).run();

/** Writes `completed` over the row of the board. */
export const editRow = (stage) => withStore(stage, setRow);

/** Rewrites the verdict in the log itself: BLOCKED becomes PASSED. */
export const editLog = (stage) =>
  withStore(stage, (db) =>
    db
      .prepare(`UPDATE events SET body = replace(body, '"BLOCKED"', '"PASSED"') WHERE stream LIKE 'item/%'`)
      .run(),
  );

/** Adds a well-chained event that completes the item, and lets board and counts say the same. */
export const appendToLog = (stage) =>
  withStore(stage, (db) => {
    const last = db.prepare(`SELECT * FROM events WHERE stream LIKE 'item/%' ORDER BY position DESC`).get();
    const { position } = db.prepare('SELECT max(position) AS position FROM events').get();
    const { stream, command } = last;
    const version = last.version + 1;
    const body = completion(last.body);
    const hash = link(last.hash, stream, version, body);
    db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)').run(
      ...[position + 1, stream, version, hash, command, body],
    );
    db.prepare('UPDATE streams SET version = ?, hash = ? WHERE stream = ?').run(version, hash, stream);
    const { state } = db.prepare('SELECT state FROM items WHERE number = 1').get();
    setRow(db);
    db.prepare('UPDATE items SET version = ? WHERE number = 1').run(version);
    db.prepare('UPDATE tallies SET count = count - 1 WHERE state = ?').run(state);
    db.prepare(`INSERT INTO tallies VALUES ('main', 'two-phase', 'completed', 'CLOSED', 0, 1)`).run();
  });

/** The last move of the item, turned into its completion by the lead. Members stay in their order. */
function completion(body) {
  const event = JSON.parse(body);
  const { data } = event;
  const moved = { command: 'complete', facts: {}, from: data.to, origin: data.to, row: 8, to: 'completed' };
  return JSON.stringify({ ...event, by: 'lead', data: { ...data, ...moved } });
}

/** docs/formats/chain.md, in a few lines: the chain needs no key. */
function link(before, stream, version, body) {
  const name = Buffer.from(stream);
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32BE(name.length, 0);
  numbers.writeBigUInt64BE(BigInt(version), 4);
  const parts = [Buffer.of(2), Buffer.from(before, 'hex'), numbers.subarray(0, 4), name, numbers.subarray(4)];
  return createHash('sha256')
    .update(Buffer.concat([...parts, Buffer.from(body)]))
    .digest('hex');
}

/** A copy of a signed pack whose verdict says PASSED, under the old signature or under a key of the forger's own. */
export function forgePack(source, target, { ownKey }) {
  const lines = readFileSync(source, 'utf8').trimEnd().split('\n');
  const verdict = JSON.parse(lines.pop());
  const statement = Buffer.from(verdict.payload, 'base64').toString('utf8').replaceAll('BLOCKED', 'PASSED');
  verdict.payload = Buffer.from(statement).toString('base64');
  if (ownKey) verdict.signatures = [signature(verdict)];
  writeFileSync(target, `${[...lines, JSON.stringify(verdict)].join('\n')}\n`);
  return target;
}

/** DSSE: what is signed is the type and the payload, each with its length. */
function signature({ payloadType, payload }) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const body = Buffer.from(payload, 'base64');
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `),
    body,
  ]);
  const keyid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return { keyid, sig: sign(null, signed, privateKey).toString('base64') };
}
