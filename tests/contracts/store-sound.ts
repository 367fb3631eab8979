import { expect } from 'vitest';
import { verifyChain } from '../../src/attestation/chain.ts';
import type { Store, StoreContent } from '../../src/store/store.ts';

/** Fails unless chains, heads, positions, counts, pages and jobs of the store agree with each other. */
export async function expectSound(store: Store & StoreContent): Promise<void> {
  expect(await store.integrity()).toEqual([]);
  const events = await store.events(0, 1_000_000);
  expect(events.map((event) => event.position)).toEqual(events.map((_, n) => n + 1));
  const heads = await store.heads('', 1000);
  for (const { stream, version, hash } of heads) {
    const chain = await store.read(stream);
    expect(verifyChain(stream, chain)).toBeUndefined();
    expect(chain.at(-1)).toMatchObject({ version, hash });
  }
  expect(heads.reduce((sum, head) => sum + head.version, 0)).toBe(events.length);
  const tallied = (await store.allTallies()).reduce((sum, tally) => sum + tally.count, 0);
  expect(tallied).toBe((await store.allItems(0, 1000)).length);
}
