import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adapterNamed } from '../../src/agents/adapters/index.ts';
import { kill } from '../../src/agents/kill.ts';
import { layFiles } from '../../src/agents/lay-files.ts';
import type { RunSpec } from '../../src/agents/run.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { ended, isThere, openRuns, processesOf, type Runs, transcript, until } from './runs.ts';

const AGENT = resolve(import.meta.dirname, '../fixtures/agents/scripted-agent.mjs');

let runs: Runs;
beforeEach(() => {
  runs = openRuns();
});
afterEach(() => runs.remove());

/** Starts the agent without a server, with a script in its prompt. */
async function follow(id: string, steps: readonly object[], more: Partial<RunSpec> = {}): Promise<string> {
  const stdin = `Do as told.\n\n\`\`\`script\n${JSON.stringify(steps)}\n\`\`\`\n`;
  await runs.start(runs.spec(id, [process.execPath, AGENT], { stdin, ...more }));
  return join(runs.folder, id);
}

describe('without a server', () => {
  it('says, writes and ends as told', async () => {
    const steps = [{ write: 'a/b.txt', text: 'words' }, { say: 'done' }, { exit: 4 }, { say: 'never' }];
    expect(await ended(await follow('said', steps))).toMatchObject({ exitCode: 4, said: 'done' });
  });

  it('takes its script from a file as well', async () => {
    const script = join(runs.folder, 'script.json');
    writeFileSync(script, JSON.stringify([{ say: 'from {{env.WHERE}}' }]));
    const run = await follow('file', [{ exit: 9 }], { env: { COUNTERSIGN_SCRIPT: script, WHERE: 'a file' } });
    expect(await ended(run)).toMatchObject({ exitCode: 0, said: 'from a file' });
  });

  it.each([
    ['by a signal', 'SIGKILL', { exitCode: null, signal: 'SIGKILL' }],
    ['with a code', 70, { exitCode: 70, signal: '' }],
  ])('crashes %s', async (_, crash, outcome) => {
    expect(await ended(await follow('crash', [{ say: 'so far' }, { crash }]))).toMatchObject({
      reason: 'exited',
      said: 'so far',
      ...outcome,
    });
  });

  it.each([true, 'deaf'])('hangs (%s) until it is killed', async (hang) => {
    const run = await follow('hang', [{ leave: 600 }, { say: 'here' }, { hang }]);
    await until('its words', () => transcript(run) !== '');
    const { child } = processesOf(run);
    expect(await kill(run, 'lead', 'it hangs')).toMatchObject({
      reason: 'killed',
      signal: hang === 'deaf' ? 'SIGKILL' : 'SIGTERM',
    });
    expect(isThere(child)).toBe(false);
  });

  it('floods until it is stopped', async () => {
    const limits = { minutes: 0, bytes: 500_000, costUsd: 0 };
    const run = await follow('flood', [{ flood: 2 ** 34 }], { limits });
    expect((await ended(run)).reason).toBe('output-limit');
  });

  it('ends where its script cannot be followed', async () => {
    const unknown = await ended(await follow('unknown', [{ dance: true }]));
    expect(unknown).toMatchObject({ exitCode: 2, said: expect.stringContaining('no such step') });
    const unnamed = await ended(await follow('unnamed', [{ say: '{{nobody}}' }]));
    expect(unnamed).toMatchObject({
      exitCode: 2,
      said: expect.stringContaining('nothing is known as nobody'),
    });
  });
});

describe('as a client of the server', () => {
  let program: Program;
  let s: Session;
  beforeAll(async () => {
    program = buildProgram();
    s = await openSession();
  });
  afterAll(() => {
    program.remove();
    s.close();
  });

  /** Starts it by the adapter, as a project would configure it. */
  async function act(id: string, actor: string, steps: readonly object[]): Promise<string> {
    const folder = join(runs.folder, id);
    const env = Object.fromEntries(
      Object.entries(s.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
    );
    const args = [program.path, 'mcp', '--actor', actor, '--profile', 'two-phase'];
    const order = adapterNamed('command').commandFor({
      prompt: `Follow this.\n\`\`\`script\n${JSON.stringify(steps)}\n\`\`\`\n`,
      model: '',
      mcp: { command: process.execPath, args, env },
      readOnly: false,
      gitFolders: [],
      maxTurns: 0,
      costUsd: 0,
      extra: [process.execPath, AGENT, '--mcp', '{mcp}'],
      folder,
    });
    mkdirSync(folder);
    layFiles(folder, order.files);
    await runs.start(runs.spec(id, order.argv, { folder, cwd: s.repo.top, stdin: order.stdin }));
    return folder;
  }

  it('gives out work, does it and claims it; a lie about somebody else is refused', async () => {
    const gave = await act('lead', 'orchestrator', [
      { call: 'item_add', arguments: { title: 'The login', list: 'scripted' }, as: 'added', expect: 'taken' },
      {
        call: 'item_dispatch',
        arguments: { item: '{{added.item.id}}', to: 'swiftui-developer' },
        expect: 'taken',
      },
      { say: '{{added.item.id}}' },
    ]);
    expect(await ended(gave)).toMatchObject({ exitCode: 0 });
    const item = transcript(gave).trim().split('\n').at(-1) ?? '';
    const honest = await act('honest', 'swiftui-developer', [
      { call: 'item_start', arguments: { item }, expect: 'taken' },
      { call: 'item_claim', arguments: { item }, expect: 'refused' },
      { write: 'work.txt', text: 'done by a script\n' },
      { commit: 'do the work' },
      { call: 'item_claim', arguments: { item }, expect: 'taken' },
    ]);
    expect(await ended(honest)).toMatchObject({ exitCode: 0 });
    expect(transcript(honest)).toMatch(/item_claim: taken .*"status":"claimed"/);
    const lying = await act('lying', 'swiftui-developer', [
      { call: 'item_verify', arguments: { item }, expect: 'taken' },
      { say: 'verified' },
    ]);
    expect(await ended(lying)).toMatchObject({ exitCode: 3 });
  });
});
