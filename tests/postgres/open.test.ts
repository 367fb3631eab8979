import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/postgres/database.ts';
import { createSchema, migrateSchema, readSchema } from '../../src/store/postgres/migrate.ts';
import { MIGRATIONS, type Migration } from '../../src/store/postgres/migrations.ts';
import { databaseAt, openPostgres } from '../../src/store/postgres/open.ts';
import type { Commit } from '../../src/store/store.ts';
import { append, commitOf, itemRow } from '../contracts/store-samples.ts';
import { type Cluster, startCluster } from '../postgres.ts';

let cluster: Cluster;
let database: string;
let schema: string;
let url: string;
let schemas = 0;
beforeAll(async () => {
  cluster = startCluster();
  database = await cluster.database();
});
afterAll(() => cluster?.remove());
beforeEach(() => {
  schema = `o${++schemas}`;
  url = `${database}&schema=${schema}`;
});

const open = (mode: 'create' | 'open' = 'open', at = url, repositoryId = 'r-1') =>
  openPostgres(at, { mode, repositoryId, patience: 2_000 });
const made = async () => (await open('create')).close();
const sql = (text: string) => cluster.sql(database, text);
const code = (wanted: string) => ({ name: 'StoreError', code: wanted });
const tablesIn = async () =>
  (await sql(`SELECT table_name FROM information_schema.tables WHERE table_schema = '${schema}'`)).length;

