import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { bundlePrograms, killAfter, printed, start } from './store-programs.ts';
import { expectSound } from './store-sound.ts';

describe('one SQLite file and many processes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-processes-'));
    await bundlePrograms(folder, true);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = (path: string) => openSqlite(path, { mode: 'create', repositoryId: 'r-1' });

  it('lets one of sixteen be first, also when they make the file at the same time', async () => {
    const path = join(folder, 'race.db');
    const racers = Array.from({ length: 16 }, (_, n) => start(folder, 'race', path, `racer-${n}`));
    await Promise.all(racers.map((racer) => printed(racer, 1)));
    for (const { child } of racers) child.stdin.write('go\n');
    for (const { ended } of racers) expect(await ended).toEqual({ end: 0, stderr: '' });
    const results = racers.map(({ lines }) => lines[1]);
    expect(results.filter((kind) => kind === 'committed')).toHaveLength(1);
    expect(results.filter((kind) => kind === 'conflict')).toHaveLength(15);
    const store = await open(path);
    expect((await store.read('race')).map((event) => event.body)).toEqual([
      `racer-${results.indexOf('committed')}`,
    ]);
    expect(await store.repositoryId()).toMatch(/^racer-/);
    await expectSound(store);
    await store.close();
  });

  it('keeps 400 of 400 commits of eight writers', async () => {
    const path = join(folder, 'many.db');
    const store = await open(path);
    const writers = Array.from({ length: 8 }, (_, n) => start(folder, 'write', path, String(n + 1), '50'));
    for (const { ended } of writers) expect(await ended).toEqual({ end: 0, stderr: '' });
    const events = await store.events(0, 10_000);
    const commands = new Set(events.map((event) => event.command));
    expect(commands).toEqual(new Set(writers.flatMap((writer) => writer.lines)));
    expect(commands.size).toBe(400);
    expect(events).toHaveLength(800);
    await expectSound(store);
    await store.close();
  });

  it('loses and doubles nothing that it answered when it is killed twenty times', async () => {
    const path = join(folder, 'killed.db');
    await (await open(path)).close();
    const answered: string[] = [];
    for (let round = 1; round <= 20; round += 1) {
      const writer = start(folder, 'write', path, String(round), '100000');
      await killAfter(writer, 1 + ((round * 7) % 23));
      answered.push(...writer.lines);
      const store = await open(path);
      const events = await store.events(0, 1_000_000);
      const bodies = events.filter((event) => event.body !== '{}').map((event) => event.body);
      expect(new Set(bodies).size).toBe(bodies.length);
      expect(answered.filter((id) => !bodies.includes(id))).toEqual([]);
      expect(events).toHaveLength(bodies.length * 2);
      // At most one commit a round was durable before its answer could be read.
      expect(bodies.length - answered.length).toBeLessThanOrEqual(round);
      await expectSound(store);
      await store.close();
    }
  });

  it('says how to install a driver when none can be loaded', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'countersign-bare-'));
    await bundlePrograms(bare, false);
    const program = start(bare, 'open', join(bare, 'store.db'));
    expect(await program.ended).toEqual({ end: 0, stderr: '' });
    expect(program.lines[0]).toMatch(/^UNAVAILABLE: .*npm install better-sqlite3/);
    rmSync(bare, { recursive: true });
  });
});
