import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ended, isThere, numberIn, openRuns, processesOf, type Runs } from '../../tests/agents/runs.ts';
import { page } from './page.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

const NONE = { minutes: 0, bytes: 0, costUsd: 0 };

it('ends a run at its time limit, with all that it started', async () => {
  const script = 'setsid sleep 600 & echo $!; sleep 600';
  const run = await runs.shell('t', script, { limits: { ...NONE, minutes: 0.01 } });
  const stray = await numberIn(join(run, 'transcript.out'));
  expect(await ended(run)).toMatchObject({ reason: 'time-limit', exitCode: null, signal: 'SIGTERM' });
  expect([stray, processesOf(run).child].map(isThere)).toEqual([false, false]);
});

it('ends a run that floods its transcript, by standard output and error together', async () => {
  const script = 'yes a long line of nothing | head -c 200000; yes trouble >&2 | sleep 600';
  const run = await runs.shell('f', script, { limits: { ...NONE, bytes: 1_000_000 } });
  const end = await ended(run);
  expect(end.reason).toBe('output-limit');
  expect(end.bytes).toBeGreaterThan(1_000_000);
});

it('wakes for a run that was quiet for long', async () => {
  const script =
    "echo here; sleep 6; while :; do head -c 300000 /dev/zero | tr '\\0' x; echo; sleep 0.1; done";
  const run = await runs.shell('w', script, { limits: { ...NONE, bytes: 1_000_000 } });
  const end = await ended(run);
  expect(end.reason).toBe('output-limit');
});

it('ends a run that spends more than it may, as its stream tells', async () => {
  const step = JSON.stringify({ type: 'step_finish', sessionID: 's', part: { cost: 0.4 } });
  const more = { adapter: 'opencode', limits: { ...NONE, costUsd: 1 } };
  const run = await runs.shell('c', `for n in 1 2 3; do echo '${step}'; done; sleep 600`, more);
  const end = await ended(run);
  expect(end).toMatchObject({ reason: 'cost-limit', signal: 'SIGTERM' });
  expect(end.costUsd).toBeCloseTo(1.2);
});

it('leaves a run alone that stays within its limits, and keeps what it cost', async () => {
  const result = JSON.stringify({
    type: 'result',
    subtype: 'success',
    result: 'All done.',
    total_cost_usd: 0.9,
  });
  const more = { adapter: 'claude-code', limits: { minutes: 5, bytes: 100_000, costUsd: 1 } };
  const run = await runs.shell('ok', `echo '${result}'`, more);
  expect(await ended(run)).toMatchObject({ reason: 'exited', exitCode: 0, costUsd: 0.9, said: 'All done.' });
});

it('packs a long transcript when the run has ended, and loses no byte', async () => {
  const run = await runs.shell('big', 'seq 1 200000');
  const end = await ended(run);
  let text = '';
  for (let next = 0, over = false; !over; ) {
    const part = page(run, next, 100_000);
    text += part.text;
    over = part.ended;
    next = part.next;
  }
  expect(text.length).toBe(end.bytes);
  expect(text).toBe(Array.from({ length: 200_000 }, (_, n) => `${n + 1}\n`).join(''));
});
