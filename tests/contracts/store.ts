import { describe } from 'vitest';
import { boardContract } from './store-board.ts';
import { jobsContract } from './store-jobs.ts';
import { logContract } from './store-log.ts';
import type { OpenStore } from './store-samples.ts';

/** What every implementation of the store port must do; `open` gives an empty store. */
export function storeContract(name: string, open: OpenStore): void {
  describe(`${name} keeps the store contract`, () => {
    logContract(open);
    boardContract(open);
    jobsContract(open);
  });
}
