import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryIn, type Seal } from './memory.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sealOf = (secret: string): Seal => ({
  mark: (text) => `${secret}:${text.length}:${text}`,
  holds: (text, mark) => mark === `${secret}:${text.length}:${text}`,
});

it('tells what was kept under a key, and nothing for another', async () => {
  const memory = memoryIn(folder, sealOf('mine'));
  await memory.keep('aa', 'told');
  expect(await memory.recall('aa')).toBe('told');
  expect(await memory.recall('bb')).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['aa.json']);
});

it('takes nothing that another key marked, that was changed, or that was moved to another key', async () => {
  const memory = memoryIn(folder, sealOf('mine'));
  await memory.keep('aa', 'told');
  expect(await memoryIn(folder, sealOf('other')).recall('aa')).toBeUndefined();
  const kept = readFileSync(join(folder, 'aa.json'), 'utf8');
  writeFileSync(join(folder, 'bb.json'), kept);
  expect(await memory.recall('bb')).toBeUndefined();
  writeFileSync(join(folder, 'aa.json'), kept.replace('told', 'lies'));
  expect(await memory.recall('aa')).toBeUndefined();
  writeFileSync(join(folder, 'aa.json'), '{');
  expect(await memory.recall('aa')).toBeUndefined();
});

it('keeps nothing without a seal', async () => {
  const memory = memoryIn(folder, undefined);
  await memory.keep('aa', 'told');
  expect(await memory.recall('aa')).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

it('lets any number of runs keep the same at once, and fails none where it cannot keep', async () => {
  const memory = memoryIn(folder, sealOf('mine'));
  await Promise.all(Array.from({ length: 20 }, () => memory.keep('aa', 'told')));
  expect(await memory.recall('aa')).toBe('told');
  expect(readdirSync(folder)).toEqual(['aa.json']);
  const nowhere = memoryIn(join(folder, 'aa.json'), sealOf('mine'));
  await nowhere.keep('bb', 'told');
  expect(await nowhere.recall('bb')).toBeUndefined();
});
