import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { damages, seeded } from '../../examples/offline-audit/damage.ts';
import type { TrustedKey } from '../../src/attestation/key.ts';
import { auditExport } from '../../src/engine/audit/audit-export.ts';
import { busyWorkshop } from './busy-workshop.ts';
import { must, type Workshop } from './workshop.ts';

const script = fileURLToPath(new URL('../../examples/offline-audit/verify-export.mjs', import.meta.url));
const { verifyFile }: { verifyFile(bytes: Uint8Array, pems: readonly string[]): { status: number } } =
  await import(script);
const WORDS = ['clean', 'broken', 'cannot-tell'] as const;

let shop: Workshop;
let path: string;
let whole: Buffer;
let keys: readonly (TrustedKey & { readonly purpose: string })[];
beforeAll(async () => {
  shop = await busyWorkshop();
  path = join(shop.folder, 'log.jsonl');
  await must(shop, `export --output "${path}"`);
  whole = readFileSync(path);
  keys = JSON.parse((await must(shop, 'audit keys --json')).out).data;
});
afterAll(() => shop.remove());

const pemOf = (purpose: string) => keys.find((k) => k.purpose === purpose)?.publicPem ?? '';
const ours = (bytes: Uint8Array) => auditExport(bytes, keys, []).status;
const theirs = (bytes: Uint8Array) =>
  WORDS[
    verifyFile(
      bytes,
      keys.map((k) => k.publicPem),
    ).status
  ];

test('an export of an undamaged store is clean here, and for the independent verifier', async () => {
  const { code, out } = await shop.cs(`audit verify "${path}"`);
  expect(out).toMatch(/^clean\n\d+ events, \d+ streams/);
  expect(code).toBe(0);
  const files = keys.flatMap(({ keyid, publicPem }) => {
    const file = join(shop.folder, `${keyid}.pem`);
    writeFileSync(file, publicPem);
    return ['--key', file];
  });
  expect(spawnSync(process.execPath, [script, path, ...files], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: 'clean\n',
  });
});

test('the export on stdout is the same but for its time and signature', async () => {
  const { out } = await must(shop, 'export');
  const lines = (text: string) => text.split('\n').slice(1, -2);
  expect(lines(out)).toEqual(lines(whole.toString('utf8')));
  expect(ours(Buffer.from(out))).toBe('clean');
});

test('300 flipped bits in an export: none is clean', () => {
  const random = seeded(300);
  const believed: number[] = [];
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(whole);
    const at = random(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
    if (ours(bytes) === 'clean') believed.push(at);
  }
  expect(believed).toEqual([]);
});

test('the independent verifier agrees on 50 damaged exports of this store', async () => {
  const other = (await must(shop, 'export')).out;
  const random = seeded(50);
  for (let round = 0; round < 50; round++) {
    const damage = damages[round % damages.length];
    const damaged = damage?.apply(whole.toString('utf8'), random, other) ?? whole;
    expect(theirs(damaged), damage?.name).toBe(ours(damaged));
    if (!damaged.equals(whole)) expect(ours(damaged), damage?.name).not.toBe('clean');
  }
});

test('outside any repository an export needs a key; a damaged one is broken without it too', async () => {
  const abroad = shop.copy();
  rmSync(dirname(abroad.store), { recursive: true });
  try {
    const without = await abroad.cs(`audit verify "${path}"`);
    expect(without.code).toBe(2);
    expect(without.out).toContain('give public keys with --key');
    const pem = join(abroad.folder, 'checkpoint.pem');
    writeFileSync(pem, pemOf('checkpoint'));
    expect(await abroad.cs(`audit verify "${path}" --key "${pem}"`)).toMatchObject({ code: 0 });
    writeFileSync(pem, pemOf('runner'));
    expect(await abroad.cs(`audit verify "${path}" --key "${pem}"`)).toMatchObject({ code: 2 });
    const damaged = join(abroad.folder, 'damaged.jsonl');
    writeFileSync(damaged, whole.toString('utf8').replace('Write the greeting', 'Write the greetinq'));
    const { code, out } = await abroad.cs(`audit verify "${damaged}"`);
    expect(code).toBe(1);
    expect(out).toMatch(/line \d+, item\/\S+@1: the hash does not follow/);
    expect(await abroad.cs('audit verify no-such-file')).toMatchObject({ code: 2 });
  } finally {
    abroad.remove();
  }
});

test('a checkpoint that left the machine must be in the store and in the export', async () => {
  const later = shop.copy();
  try {
    const note = join(later.folder, 'note.txt');
    writeFileSync(note, (await must(later, 'audit checkpoint --print')).out);
    expect(await later.cs(`audit verify --checkpoint "${note}"`)).toMatchObject({ code: 0 });
    const older = await later.cs(`audit verify "${path}" --checkpoint "${note}"`);
    expect(older.code).toBe(1);
    expect(older.out).toContain('this checkpoint was signed and is not in the export');
    const fresh = join(later.folder, 'fresh.jsonl');
    await must(later, `export --output "${fresh}"`);
    expect(await later.cs(`audit verify "${fresh}" --checkpoint "${note}"`)).toMatchObject({ code: 0 });
    expect(await shop.cs(`audit verify --checkpoint "${note}"`)).toMatchObject({ code: 1 });
  } finally {
    later.remove();
  }
});

test('export --todo writes every item in the todo form', async () => {
  const todos = JSON.parse((await must(shop, 'export --todo')).out);
  expect(todos).toHaveLength(11);
  expect(todos[0]).toMatchObject({ id: 'T-1', status: 'completed', claimed_by: 'smith' });
  const listed = JSON.parse((await must(shop, 'export --todo --list two')).out);
  expect(listed.map((t: { id: string }) => t.id)).toEqual(['T-2']);
  expect(JSON.parse((await must(shop, 'export --todo --list nothing')).out)).toEqual([]);
  await must(shop, 'export --list two', 2);
});
