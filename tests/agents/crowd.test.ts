import { afterEach, beforeEach, expect, it } from 'vitest';
import { runs as share } from '../thoroughness.ts';
import { crowd } from './crowd.ts';
import { openRuns, type Runs } from './runs.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

const COUNT = share(12, 40);

it(`${COUNT} agents at once, a third of them killed with their watchers, a third hanging, all end on record`, async () => {
  const { outcomes, ...rest } = await crowd(runs, COUNT);
  const third = (n: number) => Math.floor((COUNT + 2 - n) / 3);
  expect(outcomes).toEqual({
    'honest exited': third(0),
    'struck lost': third(1),
    'hanging killed': third(2),
  });
  expect(rest).toEqual({ open: 0, left: [], lostLines: 0 });
});
