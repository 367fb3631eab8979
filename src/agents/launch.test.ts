import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ended,
  isThere,
  openRuns,
  processesOf,
  type Runs,
  transcript,
  until,
  watcherFile,
} from '../../tests/agents/runs.ts';
import { launch } from './launch.ts';
import { look } from './look.ts';

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

const everything = (run: string) =>
  readdirSync(run)
    .filter((name) => name !== 'prompt' && !name.startsWith('transcript'))
    .map((name) => readFileSync(join(run, name), 'utf8'))
    .join('\n');

it('answers while the child runs, and keeps how it ended with all that it wrote', async () => {
  const script = 'cat; echo; pwd; echo "$GREETING"; echo trouble >&2; read -r _ < gate; exit 3';
  spawnSync('mkfifo', [join(runs.folder, 'gate')]);
  const state = await runs.start(
    runs.spec('a', ['sh', '-c', script], { stdin: 'the prompt', env: { GREETING: 'good day' } }),
  );
  expect(state).toMatchObject({ state: 'running', reason: '', exitCode: null, endedAt: '' });
  spawnSync('sh', ['-c', 'echo go > gate'], { cwd: runs.folder });
  const run = join(runs.folder, 'a');
  const end = await ended(run);
  expect(end).toMatchObject({ reason: 'exited', exitCode: 3, signal: '', killedBy: '', killReason: '' });
  expect(transcript(run)).toBe(`the prompt\n${runs.folder}\ngood day\n`);
  expect(readFileSync(join(run, 'transcript.err'), 'utf8')).toBe('trouble\n');
  expect(end.bytes).toBe(transcript(run).length + 'trouble\n'.length);
  expect(end.said.endsWith('good day')).toBe(true);
  const times = [end.startedAt, end.outputAt, end.endedAt].map((at) => Date.parse(at));
  expect(times.every((at, n) => at + 20 >= (times[n - 1] ?? 0))).toBe(true);
});

it('keeps a crash as an exit with its signal', async () => {
  const run = await runs.shell('crash', 'echo before; kill -SEGV $$');
  expect(await ended(run)).toMatchObject({
    reason: 'exited',
    exitCode: null,
    signal: 'SIGSEGV',
    said: 'before',
  });
});

it('takes what was written to standard error for last words where there are no others', async () => {
  const run = await runs.shell('mute', 'echo "not logged in" >&2; exit 1');
  expect(await ended(run)).toMatchObject({ reason: 'exited', exitCode: 1, said: 'not logged in' });
});

it.each([
  ['a program that is not there', { argv: ['no-such-program'] }, 'ENOENT'],
  ['a program that may not be run', { argv: ['/dev/null'] }, 'EACCES'],
  ['a working tree that is gone', { cwd: '/nowhere/at/all' }, 'ENOENT'],
  ['words longer than the system takes', { argv: ['true', 'x'.repeat(2 ** 18)] }, 'E2BIG'],
])('says why %s was not started', async (_, more, code) => {
  const state = await runs.start(runs.spec('not', ['true'], more));
  expect(state).toMatchObject({ state: 'ended', reason: 'not-started', exitCode: null, startedAt: '' });
  expect(state.said).toContain(code);
});

it('leaves what tells of a session of the launcher out, and everything else in', async () => {
  const around = { COUNTERSIGN_ACTOR: 'lead', CLAUDECODE: '1', KEPT: 'yes' };
  Object.assign(process.env, around);
  try {
    const run = await runs.shell('env', 'env', { env: { COUNTERSIGN_SCRIPT: 'mine' } });
    await ended(run);
    const lines = transcript(run).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['KEPT=yes', 'COUNTERSIGN_SCRIPT=mine']));
    expect(lines.filter((line) => /^(COUNTERSIGN_ACTOR|CLAUDECODE)=/.test(line))).toEqual([]);
  } finally {
    for (const name of Object.keys(around)) delete process.env[name];
  }
});

