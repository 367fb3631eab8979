import { afterEach, expect, test, vi } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { loadItem } from '../../src/engine/handle.ts';
import { takeJob } from '../../src/engine/lease.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { jobKey } from '../../src/engine/work.ts';
import { workOnce } from '../../src/engine/work-loop.ts';
import { openSession, type Session } from '../session.ts';
import { bring } from '../two-phase/bring.ts';

const CHECK = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
`;
/** A program that is nowhere: its check cannot be run, which says nothing about the work. */
const ABSENT = `${CHECK}  - {id: absent, kind: command, run: [no-such-program], report: {format: exit}}\n`;
const MINUTE = 60_000;

let s: Session | undefined;
afterEach(() => {
  vi.useRealTimers();
  s?.close();
});

/** The same ports on another machine, so much later. */
const elsewhere = (ports: Ports, name: string, later: number): Ports => ({
  ...ports,
  process: { owner: `${name}:1:1`, isAlive: (owner) => owner !== `${name}:1:1` },
  clock: () => new Date(ports.clock().getTime() + later),
});

test('a verification of a machine that is gone is taken over when nobody renewed its lease', async () => {
  s = await openSession({ criteria: CHECK });
  const id = await bring(s, 'claimed');
  await s.with(async ({ ports }) => {
    const handle = await loadItem(ports, id);
    expect(await takeJob(elsewhere(ports, 'gone', 0), handle)).toMatchObject({ kind: 'leased' });
    expect(await takeJob(elsewhere(ports, 'next', 3 * MINUTE), handle)).toMatchObject({ kind: 'held' });
    expect(await takeJob(elsewhere(ports, 'next', 7 * MINUTE), handle)).toMatchObject({ kind: 'leased' });
  });
});

test('a verification that goes on renews its lease, and is recorded under it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const fences: number[] = [];
  s = await openSession({
    criteria: CHECK,
    wrap: (ports) => ({
      ...ports,
      runner: {
        ...ports.runner,
        async run(question) {
          const handle = await loadItem(ports, 'T-1');
          const fence = async () => {
            const job = await ports.store.job('verify', jobKey(handle.id, handle.item));
            return job?.fence ?? 0;
          };
          fences.push(await fence());
          s?.at(new Date(ports.clock().getTime() + MINUTE).toISOString());
          vi.advanceTimersByTime(MINUTE);
          while ((await fence()) === fences[0]) await new Promise((resolve) => setImmediate(resolve));
          fences.push(await fence());
          return ports.runner.run(question);
        },
      },
    }),
  });
  const id = await bring(s, 'verified');
  expect(fences).toEqual([1, 2]);
  expect((await s.say('', 'show', id)).data.status).toBe('verified');
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('a worker tries what comes to nothing once for each claim', async () => {
  s = await openSession({ criteria: ABSENT });
  const id = await bring(s, 'claimed');
  const tried = new Set<string>();
  await s.with(async (opened) => {
    const { ports } = opened;
    const caller = await callerOf(opened, 'verification-agent');
    const round = () => workOnce(ports, caller, tried, new AbortController().signal);
    expect(await round()).toMatchObject([{ item: id, verified: { run: { verdict: 'indeterminate' } } }]);
    expect(await round()).toEqual([]);
  });
});
