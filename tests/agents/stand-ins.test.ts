import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterNamed } from '../../src/agents/adapters/index.ts';
import { layFiles } from '../../src/agents/lay-files.ts';
import { ended, openRuns, type Runs, transcript } from './runs.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/agents');
const PROGRAMS = { 'claude-code': 'claude', codex: 'codex', gemini: 'gemini', opencode: 'opencode' } as const;
type Name = keyof typeof PROGRAMS;

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

/** Launches the stand-in of an agent, which prints one of the recorded streams. */
async function play(name: Name, stream: string, exit: number, costUsd = 0) {
  const folder = join(runs.folder, `run-${name}`);
  const bin = join(runs.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(join(FIXTURES, 'stand-in.sh'), join(bin, PROGRAMS[name]));
  const { argv, stdin, env, files } = adapterNamed(name).commandFor({
    prompt: 'Do the phase.',
    model: '',
    mcp: { command: 'countersign', args: ['mcp'], env: { COUNTERSIGN_ACTOR: 'builder' } },
    readOnly: false,
    gitFolders: [],
    maxTurns: 0,
    costUsd: 0,
    extra: [],
    folder,
  });
  layFiles(folder, files);
  const around = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    STAND_IN: runs.folder,
    STAND_IN_STREAM: join(FIXTURES, 'streams', `${stream}.jsonl`),
    STAND_IN_EXIT: String(exit),
  };
  const limits = { minutes: 5, bytes: 0, costUsd };
  await runs.start(
    runs.spec(`run-${name}`, argv, { folder, stdin, env: { ...env, ...around }, adapter: name, limits }),
  );
  return { run: folder, end: await ended(folder), argv };
}

it.each([
  ['claude-code', 0.0421],
  ['codex', 0],
  ['gemini', 0],
  ['opencode', 0.02],
] as const)('%s is started as documented, and its last words and cost are kept', async (name, cost) => {
  const { run, end, argv } = await play(name, name, 0);
  expect(end).toMatchObject({ reason: 'exited', exitCode: 0, said: 'The phase is done and its tests pass.' });
  expect(end.costUsd).toBeCloseTo(cost);
  const noted = (what: string) => readFileSync(join(runs.folder, `${PROGRAMS[name]}.${what}`), 'utf8');
  expect(noted('words')).toBe(
    argv
      .slice(1)
      .map((word) => `${word}\n`)
      .join(''),
  );
  expect(noted('stdin')).toBe('Do the phase.');
  expect(transcript(run)).toBe(readFileSync(join(FIXTURES, 'streams', `${name}.jsonl`), 'utf8'));
});

it.each([
  ['claude-code', 'claude-code-budget', 'error_max_budget_usd'],
  ['codex', 'codex-failed', 'the usage limit was reached'],
  ['gemini', 'gemini-failed', 'Reached max session turns for this session.'],
  ['opencode', 'opencode-failed', 'the rate limit was reached'],
] as const)('%s that fails says why', async (name, stream, said) => {
  expect((await play(name, stream, 53)).end).toMatchObject({ reason: 'exited', exitCode: 53, said });
});
