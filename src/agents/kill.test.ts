import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ended,
  isThere,
  numberIn,
  openRuns,
  processesOf,
  type Runs,
  transcript,
  until,
} from '../../tests/agents/runs.ts';
import { kill } from './kill.ts';
import { look } from './look.ts';
import { rowOf } from './processes.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

/** A process that this test owns, in a group of its own. */
function bystander() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  return { pid: child.pid ?? 0, gone: once(child, 'exit'), end: () => child.kill('SIGKILL') };
}

/** Puts another process into the records of a run. */
function forge(run: string, key: 'watcher' | 'child', id: object): void {
  const path = join(run, 'watch.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), [key]: id }));
}

it('ends the child and names who asked and why', async () => {
  const run = await runs.shell('k', 'echo busy; sleep 600');
  await until('words', () => transcript(run) !== '');
  const state = await kill(run, 'lead', 'it went astray');
  expect(state).toMatchObject({
    state: 'ended',
    reason: 'killed',
    signal: 'SIGTERM',
    killedBy: 'lead',
    killReason: 'it went astray',
    said: 'busy',
  });
  expect(isThere(processesOf(run).child)).toBe(false);
});

it('lets an agent that is asked to end finish its last line', async () => {
  const run = await runs.shell(
    'k',
    "trap 'echo last words; exit 4' TERM; echo ready; while :; do sleep 0.1; done",
  );
  await until('the trap', () => transcript(run) !== '');
  expect(await kill(run, 'lead', 'enough')).toMatchObject({
    reason: 'killed',
    exitCode: 4,
    said: 'ready\nlast words',
  });
});

it('asks once, and ends one that does not listen, with its children in sessions of their own', async () => {
  const script = `trap 'echo asked' TERM
setsid sh -c 'trap "" TERM; echo $$ > stray; while :; do sleep 0.1; done' &
(trap '' TERM; while :; do sleep 0.1; done) & echo $!
while :; do sleep 0.1; done`;
  const run = await runs.shell('k', script);
  const others = [await numberIn(join(runs.folder, 'stray')), await numberIn(join(run, 'transcript.out'))];
  expect(others.map(isThere)).toEqual([true, true]);
  expect(await kill(run, 'lead', 'deaf')).toMatchObject({
    reason: 'killed',
    signal: 'SIGKILL',
    exitCode: null,
  });
  expect([...others, processesOf(run).child].map(isThere)).toEqual([false, false, false]);
  expect(transcript(run).match(/asked/g)).toEqual(['asked']);
});

it('is done once, whoever asks how often', async () => {
  const run = await runs.shell('k', 'sleep 600');
  const states = await Promise.all([1, 2, 3].map((n) => kill(run, `asker ${n}`, `reason ${n}`)));
  expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
  const [first] = states;
  expect(await kill(run, 'late', 'too late')).toEqual(first);
  expect(first?.killReason).toBe(first?.killedBy.replace('asker', 'reason'));
});

it('leaves a run that has ended by itself as it was', async () => {
  const run = await runs.shell('k', 'exit 0');
  const before = await ended(run);
  expect(await kill(run, 'late', 'too late')).toEqual(before);
});

it('works when the watcher was killed', async () => {
  const run = await runs.shell('k', 'setsid sleep 600 & echo $!; sleep 600');
  const stray = await numberIn(join(run, 'transcript.out'));
  const { watcher, child } = processesOf(run);
  process.kill(watcher, 'SIGKILL');
  await until('the loss', () => look(run).state === 'lost');
  expect([stray, child].map(isThere)).toEqual([true, true]);
  expect(await kill(run, 'lead', 'alone')).toMatchObject({
    state: 'ended',
    reason: 'killed',
    killedBy: 'lead',
  });
  expect([stray, child].map(isThere)).toEqual([false, false]);
});

it('works when the watcher was stopped, and ends it', async () => {
  const run = await runs.shell('k', 'sleep 600');
  const { watcher, child } = processesOf(run);
  process.kill(watcher, 'SIGSTOP');
  expect(await kill(run, 'lead', 'stuck')).toMatchObject({
    state: 'ended',
    reason: 'killed',
    killedBy: 'lead',
  });
  await until('the end of both', () => !isThere(watcher) && !isThere(child));
});

it('never touches a process that was given the number of the child', async () => {
  const other = bystander();
  try {
    const run = await runs.shell('k', 'sleep 600');
    const { watcher, child } = processesOf(run);
    process.kill(watcher, 'SIGKILL');
    process.kill(child, 'SIGKILL');
    await until('the end of both', () => !isThere(watcher) && !isThere(child));
    forge(run, 'child', { pid: other.pid, start: '1' });
    expect(await kill(run, 'lead', 'mistaken')).toMatchObject({ state: 'ended', reason: 'killed' });
    expect(isThere(other.pid)).toBe(true);
  } finally {
    other.end();
  }
});

it('never touches the group of a number whose leader is gone, unless it carries the mark', async () => {
  const leader = spawn('sh', ['-c', 'sleep 600 & echo $!'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(leader.stdout, 'data');
  const member = Number(String(line));
  const id = { pid: leader.pid ?? 0, start: rowOf(leader.pid ?? 0)?.start ?? '1' };
  try {
    await until('the end of the leader', () => rowOf(id.pid) === undefined);
    const run = await runs.shell('k', 'sleep 600');
    const { watcher, child } = processesOf(run);
    process.kill(watcher, 'SIGKILL');
    forge(run, 'child', id);
    await until('the loss', () => look(run).state === 'lost');
    await kill(run, 'lead', 'mistaken');
    expect([member, child].map(isThere)).toEqual([true, false]);
  } finally {
    process.kill(member, 'SIGKILL');
  }
});

it('takes a watcher whose number went to another process for gone', async () => {
  const other = bystander();
  try {
    const run = await runs.shell('k', 'sleep 600');
    process.kill(processesOf(run).watcher, 'SIGKILL');
    forge(run, 'watcher', { pid: other.pid, start: '1' });
    expect(look(run)).toMatchObject({ state: 'lost', reason: 'lost' });
    await kill(run, 'lead', 'lost');
    expect(isThere(other.pid)).toBe(true);
  } finally {
    other.end();
  }
});

it('ends the run of a watcher that is asked to end', async () => {
  const run = await runs.shell('k', 'sleep 600');
  const { watcher, child } = processesOf(run);
  process.kill(watcher, 'SIGTERM');
  expect(await ended(run)).toMatchObject({ reason: 'killed', killedBy: 'the system' });
  expect(isThere(child)).toBe(false);
});
