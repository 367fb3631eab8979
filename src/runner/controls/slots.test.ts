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

it('what has to be got ready first is, one at a time, while others are at work', async () => {
  const at = slots(2);
  const told: string[] = [];
  const job = (n: number) =>
    at.after(
      async () => {
        told.push(`ready ${n}`);
        await after(2);
        return n;
      },
      async (ready) => {
        told.push(`begins ${ready}`);
        await after(30);
        told.push(`ends ${ready}`);
        if (ready === 1) throw new Error('broke');
        return ready;
      },
    );
  const ended = await Promise.allSettled([1, 2, 3, 4].map(job));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  const when = (step: string) => told.indexOf(step);
  expect(when('ready 3')).toBeLessThan(when('ends 1'));
  expect(when('ready 4')).toBeGreaterThan(when('ends 1'));
  expect(when('begins 3')).toBeGreaterThan(when('ends 1'));
});

it("what cannot be got ready takes nobody's place", async () => {
  const at = slots(2);
  const never = async () => 'never';
  const fails = () => at.after(async () => Promise.reject(new Error('not ready')), never);
  await expect(Promise.all([fails(), fails(), fails()])).rejects.toThrow('not ready');
  await expect(at(async () => 'free')).resolves.toBe('free');
  await expect(
    at.after(
      async () => 1,
      async (one) => one + 1,
    ),
  ).resolves.toBe(2);
});
