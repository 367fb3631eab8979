import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Commit } from '../store.ts';
import type { Connection } from './connection.ts';
import { connect } from './driver.ts';
import { storeError } from './failure.ts';
import { openSqlite } from './open.ts';
import { SqliteStore } from './sqlite-store.ts';

let folder: string;
let path: string;
let connection: Connection;
let store: SqliteStore;

const commit = (commandId: string, size = 10): Commit => ({
  commandId,
  appends: [{ stream: 's', expected: 'any', bodies: ['x'.repeat(size)] }],
  readSet: [],
  items: [],
  links: [],
  jobs: [{ topic: 'verify', key: commandId, payload: 'p', availableAt: '2026-01-01T00:00:00.000Z' }],
  fences: [],
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-failure-'));
  path = join(folder, 'store.db');
  await (await openSqlite(path, { mode: 'create', repositoryId: 'r-1' })).close();
  connection = connect(path, 'any', 50);
  store = new SqliteStore(path, connection);
  await store.commit(commit('first'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('a failing commit leaves nothing behind', () => {
  it('when the disk is full', async () => {
    connection.exec(`PRAGMA max_page_count = ${Number(connection.pragma('page_count')) + 2}`);
    await expect(store.commit(commit('big', 100_000))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'FULL',
    });
    expect(await store.job('verify', 'big')).toBeUndefined();
    expect(await store.commit(commit('small'))).toMatchObject({ kind: 'committed' });
    expect((await store.read('s')).map((event) => event.command)).toEqual(['first', 'small']);
    expect(await store.integrity()).toEqual([]);
  });

  it('when it may only read', async () => {
    connection.exec('PRAGMA query_only = ON');
    await expect(store.commit(commit('c'))).rejects.toMatchObject({ code: 'READ_ONLY' });
    expect(await store.eventCount()).toBe(1);
  });

  it('when another process keeps the lock; readers go on', async () => {
    const other = connect(path, 'any', 0);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.commit(commit('c'))).rejects.toMatchObject({ code: 'BUSY' });
    expect(await store.eventCount()).toBe(1);
    other.exec('ROLLBACK');
    other.close();
    expect(await store.commit(commit('c'))).toMatchObject({ kind: 'committed' });
  });

  it('when the file contradicts itself: a head set back, a head of no hash, a table gone', async () => {
    connection.exec(`UPDATE streams SET version = 0`);
    await expect(store.commit(commit('c1'))).rejects.toMatchObject({ code: 'DAMAGED' });
    connection.exec(`UPDATE streams SET version = 1, hash = 'none'`);
    await expect(store.commit(commit('c2'))).rejects.toMatchObject({ code: 'DAMAGED' });
    expect(await store.eventCount()).toBe(1);
    connection.exec('DROP TABLE tallies');
    await expect(store.tally(undefined)).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});

describe('integrity names', () => {
  const changes: Record<string, readonly [sql: string, finding: RegExp]> = {
    'a dropped index': ['DROP INDEX items_due', /items_due is missing/],
    'a dropped table': ['DROP TABLE links', /links is missing/],
    'a trigger that does not belong': [
      `CREATE TRIGGER quiet BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END`,
      /trigger quiet does not belong/,
    ],
    'a table that does not belong': ['CREATE TABLE approvals (id)', /table approvals does not belong/],
    'a changed table': ['ALTER TABLE links ADD COLUMN note TEXT', /table links was changed/],
    'another version': ['PRAGMA user_version = 3', /version 3 instead of 2/],
    'an edited payload': [`UPDATE jobs SET payload = 'q'`, /verify\/first was changed/],
    'a job finished by hand': ['UPDATE jobs SET finished = 1', /verify\/first was changed/],
    'a job given away': [`UPDATE jobs SET owner = 'me', fence = 1`, /verify\/first was changed/],
    'events without a stream': [
      'PRAGMA foreign_keys = OFF; DELETE FROM streams',
      /events: row 1 has no row in streams/,
    ],
  };
  for (const [what, [sql, finding]] of Object.entries(changes)) {
    it(what, async () => {
      expect(await store.integrity()).toEqual([]);
      connection.exec(sql);
      expect((await store.integrity()).join('\n')).toMatch(finding);
    });
  }

  it('a check that cannot run', async () => {
    connection.exec('DROP TABLE jobs');
    expect((await store.integrity()).join('\n')).toMatch(/unsealedJobs: no such table/);
  });
});

describe('errors', () => {
  it('that are no condition of the file stay what they are', () => {
    const bug = new TypeError('bug');
    expect(storeError(path, bug)).toBe(bug);
    expect(storeError(path, 'text')).toBe('text');
  });

  it('of a statement that is wrong stay what they are, and roll back', () => {
    const before = readFileSync(path);
    const wrong = () => connection.immediate(() => connection.exec('DELETE FROM events; SELEKT'));
    expect(wrong).toThrow(/syntax error/);
    expect(connection.prepare('SELECT count(*) AS count FROM events').get()).toEqual({ count: 1 });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
