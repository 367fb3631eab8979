import { lutimesSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { alone, readProjectionState, writeProjectionState } from './projection-state.ts';

const me = { owner: 'me', isAlive: (owner: string) => owner !== 'dead' };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'projection-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('lets one work at a time, and each in its turn', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 10));
    inside -= 1;
    return true;
  };
  const done = await Promise.all(Array.from({ length: 5 }, () => alone(folder, me, work)));
  expect(done).toEqual([true, true, true, true, true]);
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

it('gives the lock back when the work fails', async () => {
  await expect(alone(folder, me, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await alone(folder, me, async () => 1)).toBe(1);
});

it('takes over what a dead process left behind, and leaves a living one alone', async () => {
  const lock = join(folder, 'projections.lock');
  symlinkSync('dead', lock);
  expect(await alone(folder, me, async () => 1)).toBe(1);
  symlinkSync('another', lock);
  expect(await alone(folder, me, async () => 1)).toBeUndefined();
  const old = new Date(Date.now() - 60_000);
  lutimesSync(lock, old, old);
  expect(await alone(folder, me, async () => 1)).toBe(1);
});

it('reads back what it wrote, and nothing from a file that is damaged', () => {
  expect(readProjectionState(folder)).toBeUndefined();
  const state = {
    todo: 'a.json',
    proofpacks: '',
    trees: { '/x': { events: 3, files: { 'a.json': 'ff' }, writing: {} } },
  };
  writeProjectionState(folder, state);
  expect(readProjectionState(folder)).toEqual(state);
  writeFileSync(join(folder, 'projections.json'), '{"todo": "a.j');
  expect(readProjectionState(folder)).toBeUndefined();
});
