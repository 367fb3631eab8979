import { setTimeout as after } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { slots, slotsFor } from './slots.ts';

it('lets no more go on at once than there are slots, in order, and goes on after one that threw', async () => {
  const at = slots(2);
  let [running, most] = [0, 0];
  const order: number[] = [];
  const jobs = [0, 1, 2, 3, 4].map((n) =>
    at(async () => {
      running += 1;
      most = Math.max(most, running);
      order.push(n);
      await after(5);
      running -= 1;
      if (n === 1) throw new Error('broke');
      return n;
    }),
  );
  const ended = await Promise.allSettled(jobs);
  expect(ended.map(({ status }) => status).join(' ')).toBe(
    'fulfilled rejected fulfilled fulfilled fulfilled',
  );
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
});

it.each([
  [{ network: 'none', disk: 'covered' }, 2],
  [{ network: 'host', disk: 'covered' }, 1],
  [{ network: 'none', disk: 'visible' }, 1],
  [{ network: 'none', disk: 'partly covered' }, 1],
] as const)('runs go on side by side only where they share nothing: %j', async (isolation, expected) => {
  const at = slotsFor(isolation);
  let [running, most] = [0, 0];
  const job = async () => {
    running += 1;
    most = Math.max(most, running);
    await after(2);
    running -= 1;
  };
  await Promise.all([at(job), at(job), at(job)]);
  expect(most).toBe(expected);
});
