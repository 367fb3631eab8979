import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyChain } from '../../attestation/chain.ts';
import { connect } from './driver.ts';
import { openSqlite } from './open.ts';
import type { SqliteStore } from './sqlite-store.ts';

let folder: string;
let sound: string;
let copies = 0;

/** A fresh copy of a sound store with 200 events. */
function copy(): string {
  const path = join(folder, `copy-${++copies}.db`);
  copyFileSync(sound, path);
  return path;
}

const open = (path: string, mode: 'create' | 'open' = 'open', repositoryId = 'r-1') =>
  openSqlite(path, { mode, repositoryId, busyTimeout: 50 });

/** Changes a copy by SQL, as a person with a database browser would. */
function edited(sql: string): string {
  const path = copy();
  const connection = connect(path, 'any', 0);
  connection.exec(sql);
  connection.close();
  return path;
}

function rewritten(change: (bytes: Buffer) => Buffer): string {
  const path = copy();
  writeFileSync(path, change(readFileSync(path)));
  return path;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-open-'));
  sound = join(folder, 'sound.db');
  const store = await open(sound, 'create');
  for (let n = 1; n <= 100; n += 1) {
    await store.commit({
      commandId: `c-${n}`,
      appends: [{ stream: `item-${n % 9}`, expected: 'any', bodies: [`{"n":${n}}`, 'x'.repeat(n * 100)] }],
      readSet: [],
      items: [],
      links: [{ from: `item-${n}`, kind: 'depends-on', to: 'item-1' }],
      jobs: [{ topic: 'verify', key: `k-${n}`, payload: 'p', availableAt: '2026-01-01T00:00:00.000Z' }],
      fences: [],
    });
  }
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Text in an overflow page is no structure: only the chain can tell that it was changed. */
async function brokenChains(store: SqliteStore): Promise<string[]> {
  try {
    const broken: string[] = [];
    for (const { stream } of await store.heads('', 100)) {
      if (verifyChain(stream, await store.read(stream))) broken.push(stream);
    }
    return broken;
  } catch (error) {
    return [String(error)];
  }
}

describe('opening', () => {
  it('says NOT_FOUND for a missing file and makes none', async () => {
    const path = join(folder, 'missing.db');
    await expect(open(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(existsSync(path)).toBe(false);
  });

  it('makes a file for its owner only, and leaves nothing else behind', async () => {
    const path = join(folder, 'new', 'deeper', 'store.db');
    await (await open(path, 'create')).close();
    expect(readdirSync(join(folder, 'new', 'deeper'))).toEqual(['store.db']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses to make a store of no repository', async () => {
    const path = join(folder, 'nameless.db');
    await expect(open(path, 'create', '')).rejects.toThrow(RangeError);
    expect(existsSync(path)).toBe(false);
  });

  it('keeps content and repository id of a file that is there, in both modes', async () => {
    for (const mode of ['create', 'open'] as const) {
      const store = await open(copy(), mode);
      expect(await store.eventCount()).toBe(200);
      expect(await store.repositoryId()).toBe('r-1');
      expect(await store.integrity()).toEqual([]);
      await store.close();
      await store.close();
    }
    const adopted = await open(copy(), 'create', 'r-2');
    expect(await adopted.repositoryId()).toBe('r-1');
    await adopted.close();
    await (await open(copy(), 'open', '')).close();
  });

  it('says NEWER_SCHEMA for a file of a later version and does not change it', async () => {
    const path = edited('PRAGMA user_version = 3');
    const before = readFileSync(path);
    for (const mode of ['create', 'open'] as const) {
      await expect(open(path, mode)).rejects.toMatchObject({ code: 'NEWER_SCHEMA' });
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a file of an earlier version', () => {
  const FIRST = [
    'DROP INDEX items_overdue',
    'DROP INDEX items_failing',
    'ALTER TABLE items DROP COLUMN overdueAt',
    'ALTER TABLE items DROP COLUMN failures',
    'PRAGMA user_version = 1',
  ];

  it('is brought to the present one when it is opened, with all that it holds', async () => {
    const path = edited(FIRST.join('; '));
    const store = await open(path, 'open');
    expect(await store.integrity()).toEqual([]);
    expect(await store.overdue('9999', 10)).toEqual([]);
    expect(await store.failing(1, 10)).toEqual([]);
    await store.close();
    const again = await open(path, 'open');
    expect(await again.integrity()).toEqual([]);
    await again.close();
  });
});

describe('a damaged file is reported and never written', () => {
  const damages: Record<string, () => string> = {
    'an empty file': () => rewritten(() => Buffer.alloc(0)),
    'fifty bytes': () => rewritten((bytes) => bytes.subarray(0, 50)),
    'half of it': () => rewritten((bytes) => bytes.subarray(0, Math.floor(bytes.length / 8192) * 4096)),
    'all but the last page': () => rewritten((bytes) => bytes.subarray(0, -4096)),
    'all but the last bytes': () => rewritten((bytes) => bytes.subarray(0, -7)),
    'a garbage header': () =>
      rewritten((bytes) => Buffer.concat([Buffer.alloc(100, 'garbage'), bytes.subarray(100)])),
    'a zeroed first page': () =>
      rewritten((bytes) => Buffer.concat([Buffer.alloc(4096), bytes.subarray(4096)])),
    'a zeroed root of the tables': () => rewritten((bytes) => Buffer.from(bytes).fill(0, 100, 4096)),
    'a text file': () => rewritten(() => Buffer.from('{"state":"VERIFIED"}\n'.repeat(20))),
    'a database of another program': () => edited('PRAGMA application_id = 7'),
    'no schema version': () => edited('PRAGMA user_version = 0'),
    'another journal mode': () => edited('PRAGMA journal_mode = DELETE'),
    'no repository': () => edited(`DELETE FROM meta WHERE name = 'repository'`),
    'the store of another repository': () =>
      edited(`UPDATE meta SET value = 'r-2' WHERE name = 'repository'`),
    'a missing table': () => edited('DROP TABLE meta'),
  };
  for (const [what, make] of Object.entries(damages)) {
    it(what, async () => {
      const path = make();
      const before = readFileSync(path);
      const modes =
        what === 'the store of another repository' ? (['open'] as const) : (['create', 'open'] as const);
      for (const mode of modes) {
        const failure = await open(path, mode).catch((error: unknown) => error);
        expect(failure).toMatchObject({ name: 'StoreError', code: 'DAMAGED' });
        expect(String(failure)).toContain(path);
        expect(String(failure)).toContain('nothing was changed');
        expect(readFileSync(path).equals(before)).toBe(true);
      }
    });
  }

  it('a log whose file is gone', async () => {
    const path = copy();
    writeFileSync(`${path}-wal`, 'rest of a log');
    rmSync(path);
    for (const mode of ['create', 'open'] as const) {
      await expect(open(path, mode)).rejects.toMatchObject({ code: 'DAMAGED' });
    }
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('rest of a log');
  });

  it('any one page of zeros: refused at opening, named by the integrity check, or breaking a chain', async () => {
    const pages = statSync(sound).size / 4096;
    expect(pages).toBeGreaterThan(30);
    for (let page = 0; page < pages; page += 1) {
      const path = rewritten((bytes) => Buffer.from(bytes).fill(0, page * 4096, (page + 1) * 4096));
      const store = await open(path).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'DAMAGED' });
      });
      if (!store) continue;
      expect([...(await store.integrity()), ...(await brokenChains(store))], `page ${page}`).not.toEqual([]);
      await store.close();
    }
  });
});

describe('what this user may not read', () => {
  /** As another user where this one may read everything. */
  async function asAnother<T>(work: () => Promise<T>): Promise<T> {
    if (process.getuid?.() !== 0) return work();
    process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
    }
  }

  it.each(['open', 'create'] as const)('is not taken as absent (%s)', async (mode) => {
    const closed = join(folder, `closed-${mode}`);
    const path = join(closed, 'store.db');
    await (await open(path, 'create')).close();
    chmodSync(closed, 0o000);
    const error = await asAnother(() => open(path, mode).catch((e: unknown) => e));
    chmodSync(closed, 0o700);
    expect(error).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`cannot be read by this user: ${path}`),
    });
    await (await open(path)).close();
  });

  it('a folder that cannot be made is told', async () => {
    const path = join(sound, 'below', 'store.db');
    await expect(open(path, 'create')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
