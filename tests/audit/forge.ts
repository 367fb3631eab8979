import { canonicalize } from '../../src/attestation/canonical.ts';
import { genesis, link } from '../../src/attestation/chain.ts';
import { type Row, raw } from './tamper.ts';

/** Chains a stream anew after its bodies were changed, as somebody without a key could. */
export function rehash(
  path: string,
  stream: string,
  change: (body: Record<string, unknown>) => unknown,
): void {
  raw(path, (db) => {
    let hash = genesis(stream);
    let version = 0;
    for (const row of db.prepare('SELECT * FROM events WHERE stream = ? ORDER BY version').all(stream)) {
      version += 1;
      const body = canonicalize(change(JSON.parse(String(row.body))) as never);
      hash = link(hash, stream, version, body);
      db.prepare('UPDATE events SET body = ?, hash = ? WHERE position = ?').run(body, hash, row.position);
    }
    db.prepare('UPDATE streams SET hash = ? WHERE stream = ?').run(hash, stream);
  });
}

/** Takes the last events away, and everything that would tell of them. */
export function cutTail(path: string, count: number): void {
  raw(path, (db) => {
    for (let n = 0; n < count; n++) {
      const [last = {}] = db.prepare('SELECT * FROM events ORDER BY position DESC LIMIT 1').all();
      db.prepare('DELETE FROM events WHERE position = ?').run(last.position);
      const [before] = db
        .prepare('SELECT * FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1')
        .all(last.stream);
      if (before === undefined) db.prepare('DELETE FROM streams WHERE stream = ?').run(last.stream);
      else
        db.prepare('UPDATE streams SET version = ?, hash = ? WHERE stream = ?').run(
          before.version,
          before.hash,
          last.stream,
        );
    }
  });
}

export const itemNumbered = (path: string, number: number): Row =>
  raw(path, (db) => db.prepare('SELECT * FROM items WHERE number = ?').all(number))[0] ?? {};
