import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busyWorkshop } from './busy-workshop.ts';
import { cutTail, itemNumbered, rehash } from './forge.ts';
import { raw } from './tamper.ts';
import { must, type Workshop } from './workshop.ts';

let sound: Workshop;
let shop: Workshop;
beforeAll(async () => {
  sound = await busyWorkshop();
});
afterAll(() => sound.remove());

/** Runs on a copy, so that every forgery begins with a sound store. */
async function forged(change: (path: string) => void): Promise<string> {
  shop = sound.copy();
  try {
    change(shop.store);
    const { code, out } = await shop.cs('audit verify');
    expect(code, out).toBe(1);
    return out;
  } finally {
    shop.remove();
  }
}

describe('a store that was forged', () => {
  test('a stream that was chained anew without the key is found by the checkpoint', async () => {
    const out = await forged((path) => {
      const { id } = itemNumbered(path, 6);
      rehash(path, `item/${id}`, (body) => ({ ...body, at: '2020-01-01T00:00:00.000Z' }));
      raw(path, (db) =>
        db.prepare('UPDATE items SET updatedAt = ? WHERE id = ?').run('2020-01-01T00:00:00.000Z', id),
      );
    });
    expect(out).toContain('events are not those that it was signed over');
    expect(out).not.toContain('hash does not follow');
  });

  test('a tail that was cut off with everything that tells of it is found by the last checkpoint', async () => {
    const out = await forged((path) => cutTail(path, 1));
    expect(out).toMatch(/it covers \d+ events, only \d+ are here: the log was cut off/);
  });

  test('a tail cut off together with the checkpoints over it is found by the anchor in git', async () => {
    const out = await forged((path) => {
      cutTail(path, 1);
      raw(path, (db) =>
        db.exec('DELETE FROM checkpoints WHERE number = (SELECT max(number) FROM checkpoints)'),
      );
    });
    expect(out).toContain('anchor 1: this checkpoint was signed and is no longer in the store');
  });

  test('a ref of anchors that leads elsewhere is named, and hides nothing else', async () => {
    const out = await forged((path) => {
      const top = join(dirname(path), '../..');
      execFileSync('git', ['update-ref', 'refs/countersign/checkpoints', 'HEAD'], { cwd: top });
      raw(path, (db) => db.exec("UPDATE items SET title = 'Another' WHERE number = 1"));
    });
    expect(out).toContain('anchor 1: not a checkpoint with one signature');
    expect(out).toContain('the row says title Another');
  });

  test('a confirmation that nobody was allowed to give is judged again and found', async () => {
    const out = await forged((path) => {
      const { id } = itemNumbered(path, 8);
      rehash(path, `item/${id}`, (body) => {
        const { by, data } = body as { by: string; data: Record<string, unknown> };
        return data.command === 'verify' ? { ...body, by: 'smith' } : { ...body, by };
      });
    });
    expect(out).toContain(
      'judged again, it is refused: Only verification-agent or human may verify this item',
    );
  });

  test('a verdict with more independence than it had is judged again and found', async () => {
    const out = await forged((path) => {
      const { id } = itemNumbered(path, 8);
      rehash(path, `item/${id}`, (body) => {
        const data = body.data as Record<string, unknown>;
        return 'independence' in data ? { ...body, data: { ...data, independence: 'human' } } : body;
      });
    });
    expect(out).toContain('its independence is other-lineage, not human');
    expect(out).toContain('says independence other-lineage, the log says human');
  });

  test('a log in which the signing key of this machine has no place is another log', async () => {
    const out = await forged((path) =>
      rehash(path, 'roster', (body) => {
        const data = body.data as Record<string, unknown>;
        return data.purpose === 'checkpoint' ? { ...body, data: { ...data, keyid: 'f'.repeat(64) } } : body;
      }),
    );
    expect(out).toContain('another log stands in its place');
  });

  test('a row for an item that does not exist is named', async () => {
    const out = await forged((path) => {
      const row = { ...itemNumbered(path, 1), id: 'ghost', number: 77 };
      raw(path, (db) =>
        db
          .prepare(`INSERT INTO items (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
          .run(...Object.values(row)),
      );
    });
    expect(out).toContain('items: T-77: there is no item/ghost in the log');
  });

  test('an item without its row is named', async () => {
    const out = await forged((path) => raw(path, (db) => db.exec('DELETE FROM items WHERE number = 3')));
    expect(out).toContain('the item has no row');
  });
});

test('2PC-76, 2PC-28: the status of a claimed item, set to completed in the file of the store, is refused and reported', async () => {
  shop = sound.copy();
  try {
    raw(shop.store, (db) =>
      db.exec(`UPDATE items SET state = 'completed', category = 'CLOSED' WHERE number = 4`),
    );
    for (const line of ['show T-4', 'complete T-4', 'verify T-4', 'log T-4']) {
      const { code, err } = await shop.cs(line);
      expect(code, line).toBe(8);
      expect(err).toContain('the store shows T-4 as completed, its log says claimed');
      expect(err).toContain('countersign audit verify');
    }
    const { code, out } = await shop.cs('audit verify');
    expect(code).toBe(1);
    expect(out).toContain('items: T-4: the row says state completed, the log says claimed');
  } finally {
    shop.remove();
  }
});

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ['not a database', (path) => writeFileSync(path, 'gone\n'.repeat(2000))],
  ['empty', (path) => writeFileSync(path, '')],
  ['cut in the middle of a page', (path) => truncateSync(path, statSync(path).size - 777)],
  ['without its first page', (path) => writeFileSync(path, readFileSync(path).fill(0, 0, 4096))],
  ['with half of its pages overwritten', (path) => writeFileSync(path, readFileSync(path).fill(0xa5, 8192))],
];

test.each(DAMAGES)(
  'a store that is %s is reported and never overwritten by any command',
  async (_, damage) => {
    shop = sound.copy();
    try {
      raw(shop.store, (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
      for (const end of ['-wal', '-shm']) rmSync(`${shop.store}${end}`, { force: true });
      damage(shop.store);
      const before = digestOf(shop.store);
      const lines = [
        'add "One more"',
        'claim T-4',
        'audit verify',
        'audit checkpoint --anchor',
        'init',
        'list',
        'export',
      ];
      for (const line of lines) {
        const { code, out, err } = await shop.cs(line);
        expect(code, `${line}: ${out}${err}`).not.toBe(0);
        expect(digestOf(shop.store), line).toBe(before);
      }
      const { code, out } = await shop.cs('audit verify');
      expect(code).toBe(1);
      expect(out).toMatch(/^broken\n/);
    } finally {
      shop.remove();
    }
  },
);

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('a folder without a store, and a store whose keys are elsewhere, cannot be judged', async () => {
  shop = sound.copy();
  try {
    rmSync(join(shop.folder, 'countersign'), { recursive: true });
    const without = await shop.cs('audit verify');
    expect(without.code, without.out).toBe(2);
    expect(without.out).toContain('no key is known from outside the log');
    const keys = join(shop.folder, 'keys.pem');
    const pem = /-----BEGIN[\s\S]*?-----END PUBLIC KEY-----\n/.exec(
      (await must(shop, 'audit keys')).out.split('# checkpoint')[1] ?? '',
    );
    writeFileSync(keys, pem?.[0] ?? '');
    expect(await shop.cs(`audit verify --key "${keys}"`)).toMatchObject({ code: 0 });
    rmSync(dirname(shop.store), { recursive: true });
    expect(await shop.cs('audit verify')).toMatchObject({ code: 2 });
  } finally {
    shop.remove();
  }
});
