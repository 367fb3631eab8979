import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { verifyExport } from '../../src/attestation/export-verify.ts';
import { generateKeyPair, signerFrom } from '../../src/attestation/key.ts';
import { openProofPack } from '../../src/attestation/proof-pack.ts';
import type { VerdictBody } from '../../src/attestation/verdict.ts';
import { sampleCheckpoints, sampleEvents, sampleExport } from '../../tests/fixtures/sample-log.ts';
import { samplePack, VERDICT } from '../../tests/fixtures/sample-pack.ts';
import { damages, seeded } from './damage.ts';

interface Answer {
  readonly status: number;
  readonly findings: readonly { readonly line: number; readonly where: string; readonly what: string }[];
}

const script = fileURLToPath(new URL('./verify-export.mjs', import.meta.url));
const { verifyFile }: { verifyFile(bytes: Uint8Array, pems: readonly string[]): Answer } = await import(
  script
);

const signer = signerFrom(generateKeyPair().privatePem);
const old = signerFrom(generateKeyPair().privatePem);
const stranger = signerFrom(generateKeyPair().privatePem);
const folder = mkdtempSync(join(tmpdir(), 'offline-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));
const trusted = [signer, old];
const pems = trusted.map(({ publicPem }) => publicPem);
const keyArguments = trusted.flatMap(({ keyid, publicPem }) => {
  const path = join(folder, `${keyid}.pem`);
  writeFileSync(path, publicPem);
  return ['--key', path];
});

const events = sampleEvents(['goal-1', 'item-ü', 'item-😀', 'item-ﬀ', 'audit'], 24);
const notes = sampleCheckpoints(events, [5, 5, 17, 24], old);
const whole = sampleExport(events, notes, signer, trusted);
const other = sampleExport(events.slice(0, 11), sampleCheckpoints(events, [7], signer), signer);
const empty = sampleExport([], [], signer);
const foreign = sampleExport(events, notes, stranger);

const statusOf = (bytes: Uint8Array) =>
  ['clean', 'broken', 'cannot-tell'].indexOf(verifyExport(bytes, trusted).status);

function run(bytes: Uint8Array): { readonly status: number | null; readonly stdout: string } {
  const path = join(folder, 'log.jsonl');
  writeFileSync(path, bytes);
  return spawnSync(process.execPath, [script, path, ...keyArguments], { encoding: 'utf8' });
}

test.each([
  ['whole', whole, 0],
  ['other', other, 0],
  ['empty log', empty, 0],
  ['of a stranger', foreign, 2],
  ['of a stranger and damaged', foreign.replace('cmd-7', 'cmd-8'), 1],
  ['no export', '{}\n', 2],
  ['empty file', '', 2],
])('both verifiers agree on an export that is %s, the second as a process', (_, text, status) => {
  expect(statusOf(Buffer.from(text))).toBe(status);
  expect(run(Buffer.from(text))).toMatchObject({ status });
});

test.each(damages)('both verifiers agree on exports with $name, and name a place', ({ apply, name }) => {
  const random = seeded(name.length * 7919);
  for (let round = 0; round < 24; round += 1) {
    const source = round % 3 === 2 ? other : whole;
    const damaged = apply(source, random, source === whole ? other : whole);
    // Swapping or repeating can leave the file as it was.
    const expected = damaged.equals(Buffer.from(source)) ? [0] : [1, 2];
    const first = verifyExport(damaged, trusted);
    const second = verifyFile(damaged, pems);
    const label = `${name}, round ${round}`;
    expect(expected, label).toContain(second.status);
    expect(second.status, label).toBe(statusOf(damaged));
    expect(second.findings.length === 0, label).toBe(first.findings.length === 0);
    for (const { line, where } of [...first.findings, ...second.findings]) {
      expect(line, label).toBeGreaterThan(0);
      expect(where, label).not.toBe('');
    }
    if (round < 2) {
      const { status, stdout } = run(damaged);
      expect(status, label).toBe(second.status);
      expect(stdout, label).toContain(
        `line ${second.findings[0]?.line ?? 'clean'}`.replace('line clean', 'clean'),
      );
    }
  }
});

test('both verifiers name the event whose body was edited', () => {
  const damaged = Buffer.from(whole.replace(String.raw`\"attempt\":12`, String.raw`\"attempt\":13`));
  const place = expect.objectContaining({ line: 14, where: 'item-😀@3' });
  expect(verifyExport(damaged, trusted).findings).toContainEqual(place);
  expect(verifyFile(damaged, pems).findings).toContainEqual(place);
});

test('both readers of proof packs agree on every damaged byte, line and signer', () => {
  const pack = samplePack(signer);
  const lines = pack.trimEnd().split('\n');
  const random = seeded(42);
  const flipped = Array.from({ length: 200 }, () => damages[0]?.apply(pack, random, '') ?? Buffer.of());
  const cut = Array.from({ length: 20 }, () => damages[1]?.apply(pack, random, '') ?? Buffer.of());
  const arranged = [[0, 1], [1, 2], [2], [1, 0, 2], [0, 0, 1, 2], [0, 1, 2, 2], [2, 0, 1]].map((order) =>
    Buffer.from(`${order.map((at) => lines[at]).join('\n')}\n`),
  );
  const sound = [Buffer.from(pack), Buffer.from(samplePack(stranger))];
  for (const bytes of [...flipped, ...cut, ...arranged, ...sound]) {
    const first = ['valid', 'broken', 'cannot-tell'].indexOf(openProofPack(bytes, trusted).status);
    expect(verifyFile(bytes, pems).status, bytes.toString('latin1')).toBe(first);
  }
  expect(run(Buffer.from(pack))).toMatchObject({ status: 0, stdout: 'clean\n' });
  expect(run(Buffer.from(samplePack(stranger)))).toMatchObject({ status: 2 });
});

test.each([
  ['a grade', { strength: 'red-green', tier: 'standard' }, {}, 'valid'],
  [
    'a waived check',
    {},
    { waivedBy: 'ada', waiverReason: 'later', reason: 'x', shows: ['tests'], notes: [''] },
    'valid',
  ],
  ['an empty grade', { strength: '' }, {}, 'broken'],
  ['a tier that is a number', { tier: 7 }, {}, 'broken'],
  ['a check that shows no list', {}, { shows: 'tests' }, 'broken'],
  ['a waiver by null', {}, { waivedBy: null }, 'broken'],
])('both readers take %s in a pack for what it is', (_, verdict, check, status) => {
  const checks = VERDICT.checks.map((c) => ({ ...c, ...check }));
  const bytes = Buffer.from(samplePack(signer, { ...VERDICT, ...verdict, checks } as VerdictBody));
  expect(openProofPack(bytes, trusted).status).toBe(status);
  expect(verifyFile(bytes, pems).status).toBe(status === 'valid' ? 0 : 1);
});

test('all keys of a file are trusted, with whatever stands between them', () => {
  const [file, keys] = [join(folder, 'whole.jsonl'), join(folder, 'all.pem')];
  writeFileSync(file, whole);
  writeFileSync(keys, [stranger, old, signer].map((s) => `# runner ${s.keyid}\n${s.publicPem}`).join(''));
  const { status, stdout } = spawnSync(process.execPath, [script, file, '--key', keys], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, 'clean\n']);
});

test.each([
  ['without a file', []],
  ['with a file that is not there', [join(folder, 'missing.jsonl')]],
  ['with a key that is none', [script, '--key', script]],
  ['with a stray word', [script, 'key.pem']],
])('the program cannot tell %s', (_, words) => {
  expect(spawnSync(process.execPath, [script, ...words]).status).toBe(2);
});