it('works on the tree that it was given, whatever repository its launcher was at work in', async () => {
  const around = { GIT_DIR: '/elsewhere/.git', GIT_WORK_TREE: '/elsewhere', GIT_INDEX_FILE: 'index' };
  const own = { GIT_AUTHOR_NAME: 'Ada' };
  Object.assign(process.env, around, own);
  try {
    const run = await runs.shell('place', 'env');
    await ended(run);
    const lines = transcript(run).split('\n');
    expect(lines.filter((line) => /^GIT_(DIR|WORK_TREE|INDEX_FILE)=/.test(line))).toEqual([]);
    expect(lines).toContain('GIT_AUTHOR_NAME=Ada');
  } finally {
    for (const name of Object.keys({ ...around, ...own })) delete process.env[name];
  }
});

it('keeps values of the environment and the prompt out of every record, and all from other people', async () => {
  const run = await runs.shell('secret', 'cat > /dev/null', {
    env: { TOKEN: 'hush-hush' },
    stdin: 'between us',
  });
  await ended(run);
  expect(everything(run)).toContain('"TOKEN"');
  expect(everything(run)).not.toMatch(/hush-hush|between us/);
  for (const name of ['', ...readdirSync(run)])
    expect([name, statSync(join(run, name)).mode & 0o077]).toEqual([name, 0]);
});

it('gives a run to whoever is first, and none to a second', async () => {
  const spec = runs.spec('once', ['sleep', '60']);
  const both = await Promise.allSettled([runs.start(spec), runs.start(spec)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = both.find((one) => one.status === 'rejected');
  expect(refused?.reason).toMatchObject({ name: 'AgentsError', code: 'RUN_EXISTS' });
});

it.each([
  ['an id that climbs', { id: '../a' }],
  ['an empty id', { id: '' }],
  ['a relative folder', { folder: 'here' }],
  ['a relative working tree', { cwd: 'here' }],
  ['no program', { argv: [] }],
  ['a word that no system takes', { argv: ['true', 'a\0b'] }],
  ['a report from nowhere', { report: ['true'], reportCwd: '' }],
])('refuses %s', async (_, more) => {
  await expect(launch(runs.spec('bad', ['true'], more))).rejects.toMatchObject({ code: 'BAD_RUN' });
  expect(existsSync(join(runs.folder, 'bad'))).toBe(false);
});

it('refuses an adapter that it does not know, and names the others', async () => {
  const asked = launch(runs.spec('bad', ['true'], { adapter: 'clever' }));
  await expect(asked).rejects.toMatchObject({
    code: 'UNKNOWN_ADAPTER',
    message: expect.stringContaining('codex'),
  });
});

it('records the end when whoever launched is gone', async () => {
  const spec = runs.spec('orphan', ['sh', '-c', 'sleep 1; echo survived; exit 7']);
  const program = `import { launch } from ${JSON.stringify(join(import.meta.dirname, '../../dist/agents/launch.js'))};
await launch(${JSON.stringify(spec)}, ${JSON.stringify(watcherFile())});
process.kill(process.pid, 'SIGKILL');`;
  const launcher = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect({ signal: launcher.signal, err: launcher.stderr }).toEqual({ signal: 'SIGKILL', err: '' });
  const run = join(runs.folder, 'orphan');
  expect(look(run).state).toBe('running');
  expect(await ended(run)).toMatchObject({ reason: 'exited', exitCode: 7, said: 'survived' });
});

it('ends what an agent leaves running, also in a session of its own, and then its watcher', async () => {
  const run = await runs.shell('litter', 'setsid sleep 600 & echo $!; sleep 600 & echo $!; sleep 0.3');
  const { watcher } = processesOf(run);
  await ended(run);
  const left = transcript(run).trim().split('\n').map(Number);
  expect(left).toHaveLength(2);
  expect(left.filter(isThere)).toEqual([]);
  await until('the end of the watcher', () => !existsSync(`/proc/${watcher}`));
});

it('beats while it runs', async () => {
  const run = await runs.shell('beat', 'echo here; sleep 60');
  const state = await until('a beat', () => look(run).heartbeatAt !== '' && look(run));
  expect(state).toMatchObject({ state: 'running', bytes: 5 });
});
