import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
import { page } from './page.ts';
import { settle } from './settle.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

/** A run whose watcher was killed while the child goes on. */
async function lost(id = 'lost', script = "printf 'one\\ntwo\\n'; sleep 600") {
  const run = await runs.shell(id, script);
  await until('words', () => transcript(run) !== '');
  const { watcher, child } = processesOf(run);
  process.kill(watcher, 'SIGKILL');
  await until('the loss', () => look(run).state === 'lost');
  return { run, child };
}

function rewrite(run: string, from: RegExp, to: string): void {
  for (const path of [join(run, 'watch.json'), join(run, 'run.json')]) {
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  }
}

it('ends what is left of a lost run and records it, once', async () => {
  const { run, child } = await lost();
  expect(look(run)).toMatchObject({ state: 'lost', reason: 'lost', endedAt: '' });
  expect(isThere(child)).toBe(true);
  const state = settle(run);
  expect(state).toMatchObject({ state: 'ended', reason: 'lost', exitCode: null, bytes: 8, said: 'one\ntwo' });
  expect(isThere(child)).toBe(false);
  const record = readFileSync(join(run, 'end.json'), 'utf8');
  expect([settle(run), settle(run), await kill(run, 'late', 'no')]).toEqual([state, state, state]);
  expect(readFileSync(join(run, 'end.json'), 'utf8')).toBe(record);
});

it('ends strays of a lost run of which everything else has ended', async () => {
  const { run, child } = await lost('stray', 'setsid sleep 600 & echo $!; sleep 600');
  const stray = await numberIn(join(run, 'transcript.out'));
  process.kill(child, 'SIGKILL');
  await until('the end of the child', () => !isThere(child));
  expect(isThere(stray)).toBe(true);
  settle(run);
  expect(isThere(stray)).toBe(false);
});

it('leaves runs alone that are watched or have ended', async () => {
  const busy = await runs.shell('busy', 'sleep 600');
  expect(settle(busy).state).toBe('running');
  const done = await runs.shell('done', 'exit 5');
  const before = await ended(done);
  expect(settle(done)).toEqual(before);
  expect(isThere(processesOf(busy).child)).toBe(true);
});

it('touches nothing of a run of another start of the machine', async () => {
  const run = await runs.shell('boot', 'sleep 600');
  const { child, watcher } = processesOf(run);
  try {
    rewrite(run, /"boot":"[^"]*"/, '"boot":"another"');
    expect(look(run)).toMatchObject({ state: 'lost', reason: 'lost' });
    process.kill(watcher, 'SIGSTOP');
    expect(settle(run)).toMatchObject({ state: 'ended', reason: 'lost' });
    expect(isThere(child)).toBe(true);
  } finally {
    process.kill(-child, 'SIGKILL');
    process.kill(watcher, 'SIGKILL');
  }
});

it('makes a watcher end its run when an end is recorded behind its back', async () => {
  const run = await runs.shell('behind', 'sleep 600');
  const { child, watcher } = processesOf(run);
  rewrite(run, /"boot":"[^"]*"/, '"boot":"another"');
  expect(settle(run)).toMatchObject({ state: 'ended', reason: 'lost' });
  await until('the end of both', () => !isThere(child) && !isThere(watcher));
  expect(look(run).reason).toBe('lost');
});

describe('a folder that is missing or damaged', () => {
  it.each(['missing', 'empty'])(
    'reads a %s one as not started, and keeps it from being started',
    async (kind) => {
      const spec = runs.spec('void', ['sleep', '600']);
      if (kind === 'empty') mkdirSync(spec.folder);
      expect(look(spec.folder)).toMatchObject({ state: 'lost', reason: 'not-started', bytes: 0, said: '' });
      expect(page(spec.folder, 0, 100)).toEqual({ text: '', next: 0, ended: false });
      expect(settle(spec.folder)).toMatchObject({ state: 'ended', reason: 'not-started' });
      expect(await runs.start(spec)).toMatchObject({ state: 'ended', reason: 'not-started' });
      expect(readdirSync(spec.folder)).toEqual(['end.json']);
    },
  );

  const DAMAGES: Readonly<Record<string, string>> = {
    nothing: '',
    torn: '{"reason":"exi',
    'another shape': '[1,2]',
    'wild values':
      '{"reason":7,"mark":{},"watcher":{"pid":-1},"child":{"pid":1,"start":"x"},"boot":3,"at":[],"bytes":"x"}',
    null: 'null',
    bytes: '\u0000\ufffd\u0007',
  };

  it.each(Object.keys(DAMAGES))('reads a run with %s in each of its files, and settles it', async (kind) => {
    for (const name of ['run.json', 'watch.json', 'beat.json', 'kill.json', 'end.json']) {
      const { run, child } = await lost(`${name}-${kind.replace(' ', '-')}`);
      // Whoever launched is gone as well.
      rewrite(run, /"launcher":\{[^}]*\}/, '"launcher":{"pid":2,"start":"gone"}');
      writeFileSync(join(run, name), DAMAGES[kind] ?? '');
      expect(look(run).state).toBe('lost');
      const state = settle(run);
      expect({ name, ...state }).toMatchObject({ name, state: 'ended', bytes: 8 });
      expect({ name, alive: isThere(child) }).toEqual({ name, alive: false });
    }
  });
});

it('ends the run when its folder is taken away', async () => {
  const run = await runs.shell('gone', 'sleep 600');
  const { child, watcher } = processesOf(run);
  // The watcher may write at the same time: Node then tries the empty folder again, and not what came into it.
  await until('the folder to be gone', () => {
    try {
      rmSync(run, { recursive: true, force: true });
    } catch {
      return false;
    }
    return !existsSync(run);
  });
  await until('the end of both', () => !isThere(child) && !isThere(watcher));
});