describe('opening', () => {
  it('says NOT_FOUND where there is no schema, and where it is empty, and makes none', async () => {
    await expect(open()).rejects.toMatchObject(code('NOT_FOUND'));
    await sql(`CREATE SCHEMA ${schema}`);
    await expect(open()).rejects.toMatchObject(code('NOT_FOUND'));
    expect(await tablesIn()).toBe(0);
  });

  it('keeps content and repository id of a store that is there, in both modes', async () => {
    const first = await open('create');
    await first.commit(commitOf('c', { appends: [append('s', 0, 'x')] }));
    await first.close();
    await first.close();
    for (const mode of ['create', 'open'] as const) {
      const store = await open(mode, url, mode === 'create' ? 'r-2' : 'r-1');
      expect([await store.repositoryId(), await store.eventCount()]).toEqual(['r-1', 1]);
      expect(await store.integrity()).toEqual([]);
      await store.close();
    }
  });

  it('takes the name of the repository where the URL names no schema', async () => {
    const store = await open('create', database, '0192-AB');
    expect(store.schema).toBe('countersign_0192ab');
    await store.close();
    await expect(open('open', database)).rejects.toMatchObject(code('BAD_URL'));
  });

  it.each<[string, (schema: string) => string, string]>([
    ['a later version', (s) => `INSERT INTO ${s}.migrations VALUES (99, 'x', 'y', 'z')`, 'NEWER_SCHEMA'],
    ['another migration than ours', (s) => `UPDATE ${s}.migrations SET digest = 'x'`, 'DAMAGED'],
    ['no repository', (s) => `DELETE FROM ${s}.meta`, 'DAMAGED'],
    ['the store of another', (s) => `UPDATE ${s}.meta SET value = 'r-9'`, 'DAMAGED'],
    ['no migrations', (s) => `DROP TABLE ${s}.migrations`, 'DAMAGED'],
  ])('refuses %s and changes nothing', async (_, change, wanted) => {
    await made();
    await sql(change(schema));
    await expect(open()).rejects.toMatchObject(code(wanted));
    await expect(open()).rejects.toThrow(schema);
  });

  it('never writes into a schema that holds something else', async () => {
    await sql(`CREATE SCHEMA ${schema}`);
    await sql(`CREATE TABLE ${schema}.orders (id int)`);
    await expect(open('create')).rejects.toMatchObject(code('DAMAGED'));
    expect(await tablesIn()).toBe(1);
  });

  it('takes tables that another made between its two questions for the store that they are', async () => {
    const here = databaseAt(url);
    const late: Database = {
      ...here,
      async rows(text, values) {
        if (text.includes('information_schema')) await made();
        return here.rows(text, values);
      },
    };
    expect(await readSchema(late)).toMatchObject({ pending: [] });
    await here.close();
  });

  it('needs no right to make schemas where one was made for it, and says when it may not write', async () => {
    await sql(`CREATE ROLE u${schema} LOGIN`);
    const at = `${url.replace('countersign@', `u${schema}@`)}`;
    await expect(open('create', at)).rejects.toMatchObject(code('READ_ONLY'));
    await sql(`CREATE SCHEMA ${schema} AUTHORIZATION u${schema}`);
    const store = await open('create', at);
    expect(await store.commit(commitOf('c', { appends: [append('s', 0, 'x')] }))).toMatchObject({
      kind: 'committed',
    });
    await sql(`REVOKE UPDATE ON ${schema}.log FROM u${schema}`);
    await expect(store.commit(commitOf('d', { appends: [append('s', 1, 'x')] }))).rejects.toMatchObject(
      code('READ_ONLY'),
    );
    expect(await store.eventCount()).toBe(1);
    await store.close();
  });

  it('refuses a database whose text is not UTF-8', async () => {
    await sql(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
    const at = database.replace(/\/d\d+\?/, '/latin?');
    await expect(open('create', `${at}&schema=s`)).rejects.toMatchObject(code('UNAVAILABLE'));
  });

  it('answers when a commit is durable, also where the database is set to answer earlier', async () => {
    await sql(`ALTER ROLE countersign SET synchronous_commit = off`);
    await made();
    const here = databaseAt(url);
    const shown = await here.rows(`SELECT current_setting('synchronous_commit') AS value`);
    expect(shown).toEqual([{ value: 'on' }]);
    await here.close();
    await sql(`ALTER ROLE countersign RESET synchronous_commit`);
  });
});

describe('migrations', () => {
  const next: Migration = {
    number: 2,
    name: 'a note',
    statements: ['ALTER TABLE {}.links ADD COLUMN note text'],
  };
  const broken: Migration = { ...next, statements: [...next.statements, 'SELEKT 1'] };

  it('run once, in order, also when two run them at the same time', async () => {
    await made();
    const [one, other] = [databaseAt(url), databaseAt(url)];
    expect((await readSchema(one, [...MIGRATIONS, next]))?.pending).toEqual([next]);
    await Promise.all([one, other].map((here) => migrateSchema(here, 'now', [...MIGRATIONS, next])));
    const state = await readSchema(one, [...MIGRATIONS, next]);
    expect(state?.pending).toEqual([]);
    expect(state?.applied.map(({ number, appliedAt }) => [number, appliedAt])).toContainEqual([2, 'now']);
    await Promise.all([one.close(), other.close()]);
    await expect(open()).rejects.toMatchObject(code('NEWER_SCHEMA'));
  });

  it('leave nothing behind when one fails', async () => {
    await made();
    const here = databaseAt(url);
    await expect(migrateSchema(here, 'now', [...MIGRATIONS, broken])).rejects.toThrow('SELEKT');
    await here.close();
    const store = await open();
    expect(await store.integrity()).toEqual([]);
    await store.close();
  });

  it('that are missing are told, and the store is not opened before they ran', async () => {
    await sql(`CREATE SCHEMA ${schema}`);
    const here = databaseAt(url);
    await createSchema(here, 'r-1', 'now');
    await sql(`DELETE FROM ${schema}.migrations`);
    await expect(open()).rejects.toMatchObject({
      ...code('OLDER_SCHEMA'),
      message: expect.stringContaining('countersign store migrate'),
    });
    await here.close();
  });
});

describe('a commit', () => {
  const event = (id: string, stream: string, body = 'x'): Commit =>
    commitOf(id, { appends: [append(stream, 'any', body)] });

  it('that cannot be written does no harm to those that wait with it', async () => {
    const store = await open('create');
    const bad = event('bad', 's', 'a \u0000 in it');
    const answers = await Promise.allSettled(
      [event('a', 's'), bad, event('b', 's')].map((c) => store.commit(c)),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.read('s')).map(({ command }) => command)).toEqual(['a', 'b']);
    await store.close();
  });

  it('is decided on what those before it leave, when many wait at once', async () => {
    const store = await open('create');
    const numbered = (id: string, expected: number, number: number) =>
      commitOf(id, { appends: [append('s', expected, id)], items: [itemRow(number, { id })] });
    const jobs = [{ topic: 't', key: 'k', payload: '', availableAt: '' }];
    await store.commit(commitOf('seed', { appends: [append('seed', 0, 'x')], jobs }));
    await store.claim('t', '1', 1, '2', 'w');
    const fences = [{ topic: 't', key: 'k', token: 1, finish: true }];
    const held = (id: string) => commitOf(id, { appends: [append(id, 0, 'x')], fences });
    const asked = [numbered('a', 0, 1), numbered('b', 0, 2), numbered('c', 1, 2), numbered('d', 2, 2)];
    const all = [...asked, asked[0] as Commit, held('e'), held('f')];
    const answers = await Promise.all(all.map((commit) => store.commit(commit)));
    expect(answers.map(({ kind }) => kind)).toEqual([
      ...['committed', 'conflict', 'committed', 'conflict', 'duplicate', 'committed', 'fenced'],
    ]);
    expect(answers[3]).toEqual({ kind: 'conflict', stream: 'items.number', expected: 2, actual: 2 });
    expect(await store.integrity()).toEqual([]);
    await store.close();
  });

  it('says DAMAGED where rows contradict each other: a head set back, a head of no hash, a table gone', async () => {
    const store = await open('create');
    await store.commit(event('a', 's'));
    await sql(`UPDATE ${schema}.streams SET version = 0`);
    await expect(store.commit(event('b', 's'))).rejects.toMatchObject(code('DAMAGED'));
    await sql(`UPDATE ${schema}.streams SET version = 1, hash = 'none'`);
    await expect(store.commit(event('c', 's'))).rejects.toMatchObject(code('DAMAGED'));
    await sql(`DROP TABLE ${schema}.tallies`);
    await expect(store.tally(undefined)).rejects.toMatchObject(code('DAMAGED'));
    expect(await store.eventCount()).toBe(1);
    await store.close();
  });

  it('waits for a server that has no connection left at the moment', async () => {
    await made();
    const others: Client[] = [];
    const full = async () => {
      for (;;) {
        const client = new Client({ connectionString: database });
        client.on('error', () => {});
        await client.connect();
        others.push(client);
      }
    };
    await expect(full()).rejects.toMatchObject({ code: '53300' });
    const opening = openPostgres(url, { mode: 'open', repositoryId: 'r-1', patience: 10_000 });
    setTimeout(() => {
      for (const client of others) void client.end();
    }, 3_500);
    await (await opening).close();
  });

  it('says BUSY where another keeps the turn for too long', async () => {
    const store = await open('create');
    const other = databaseAt(url);
    await other.session(async (session) => {
      await session.all([{ text: 'BEGIN' }, { text: 'UPDATE {}.log SET position = position' }]);
      // The other's silence ends after five seconds, ours after ten: so it is asked to keep talking.
      const talking = setInterval(() => void session.rows('SELECT 1').catch(() => undefined), 1_000);
      await expect(store.commit(event('a', 's'))).rejects.toMatchObject(code('BUSY'));
      clearInterval(talking);
      await session.rows('ROLLBACK');
    });
    expect(await store.commit(event('a', 's'))).toMatchObject({ kind: 'committed' });
    await other.close();
    await store.close();
  });
});
