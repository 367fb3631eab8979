import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../examples/offline-audit/damage.ts';
import { repositoryKeys } from '../../src/engine/audit/repository-keys.ts';
import { judgePack } from '../../src/engine/proof-verify.ts';
import { busyWorkshop } from './busy-workshop.ts';
import { must, type Workshop } from './workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await busyWorkshop();
});
afterAll(() => shop.remove());

const packFolder = () => join(shop.state, 'proofpacks');
const flip = (bytes: Buffer, at: number, bit: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
  return flipped;
};

/** Does something to a file, audits, and puts the file back. */
async function auditedWith(path: string, change: (bytes: Buffer) => Buffer | undefined): Promise<string> {
  const bytes = readFileSync(path);
  const changed = change(bytes);
  if (changed === undefined) rmSync(path);
  else writeFileSync(path, changed);
  try {
    const { code, out } = await shop.cs('audit verify');
    expect(code, out).toBe(1);
    return out;
  } finally {
    writeFileSync(path, bytes);
  }
}

test('a proof pack that was deleted or changed, readable or signed, is named', async () => {
  const names = readdirSync(packFolder());
  expect(names.length).toBeGreaterThan(8);
  const random = seeded(5);
  for (const name of names) {
    const path = join(packFolder(), name);
    expect(await auditedWith(path, () => undefined)).toContain(`proofpacks/${name} is missing`);
    const out = await auditedWith(path, (bytes) => flip(bytes, random(bytes.length), random(8)));
    expect(out).toContain(`proofpacks/${name} was changed`);
  }
  expect((await shop.cs('audit verify')).code).toBe(0);
});

test('a pack of another item in the place of one is named although it is genuine', async () => {
  const names = readdirSync(packFolder()).filter((name) => name.endsWith('.intoto.jsonl'));
  const [one = '', other = ''] = names;
  const out = await auditedWith(join(packFolder(), one), () => readFileSync(join(packFolder(), other)));
  expect(out).toContain(`proofpacks/${one} was changed`);
});

test('an evidence blob that was deleted or changed is named by its digest', async () => {
  const folder = join(shop.state, 'evidence');
  const log = (await must(shop, 'export')).out;
  const random = seeded(9);
  let blobs = 0;
  for (const group of readdirSync(folder)) {
    for (const digest of readdirSync(join(folder, group))) {
      // What belonged to a refused attempt is named by no event.
      if (!log.includes(digest)) continue;
      const path = join(folder, group, digest);
      blobs += 1;
      expect(await auditedWith(path, () => undefined)).toContain(`the evidence ${digest} is missing`);
      if (readFileSync(path).length === 0) continue;
      const out = await auditedWith(path, (bytes) => flip(bytes, random(bytes.length), random(8)));
      expect(out).toContain(`the evidence ${digest} is missing or was changed`);
    }
  }
  expect(blobs).toBeGreaterThan(3);
});

test('every byte of a signed pack counts', async () => {
  const { out } = await must(shop, 'proof list T-1 --json');
  const { signed } = JSON.parse(out).data[0];
  const bytes = readFileSync(join(shop.repo.top, signed));
  const { ports } = await shop.open();
  const keys = await repositoryKeys(ports);
  await ports.store.close();
  expect(judgePack(bytes, keys).status).toBe('clean');
  const random = seeded(bytes.length);
  const believed = Array.from(bytes, (_, at) => at).filter(
    (at) => judgePack(flip(bytes, at, random(8)), keys).status === 'clean',
  );
  expect(believed).toEqual([]);
});

test('proof verify judges signed and readable packs, by the paths that verify prints, and says 0, 1 or 2', async () => {
  const [pack] = JSON.parse((await must(shop, 'proof list T-3 --json')).out).data;
  const shown = await must(shop, `proof verify ${pack.signed}`);
  expect(shown.out).toMatch(/^clean\nBLOCKED T-3 Fail/);
  expect(shown.out).toContain('fail          strict - ');
  await must(shop, `proof verify ${pack.readable}`);
  const path = join(shop.repo.top, pack.readable);
  const readable = readFileSync(path, 'utf8');
  writeFileSync(path, readable.replace('"verdict": "BLOCKED"', '"verdict": "PASSED"'));
  expect(await shop.cs(`proof verify ${pack.readable}`)).toMatchObject({ code: 1 });
  writeFileSync(path, readable);
  const copy = join(shop.folder, 'copy.intoto.jsonl');
  await must(shop, `proof export T-3 --output "${copy}"`);
  await must(shop, `proof export T-3 --output "${copy}"`, 2);
  const bytes = readFileSync(copy);
  writeFileSync(copy, flip(bytes, 100, 1));
  await must(shop, `proof verify "${copy}"`, 1);
  await must(shop, 'proof verify no-such-file', 2);
});

test('a pack is judged outside any repository with a key, and without one nobody can tell', async () => {
  const copy = join(shop.folder, 'abroad.intoto.jsonl');
  await must(shop, `proof export T-2 --output "${copy}"`);
  const keys = JSON.parse((await must(shop, 'audit keys --json')).out).data;
  const pem = join(shop.folder, 'runner.pem');
  writeFileSync(pem, keys.find((k: { purpose: string }) => k.purpose === 'runner').publicPem);
  const abroad = { ...shop.copy() };
  rmSync(dirname(abroad.store), { recursive: true });
  try {
    expect((await abroad.cs(`proof verify "${copy}"`)).code).toBe(2);
    const { code, out } = await abroad.cs(`proof verify "${copy}" --key "${pem}"`);
    expect(code).toBe(0);
    expect(out).toContain('PASSED T-2 Be strict');
    expect(out).toContain('attempt 2');
  } finally {
    abroad.remove();
  }
});

test('proof show tells who, what and how independent, and a missing pack is not passed over', async () => {
  const { out } = await must(shop, 'proof show T-2');
  expect(out).toContain('asked for by ada (human)');
  expect((await must(shop, 'proof show T-2 --attempt 1')).out).toContain('BLOCKED T-2');
  expect((await must(shop, 'proof list T-2')).out.trim().split('\n')).toHaveLength(2);
  expect((await must(shop, 'proof list T-7')).out).toContain('INDETERMINATE');
  await must(shop, 'proof show T-5', 5);
  const [pack] = JSON.parse((await must(shop, 'proof list T-8 --json')).out).data;
  rmSync(join(shop.repo.top, pack.signed));
  const { code, err } = await shop.cs('proof show T-8');
  expect(code).toBe(8);
  expect(err).toContain('is missing');
});
